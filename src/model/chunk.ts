import type { JsonObject } from './json/json.js';
import type { LineMarks } from './line-marks.js';
import type { Loc } from './section.js';

export const CONTENT_TYPES = ['text', 'code', 'table', 'list', 'faq'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The child record: what is indexed, embedded, found and cited. `content` is always a slice of the document's text. */
export interface Chunk {
  /** Derived from `doc_id` and `chunk_hash` (see id.ts), so a chunk keeps its id while its text stays in the document. */
  readonly id: string;
  readonly doc_id: string;
  /** The section whose text it is; null before the first heading. */
  readonly section_id: string | null;
  /** The heading the chunk stands under; the document's title before the first one. */
  readonly title: string;
  readonly title_path: readonly string[];
  readonly parent_doc_title: string;
  /** Position in the document, from 0, no gaps. */
  readonly chunk_index: number;
  /** The main type: that of at least half of its text. */
  readonly content_type: ContentType;
  /** All types it holds, the main one first: filters find the small table in a paragraph's chunk by it. */
  readonly content_types: readonly ContentType[];
  readonly content: string;
  /** The first 200 user-perceived characters. */
  readonly summary: string;
  readonly token_count: number;
  readonly start_position: number;
  readonly end_position: number;
  readonly loc: Loc;
  /** SHA-256 of the normalised content. */
  readonly hash: string;
  /** `hash`, with the repeat counted in when the same text stands in the document before: unique in it. */
  readonly chunk_hash: string;
  /** What kind of passage it is, for models: `[Code] nginx snippet`. */
  readonly source_hint: string;
  readonly is_parent: false;
  readonly metadata: ChunkMetadata;
  // Of a table's string only:
  readonly json_pointer?: string;
  readonly total_chunks?: number;
  readonly content_hash?: string;
}

/** Beside what a caller may put there; the first three fields decide what is indexed (see indexed.ts). */
export type ChunkMetadata = JsonObject & {
  /** Ranges of `content` (relative, [start, end)) that are not indexed: comments, front matter. */
  readonly excluded?: readonly (readonly [number, number])[];
  /** A cut table's header rows, repeated in what is indexed. */
  readonly table_header?: string;
  /** Of a document's first chunk: the title that front matter gives beside another one, which the document goes by. */
  readonly other_title?: string;
  /** See line-marks.ts. */
  readonly line_marks?: LineMarks;
};
