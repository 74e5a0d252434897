import type { Span } from '../model/tree.js';

/** A top-level block of a Markdown document. Headings nested in lists and quotes are no blocks: they head no section. */
export interface MarkdownBlock {
  readonly type:
    | 'heading'
    | 'paragraph'
    | 'code'
    | 'table'
    | 'list'
    | 'quote'
    | 'html'
    | 'break'
    | 'footnote';
  readonly start: number;
  end: number;
  /** Of a heading: 1–6, and its text without marks. */
  readonly level?: number;
  readonly content?: Span;
  readonly lang?: string;
  /** Of a table: its head and delimiter rows. */
  readonly header?: Span;
  /** Line starts inside the block where something of its own begins: a row, an item, a nested block. */
  readonly cuts?: number[];
  /** Prose and HTML nested in lists and quotes: where comments may stand. */
  readonly prose?: Span[];
}

export type BlockDetails = Pick<MarkdownBlock, 'level' | 'content' | 'lang' | 'header' | 'cuts'>;

/** Collects leaf blocks into top-level blocks: what stands in a list, a quote or a footnote becomes a cut of it. */
export class Outline {
  readonly blocks: MarkdownBlock[] = [];
  #outer: (MarkdownBlock & { readonly cuts: number[]; readonly prose: Span[] }) | null = null;
  #mark = 0;

  /** A container begins at top level. An item with the marker of the open list goes on with that list. */
  enter(type: 'list' | 'quote' | 'footnote', mark: number, start: number, end: number): void {
    const open = this.#outer;
    if (open !== null && type === 'list' && open.type === 'list' && this.#mark === mark) return;
    this.#mark = mark;
    this.#outer = { type, start, end, cuts: [], prose: [] };
    this.blocks.push(this.#outer);
  }

  /** An item, at any depth: the list reaches at least to its marker, and may be cut before it. */
  item(line: number, end: number): void {
    const outer = this.#outer;
    if (outer === null) return;
    outer.end = Math.max(outer.end, end);
    this.#cut(line);
  }

  add(
    type: MarkdownBlock['type'],
    start: number,
    end: number,
    line: number,
    nested: boolean,
    details?: BlockDetails,
  ): void {
    const outer = this.#outer;
    if (!nested || outer === null) {
      this.#outer = null;
      this.blocks.push(details === undefined ? { type, start, end } : { type, start, end, ...details });
      return;
    }
    outer.end = Math.max(outer.end, end);
    this.#cut(line);
    if (type === 'paragraph' || type === 'html' || type === 'heading') outer.prose.push({ start, end });
  }

  #cut(line: number): void {
    const { start, cuts } = this.#outer!;
    if (line > start && line !== cuts.at(-1)) cuts.push(line);
  }
}
