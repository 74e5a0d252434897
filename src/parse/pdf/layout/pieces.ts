import type { BlockType } from '../../../model/tree.js';
import type { HeadingMark, LaidOutPage } from '../bookmarks.js';
import type { Line } from './lines.js';
import {
  cleanBullet,
  joint,
  leadingAt,
  markerOf,
  sameSize,
  startsParagraph,
  withoutLeaders,
} from './paragraphs.js';
import { tableAt } from './tables.js';

/** Lines become what a reader sees: headings, paragraphs, lists, code, tables, in order, and where pages begin. */
export type Piece =
  | { readonly kind: 'page' }
  | { readonly kind: 'heading'; readonly mark: HeadingMark; readonly text: string }
  | {
      readonly kind: 'block';
      readonly type: BlockType;
      readonly parts: readonly Part[];
      /** The first part is a table's header. */
      readonly header?: boolean;
      /** Kept in the text, but not indexed. */
      readonly excluded?: boolean;
    };

/** A part of a block: text that may be kept apart from the rest, and the page it begins on. */
export interface Part {
  readonly text: string;
  readonly page: number;
  /** What joins it to the part before. */
  readonly glue: string;
  /** The block may be cut before this part. */
  readonly cut: boolean;
}

export function piecesOf(
  pages: readonly LaidOutPage[],
  marks: readonly HeadingMark[],
  words: ReadonlySet<string>,
): Piece[] {
  const writer = new PieceWriter(words, monoIsUsual(pages));
  let next = 0;
  for (const [page, { lines }] of pages.entries()) {
    // Marks come in document order.
    const first = next;
    while (next < marks.length && marks[next]!.page <= page) next++;
    writer.page(lines, marks.slice(first, next));
  }
  return writer.finish();
}

// A typewritten document is not all code.
function monoIsUsual(pages: readonly LaidOutPage[]): boolean {
  let [mono, all] = [0, 0];
  for (const { lines } of pages) {
    for (const line of lines) {
      all += line.text.length;
      if (line.mono) mono += line.text.length;
    }
  }
  return mono > 0.6 * all;
}

interface OpenBlock {
  readonly type: BlockType;
  readonly parts: Part[];
  last: Line;
  /** Where the last list item begins. */
  itemLeft: number;
}

class PieceWriter {
  readonly #pieces: Piece[] = [];
  readonly #words: ReadonlySet<string>;
  readonly #noCode: boolean;
  /** The paragraph or list that may still go on, over the end of a column or page. */
  #open: OpenBlock | null = null;
  /** Line numbers, written when what they stand beside is finished: they must not cut a sentence in two. */
  #numbering: Part[] = [];

  constructor(words: ReadonlySet<string>, noCode: boolean) {
    this.#words = words;
    this.#noCode = noCode;
  }

