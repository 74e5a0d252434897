import { TracedText } from '../traced-text.js';
import type { Attributes } from './blocks.js';

/** One thing inside a table, kept until the table's end shows whether it holds data or lays out a page. */
export interface HtmlEvent {
  readonly name: string;
  readonly attributes?: Attributes;
  readonly close?: true;
  readonly text?: string;
  readonly line?: number | undefined;
}

export interface HtmlTable {
  readonly caption: TracedText;
  readonly rows: readonly (readonly TracedText[])[];
  readonly headerRows: number;
}

/** A cell longer than this is a page's column, not a datum: about a screen of text. */
const CELL_MAX = 2_000;
const SPAN_MAX = 50;
const ROWS_MAX = 1_000;
const STRUCTURE = new Set('table tbody thead tfoot tr td th caption colgroup col'.split(' '));
const INLINE = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr input'.split(
    ' ',
  ),
);

/** The table's rows; undefined where the table only lays out: one column, tables or headings or pages of text inside. */
export function readTable(events: readonly HtmlEvent[]): HtmlTable | undefined {
  if (/^(presentation|none)$/.test(events[0]?.attributes?.role ?? '')) return undefined;
  const reader = new TableReader();
  for (const event of events.slice(1)) {
    const isData = event.text === undefined ? reader.tag(event) : reader.text(event.text, event.line);
    if (!isData) return undefined;
  }
  return reader.end();
}

/** Its methods answer false where the table turns out to be for layout only. */
class TableReader {
  readonly #rows: TracedText[][] = [];
  #headerRows = 0;
  #inHead = false;
  #headerCells = 0;
  #cell: TracedText | undefined;
  #span = 1;
  #rowSpan = 1;
  /** How many rows below each column's last cell it still covers. */
  readonly #covered: number[] = [];
  readonly #caption = new TracedText();
  #inCaption = false;

  text(data: string, line?: number): boolean {
    const text = new TracedText().addLines(data, line);
    if (this.#cell !== undefined) this.#cell.append(text.replace(/\s+/g, ' '));
    else if (this.#inCaption) this.#caption.append(text);
    else return text.isBlank;
    return (this.#cell?.text.length ?? 0) <= CELL_MAX;
  }

  tag({ name, attributes, ...event }: HtmlEvent): boolean {
    const close = event.close === true;
    if (name === 'table') return close;
    if (/^h[1-6]$/.test(name) && this.#cell !== undefined) return false;
    if (name === 'tr') {
      this.#endRow();
      if (!close) this.#rows.push([]);
    } else if (name === 'thead') {
      this.#endRow();
      this.#inHead = !close;
    } else if (name === 'caption') this.#inCaption = !close;
    else if (name === 'td' || name === 'th') {
      this.#endCell();
      if (!close) this.#openCell(name, attributes ?? {});
    } else if (this.#cell !== undefined && !INLINE.has(name) && !STRUCTURE.has(name)) this.#cell.add(' ');
    return true;
  }

  end(): HtmlTable | undefined {
    this.#endRow();
    const filled = this.#rows.filter(hasText);
    const width = filled.reduce((widest, row) => Math.max(widest, row.length), 0);
    if (width < 2 && filled.length > 0) return undefined;
    const explicit = this.#rows.slice(0, this.#headerRows).filter(hasText).length;
    return {
      caption: this.#caption.replace(/\s+/g, ' '),
      rows: filled,
      headerRows: explicit > 0 ? explicit : guessHeader(filled.map((row) => row.map(({ text }) => text))),
    };
  }

  #openCell(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#cell = new TracedText();
    this.#span = Math.min(SPAN_MAX, Math.max(1, Number(attributes.colspan) || 1));
    this.#rowSpan = Math.min(ROWS_MAX, Math.max(1, Number(attributes.rowspan) || 1));
    if (name === 'th') this.#headerCells += this.#span;
  }

  #endCell(): void {
    if (this.#cell === undefined) return;
    const row = this.#rows.at(-1) ?? this.#rows[this.#rows.push([]) - 1]!;
    this.#coverColumns(row);
    for (let at = 0; at < this.#span; at += 1) this.#covered[row.length + at] = this.#rowSpan - 1;
    row.push(this.#cell.trim(), ...Array.from({ length: this.#span - 1 }, () => new TracedText()));
    this.#cell = undefined;
  }

  #endRow(): void {
    this.#endCell();
    const row = this.#rows.at(-1);
    if (row === undefined) return;
    if (row.length > 0) this.#coverColumns(row);
    const isHeader = this.#inHead || (row.length > 0 && this.#headerCells === row.length);
    if (isHeader && this.#headerRows === this.#rows.length - 1) this.#headerRows = this.#rows.length;
    this.#headerCells = 0;
  }

  /** Empty cells where cells of rows above reach down. */
  #coverColumns(row: TracedText[]): void {
    while ((this.#covered[row.length] ?? 0) > 0) {
      this.#covered[row.length]! -= 1;
      row.push(new TracedText());
    }
  }
}

const hasText = (row: readonly TracedText[]): boolean => row.some(({ text }) => text !== '');

/** Few authors mark the header row: a first row of distinct labels, none a number, above enough rows, is one. */
export function guessHeader(rows: readonly (readonly string[])[], least = 3): number {
  const [first] = rows;
  if (first === undefined || rows.length < least || first.length < 2) return 0;
  const labels = first.every(
    (text) => text.trim() !== '' && text.length <= 80 && !/^[-+\d.,%$€¥]+$/.test(text),
  );
  return labels && new Set(first).size === first.length ? 1 : 0;
}
