import type { JsonObject } from '../model/json/json.js';
import type { BlockType, SourceMap, Span, Tree, TreeBlock, TreeSection } from '../model/tree.js';
import { GrowingText } from './growing.js';
import { joinTraced, TracedText } from './traced-text.js';

/** Text, with or without its way back to the source. */
export type Written = string | TracedText;

/**
 * Writes the text of an extracted format (DOCX, HTML, XLSX, …) and notes each heading and block as a span of it
 * while it is written, so that nothing is searched for afterwards.
 *
 * Newline discipline: blocks and headings are separated by one blank line, which belongs to neither; no block starts or
 * ends with a blank line. The text reads as Markdown would (`## Title`, `- item`, `| cell |`), without its escapes.
 */
export class TreeBuilder {
  readonly #text = new GrowingText();
  /** Pairs: offset in the text, place in the source. */
  readonly #marks: number[] = [];
  readonly #sections: OpenSection[] = [];
  readonly #blocks: TreeBlock[] = [];
  readonly #excluded: Span[] = [];
  readonly #pages: number[] = [];
  /** Where text begins that is ours (a heading that only counts): it stands where the text after it does. */
  #ownFrom: number | undefined;
  #pagePending = false;
  /** Indexes of the sections that are still open, outermost first. */
  readonly #open: number[] = [];