  page(all: readonly Line[], marks: readonly HeadingMark[]): void {
    const lines = all.filter((line) => !line.numbering);
    // Written at once only if nothing runs on: else the part that runs on notes its own page.
    const runsOn = this.#open !== null && lines.length > 0 && !marks.some((mark) => mark.line === 0);
    const carried = runsOn && !startsParagraph([this.#open!.last, lines[0]!], 1, 0) ? this.#open : null;
    if (carried === null) this.#close();
    if (carried === null) this.#pieces.push({ kind: 'page' });
    for (const { text, page } of all.filter((line) => line.numbering)) {
      this.#numbering.push({ text, page, glue: '\n', cut: false });
    }
    let at = 0;
    let next = 0;
    // Nothing but a heading crosses a heading: tables and paragraphs see the lines before the next one only.
    let limited: readonly Line[] = lines;
    while (at < lines.length || next < marks.length) {
      const mark = marks[next];
      if (mark !== undefined && (mark.line <= at || at >= lines.length)) {
        this.#close();
        const own = mark.line === at ? lines.slice(at, at + mark.count) : [];
        this.#pieces.push({ kind: 'heading', mark, text: this.#prose(own.map((line) => line.text)) });
        at += own.length;
        next++;
        continue;
      }
      if (mark !== undefined && mark.line < lines.length && limited.length !== mark.line) {
        limited = lines.slice(0, mark.line);
      } else if (mark === undefined) limited = lines;
      at = this.#step(limited, at);
    }
  }

  finish(): Piece[] {
    this.#close();
    return this.#pieces;
  }

  /** One line, or as many as belong to the table or code that begins there; gives the line after it. */
  #step(lines: readonly Line[], at: number): number {
    const line = lines[at]!;
    const table = tableAt(lines, at);
    if (table !== null) {
      this.#close();
      const parts = table.rows.map((row, index) => ({
        text: withoutLeaders(row.cells.join(' | ')),
        page: row.page,
        glue: '\n',
        cut: index > 1,
      }));
      this.#pieces.push({ kind: 'block', type: 'table', parts, header: true });
      return table.end;
    }
    if (line.mono && !this.#noCode) return this.#code(lines, at);
    this.#text(lines, at);
    return at + 1;
  }

  #code(lines: readonly Line[], at: number): number {
    this.#close();
    let end = at;
    while (end < lines.length && lines[end]!.mono && lines[end]!.region === lines[at]!.region) end++;
    const block = lines.slice(at, end);
    const left = block.reduce((least, line) => Math.min(least, line.left), Number.POSITIVE_INFINITY);
    const parts = block.map((line, index) => {
      // A fixed-pitch letter is 0.6 em wide in nearly every such font.
      const indent = Math.min(60, Math.round((line.left - left) / (0.6 * line.size)));
      return { text: ' '.repeat(indent) + line.text, page: line.page, glue: '\n', cut: index > 0 };
    });
    this.#pieces.push({ kind: 'block', type: 'code', parts });
    return end;
  }

  #text(lines: readonly Line[], at: number): void {
    const line = lines[at]!;
    const marker = markerOf(line);
    const listed = marker === 'bullet' || (marker === 'number' && this.#inSequence(lines, at));
    const open = this.#open;
    if (listed) {
      if (open?.type !== 'list') this.#close();
      const part = { text: cleanBullet(line.text), page: line.page, glue: '\n', cut: this.#open !== null };
      if (this.#open === null) this.#open = { type: 'list', parts: [part], last: line, itemLeft: line.left };
      else {
        this.#open.parts.push(part);
        Object.assign(this.#open, { last: line, itemLeft: line.left });
      }
      return;
    }
    const above = at > 0 ? lines[at - 1]! : open?.last;
    const first = open === null ? at : Math.max(0, at - open.parts.length);
    const goesOn = open !== null && above === open.last && this.#goesOn(open, lines, at, first);
    if (!goesOn) {
      this.#close();
      const part = { text: withoutLeaders(line.text).trim(), page: line.page, glue: '', cut: false };
      this.#open = { type: 'paragraph', parts: [part], last: line, itemLeft: line.left };
      return;
    }
    const before = open.parts.at(-1)!;
    const { cut, add } = joint(before.text, line.text, (word) => this.#words.has(word));
    open.parts[open.parts.length - 1] = { ...before, text: before.text.slice(0, before.text.length - cut) };
    open.parts.push({ text: line.text, page: line.page, glue: add, cut: false });
    open.last = line;
  }

  #goesOn(open: OpenBlock, lines: readonly Line[], at: number, first: number): boolean {
    const line = lines[at]!;
    if (at === 0) return !startsParagraph([open.last, line], 1, 0);
    if (open.type !== 'list') return !startsParagraph(lines, at, first);
    // An item's further lines stand below its text, not below its mark.
    const { last, itemLeft } = open;
    const near = last.base - line.base < 1.35 * leadingAt(lines, at) && last.region === line.region;
    return near && sameSize(last, line) && line.left > itemLeft + 0.4 * line.size;
  }

  /** `1.` alone may be anything; with a sibling nearby at the same indent it is a list. */
  #inSequence(lines: readonly Line[], at: number): boolean {
    if (this.#open?.type === 'list') return true;
    const line = lines[at]!;
    for (let next = at + 1; next < Math.min(lines.length, at + 12); next++) {
      const other = lines[next]!;
      if (other.region !== line.region) return false;
      if (markerOf(other) === 'number' && Math.abs(other.left - line.left) < line.size) return true;
    }
    return false;
  }

  #prose(texts: readonly string[]): string {
    let text = texts[0] ?? '';
    for (const line of texts.slice(1)) {
      const { cut, add } = joint(text, line, (word) => this.#words.has(word));
      text = text.slice(0, text.length - cut) + add + line;
    }
    return withoutLeaders(text).trim();
  }

  #close(): void {
    if (this.#open !== null) {
      const { type, parts } = this.#open;
      this.#pieces.push({ kind: 'block', type, parts });
    }
    this.#open = null;
    if (this.#numbering.length > 0) {
      this.#pieces.push({ kind: 'block', type: 'paragraph', parts: this.#numbering, excluded: true });
      this.#numbering = [];
    }
  }
}
