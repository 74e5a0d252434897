import type { JsonObject } from './json/json.js';

/**
 * What a parser gives: the document's text, and its structure as spans of that text.
 *
 * Every node is a span (UTF-16 offsets, end exclusive), so that a chunk is a span too, and content,
 * lines, pages, highlights and citations all derive from offsets. Text is never searched again to find
 * where something was. For text formats `text` is the decoded file with `\n` newlines; for PDF, DOCX and
 * HTML it is what was extracted. Lone surrogates are replaced at decoding.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const BLOCK_TYPES = ['paragraph', 'code', 'table', 'list', 'quote', 'html'] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];

export interface TreeSection {
  readonly title: string;
  /** 1–6. Levels may jump (an H4 under an H2); the parent is the nearest section above of a lower level. */
  readonly level: number;
  /** Index into `Tree.sections`, or -1 for the document itself. */
  readonly parent: number;
  /** The heading's own span in the text (`## Title` with its marks); empty where the heading is not in the text. */
  readonly heading: Span;
  /**
   * From the heading's start to the start of the next heading of the same or a lower level, or the end. In code, where
   * a function says itself where it ends, to there.
   */
  readonly span: Span;
}

export interface TreeBlock extends Span {
  readonly type: BlockType;
  /** The section whose own text this is (index into `Tree.sections`), or -1 before the first heading. */
  readonly section: number;
  /** Language of a code block, as the author wrote it. */
  readonly lang?: string;
  /** A table's header rows: repeated in what is indexed when the table is cut. */
  readonly header?: Span;
  /**
   * Offsets where the block may be cut when it is too long, ascending, none at `start`: table rows, list
   * items, code lines, a quote's paragraphs. Absent: sentences decide.
   */
  readonly cuts?: readonly number[];
  /** RFC 6901 pointer of the node this block shows, in formats that have one (JSON, YAML). */
  readonly pointer?: string;
}

/** The way back from an extracted text to its source. */
export interface SourceMap {
  /**
   * What is counted there, from 1: lines of the file, paragraphs with text, cells of a sheet (row × CELL_COLUMNS + column,
   * both from 0). Null where nothing finer than `pages` is known.
   */
  readonly unit: 'line' | 'paragraph' | 'cell' | null;
  /** Pairs, ascending: from this offset of the text on, it stands at that number. */
  readonly marks: readonly number[];
}

/** A sheet of Excel has at most this many columns. */
export const CELL_COLUMNS = 16_384;

export interface Tree {
  /** Name of the parser: `markdown`, `text`, `pdf`, … */
  readonly format: string;
  readonly text: string;
  /** The first H1 or the format's own title; null where there is none (the file's name serves then). */
  readonly title: string | null;
  /** In document order; parents before children. */
  readonly sections: readonly TreeSection[];
  /** In document order, not overlapping; headings are not blocks. */
  readonly blocks: readonly TreeBlock[];
  /** Ranges kept in `content` but never indexed: front matter, HTML comments. Sorted, not overlapping. */
  readonly excluded: readonly Span[];
  /** The offset at which each page starts (page 1 first); empty for formats without pages. */
  readonly pages: readonly number[];
  /** Only where the text is not that of the file. */
  readonly source_map?: SourceMap;
  /** The names of what `pages` counts, where people go by those: sheets, chapters. */
  readonly page_names?: readonly string[];
  /** Pages (from 1) that are pictures and were not read: OCR could. */
  readonly unread_pages?: readonly number[];
  /** Front matter and the like: title, author, tags, dates; what OCR has read (model/ocr.ts). */
  readonly metadata: JsonObject;
  /** What a person should know: a page without text, a table read as text. One line each. */
  readonly warnings: readonly string[];
}

/** `["部署","Nginx","CORS"]`: the titles from the top section down to this one. */
export function titlePath(sections: readonly TreeSection[], index: number): string[] {
  const path: string[] = [];
  for (let at = index; at >= 0; at = sections[at]!.parent) path.unshift(sections[at]!.title);
  return path;
}