  /** How much text there is so far. */
  get length(): number {
    return this.#text.length;
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** A heading that stands in the text, and the section it opens. A heading without words is none. */
  heading(level: number, title: Written, marks = true): this {
    const clean = onOneLine(TracedText.of(title));
    if (clean.text === '') return this;
    const depth = clampLevel(level);
    const span = this.#write(marks ? new TracedText().add(`${'#'.repeat(depth)} `).append(clean) : clean);
    this.#openSection(depth, marks && clean.text.length > LONG_TITLE ? '' : clean.text, span);
    return this;
  }

  /** A section whose heading is not in the text (a function's name, a slide's number). */
  section(level: number, title: string): this {
    this.#part();
    this.#openSection(clampLevel(level), oneLine(title), { start: this.length, end: this.length });
    return this;
  }

  paragraph(text: Written): this {
    return this.block('paragraph', tidy(text));
  }

  quote(text: Written): this {
    const clean = tidy(text);
    return clean.isBlank ? this : this.block('quote', clean.replace(/^/gm, '> ').replace(/^> $/gm, '>'));
  }

  /** Kept verbatim, indentation too; only blank lines at both ends go. May be cut between lines. */
  code(text: Written, lang?: string): this {
    const clean = trimBlankLines(text);
    return this.block('code', clean, { cuts: lineCuts(clean.text), ...(lang ? { lang } : {}) });
  }

  /** `items` are whole rendered items (`- text`, with their own nested lines); may be cut between them. */
  list(items: readonly Written[]): this {
    const lines = items.map(trimBlankLines).filter(({ text }) => text !== '');
    return this.block('list', joinTraced(lines, '\n'), { cuts: cutsBetween(lines, 1) });
  }

  /**
   * Rows of cells. The first `headerRows` are repeated in what is indexed when the table is cut; cells lose their
   * line breaks, since a row is a line.
   */
  table(rows: readonly (readonly Written[])[], headerRows = 0): this {
    const widest = rows.reduce((most, row) => Math.max(most, row.length), 0);
    // Rows are filled up to be a grid, but one row of a thousand cells must not make a million of the others.
    const width = Math.min(widest, WIDEST_GRID);
    if (rows.every((row) => row.every((cell) => TracedText.of(cell).isBlank))) return this;
    const lines = rows.map((row) => tableRow(row, width));
    const header = joinTraced(lines.slice(0, headerRows), '\n').text.length;
    if (headerRows > 0 && headerRows < lines.length) {
      lines[headerRows - 1]!.add('\n').append(tableRow(Array(width).fill('---'), width));
    }
    return this.block('table', joinTraced(lines, '\n'), {
      // None before the first body row: a header alone says nothing.
      cuts: cutsBetween(lines, 1).slice(headerRows),
      ...(header > 0 ? { header: { start: 0, end: header } } : {}),
    });
  }

  /** Any block; `cuts` and `header` count from the block's own start. Blank text gives no block. */
  block(type: BlockType, text: Written, extra: BlockExtra = {}): this {
    const written = TracedText.of(text);
    if (written.isBlank) return this;
    const { start, end } = this.#write(written);
    const { lang, cuts, header, pointer } = extra;
    this.#blocks.push({
      type,
      start,
      end,
      section: this.#section,
      ...(lang === undefined ? {} : { lang }),
      ...(header === undefined ? {} : { header: { start: start + header.start, end: start + header.end } }),
      ...(cuts === undefined || cuts.length === 0 ? {} : { cuts: cuts.map((cut) => start + cut) }),
      ...(pointer === undefined ? {} : { pointer }),
    });
    return this;
  }

  /** The next thing written is the first of a new page (a slide). */
  page(): this {
    // A page with nothing on it starts where the next one does.
    if (this.#pagePending) this.#pages.push(this.length);
    this.#pagePending = true;
    return this;
  }

  /**
   * Another tree as if its headings and blocks had been written here: a notebook's Markdown cell. `traced` is its text
   * with the way back to the source.
   */
  append(tree: Tree, traced: TracedText): this {
    if (traced.isBlank) return this;
    const base = this.#write(traced).start;
    const shift = (span: Span): Span => ({ start: base + span.start, end: base + span.end });
    const index = new Map<number, number>([[-1, this.#section]]);
    for (const [at, section] of tree.sections.entries()) {
      index.set(at, this.#openSection(section.level, section.title, shift(section.heading)));
    }
    for (const block of tree.blocks) {
      this.#blocks.push({
        ...block,
        ...shift(block),
        section: index.get(block.section)!,
        ...(block.header === undefined ? {} : { header: shift(block.header) }),
        ...(block.cuts === undefined ? {} : { cuts: block.cuts.map((cut) => base + cut) }),
      });
    }
    this.#excluded.push(...tree.excluded.map(shift));
    return this;
  }

  build(about: TreeAbout): Tree {
    if (this.#pagePending) this.#pages.push(this.length);
    const text = this.#text.take();
    this.#closeSections(0, text.length);
    for (const section of this.#sections) section.title ||= longTitle(text, section);
    return {
      format: about.format,
      text,
      title: about.title === undefined || about.title === null ? null : oneLine(about.title) || null,
      sections: this.#sections,
      blocks: this.#blocks,
      excluded: this.#excluded,
      pages: this.#pages,
      source_map: about.unit === undefined ? NO_MAP : { unit: about.unit, marks: this.#marks },
      ...(about.page_names === undefined ? {} : { page_names: about.page_names }),
      metadata: about.metadata ?? {},
      warnings: about.warnings ?? [],
    };
  }

  /** The section that text now belongs to, or -1 before the first heading. */
  get #section(): number {
    return this.#open.length === 0 ? -1 : this.#open[this.#open.length - 1]!;
  }

  /** Ends what stands before with a blank line, as many newlines as are missing. */
  #part(): void {
    if (this.length > 0 && this.#text.newlines < 2) this.#text.push('\n'.repeat(2 - this.#text.newlines));
    if (this.#pagePending) this.#pages.push(this.length);
    this.#pagePending = false;
  }

  #write(written: Written): Span {
    this.#part();
    const start = this.length;
    const { text, marks } = TracedText.of(written);
    for (let at = 0; at < marks.length; at += 2) {
      const from = at === 0 ? (this.#ownFrom ?? start) : start + marks[at]!;
      if (this.#marks.at(-1) !== marks[at + 1]) this.#marks.push(from, marks[at + 1]!);
    }
    this.#ownFrom = marks.length > 0 ? undefined : (this.#ownFrom ?? start);
    this.#text.push(text);
    return { start, end: this.length };
  }

  #openSection(level: number, title: string, heading: Span): number {
    const open = this.#open;
    let keep = open.length;
    while (keep > 0 && this.#sections[open[keep - 1]!]!.level >= level) keep--;
    this.#closeSections(keep, heading.start);
    const span = { start: heading.start, end: heading.end };
    this.#sections.push({ title, level, parent: this.#section, heading, span });
    open.push(this.#sections.length - 1);
    return this.#sections.length - 1;
  }

  #closeSections(keep: number, end: number): void {
    const open = this.#open;
    while (open.length > keep) this.#sections[open.pop()!]!.span.end = end;
  }
}

export interface BlockExtra {
  readonly lang?: string;
  readonly cuts?: readonly number[];
  readonly header?: Span;
  readonly pointer?: string;
}

export interface TreeAbout {
  readonly format: string;
  /** What the numbers of traced text count in the source; absent where none was traced. */
  readonly unit?: SourceMap['unit'];
  readonly title?: string | null;
  readonly page_names?: readonly string[];
  readonly metadata?: JsonObject;
  readonly warnings?: readonly string[];
}

const NO_MAP: SourceMap = { unit: null, marks: [] };

type OpenSection = Omit<TreeSection, 'title' | 'span'> & {
  title: string;
  readonly span: { readonly start: number; end: number };
};

/** Longer ones are pieces of the text, not kept a second time: a path of JSON may have a thousand steps. */
const LONG_TITLE = 64;

const longTitle = (text: string, { level, heading }: OpenSection): string =>
  text.slice(heading.start + level + 1, heading.end);

const clampLevel = (level: number): number => Math.min(6, Math.max(1, Math.trunc(level)));

/** `\n` newlines, and no lone surrogates: offsets and stores need whole characters. */
export const plain = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/\p{Surrogate}/gu, '\uFFFD');

export const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim();

const onOneLine = (text: TracedText): TracedText => plainTraced(text).replace(/\s+/g, ' ').trim();

const plainTraced = (text: Written): TracedText =>
  TracedText.of(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Surrogate}/gu, '\uFFFD');

/** Prose: no spaces at line ends, no runs of blank lines, none at either end. */
const tidy = (text: Written): TracedText =>
  plainTraced(text)
    .replace(/(?<![^\S\n])[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

const trimBlankLines = (text: Written): TracedText =>
  plainTraced(text)
    .replace(/^(?:[^\S\n]*\n)+/g, '')
    .trimEnd();

const WIDEST_GRID = 64;

const tableRow = (cells: readonly Written[], width: number): TracedText => {
  const length = Math.max(width, cells.length);
  const filled = Array.from({ length }, (_, at) =>
    onOneLine(TracedText.of(cells[at] ?? '')).replace(/\|/g, '\\|'),
  );
  return new TracedText().add('| ').append(joinTraced(filled, ' | ')).add(' |');
};

/** Offsets at which each piece after the first begins, when the pieces are joined by `gap` characters. */
const cutsBetween = (pieces: readonly TracedText[], gap: number): number[] => {
  const cuts: number[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (at > 0) cuts.push(at);
    at += piece.text.length + gap;
  }
  return cuts;
};

/** Line starts, but never inside a run of blank lines: a cut stands where a line with text begins. */
export const lineCuts = (text: string): number[] =>
  [...text.matchAll(/\n(?=[^\n])/g)].map((match) => match.index + 1);
