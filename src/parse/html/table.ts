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
  const rows: TracedText[][] = [];
  let headerRows = 0;
  let inHead = false;
  let headerCells = 0;
  let cell: TracedText | undefined;
  let span = 1;
  let rowSpan = 1;
  /** How many rows below each column's last cell it still covers. */
  const covered: number[] = [];
  const caption = new TracedText();
  let inCaption = false;

  /** Empty cells where cells of rows above reach down. */
  const coverColumns = (row: TracedText[]): void => {
    while ((covered[row.length] ?? 0) > 0) {
      covered[row.length]! -= 1;
      row.push(new TracedText());
    }
  };
  const endCell = (): void => {
    if (cell === undefined) return;
    const row = rows.at(-1) ?? rows[rows.push([]) - 1]!;
    coverColumns(row);
    for (let at = 0; at < span; at += 1) covered[row.length + at] = rowSpan - 1;
    row.push(cell.trim(), ...Array.from({ length: span - 1 }, () => new TracedText()));
    cell = undefined;
  };
  const endRow = (): void => {
    endCell();
    const row = rows.at(-1);
    if (row === undefined) return;
    if (row.length > 0) coverColumns(row);
    const isHeader = inHead || (row.length > 0 && headerCells === row.length);
    if (isHeader && headerRows === rows.length - 1) headerRows = rows.length;
    headerCells = 0;
  };

  for (const event of events.slice(1)) {
    const { name } = event;
    if (event.text !== undefined) {
      const text = new TracedText().addLines(event.text, event.line);
      if (cell !== undefined) cell.append(text.replace(/\s+/g, ' '));
      else if (inCaption) caption.append(text);
      else if (!text.isBlank) return undefined;
      if (cell !== undefined && cell.text.length > CELL_MAX) return undefined;
    } else if (name === 'table' && !event.close) return undefined;
    else if (/^h[1-6]$/.test(name) && cell !== undefined) return undefined;
    else if (name === 'tr') {
      endRow();
      if (!event.close) rows.push([]);
    } else if (name === 'thead') {
      endRow();
      inHead = !event.close;
    } else if (name === 'caption') inCaption = !event.close;
    else if (name === 'td' || name === 'th') {
      endCell();
      if (event.close) continue;
      cell = new TracedText();
      span = Math.min(SPAN_MAX, Math.max(1, Number(event.attributes?.colspan) || 1));
      rowSpan = Math.min(ROWS_MAX, Math.max(1, Number(event.attributes?.rowspan) || 1));
      if (name === 'th') headerCells += span;
    } else if (cell !== undefined && !INLINE.has(name) && !STRUCTURE.has(name)) cell.add(' ');
  }
  endRow();
  const filled = rows.filter((row) => row.some(({ text }) => text !== ''));
  const width = filled.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2 && filled.length > 0) return undefined;
  const explicit = rows.slice(0, headerRows).filter((row) => row.some(({ text }) => text !== '')).length;
  return {
    caption: caption.replace(/\s+/g, ' '),
    rows: filled,
    headerRows: explicit > 0 ? explicit : guessHeader(filled.map((row) => row.map(({ text }) => text))),
  };
}

/** Few authors mark the header row: a first row of distinct labels, none a number, above enough rows, is one. */
export function guessHeader(rows: readonly (readonly string[])[], least = 3): number {
  const [first] = rows;
  if (first === undefined || rows.length < least || first.length < 2) return 0;
  const labels = first.every(
    (text) => text.trim() !== '' && text.length <= 80 && !/^[-+\d.,%$€¥]+$/.test(text),
  );
  return labels && new Set(first).size === first.length ? 1 : 0;
}
