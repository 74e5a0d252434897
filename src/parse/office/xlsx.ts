import { StrataError } from '../../model/errors.js';
import { CELL_COLUMNS, type Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { guessHeader } from '../html/table.js';
import type { ParseInput } from '../parser.js';
import { TracedText } from '../traced-text.js';
import { isOle, oleProblem } from './ole.js';
import { coreProperties, partText, relationships } from './opc.js';
import { type NumberKind, numberStyles, numberText, sharedStrings } from './xlsx-values.js';
import { readXml, type XmlHandler } from './xml.js';
import { openZip, type ZipArchive } from './zip.js';

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly part: string }[];
  readonly strings: readonly string[];
  readonly kinds: readonly NumberKind[];
  readonly date1904: boolean;
}

/** Excel workbooks: a section a sheet, its rows as tables with their header, values as the sheet shows them. */
export async function xlsxParser({ bytes, limits }: ParseInput): Promise<Tree> {
  if (isOle(bytes)) throw oleProblem(bytes);
  const zip = openZip(bytes, limits.expanded);
  const { nesting } = limits;
  const workbook = await readWorkbook(zip, nesting);
  const builder = new TreeBuilder();
  for (const { name, part } of workbook.sheets) {
    builder.page();
    builder.heading(1, name);
    const rows: Row[] = [];
    await readXml(zip.stream(part), part, nesting, sheetRows(workbook, rows));
    for (const group of groups(rows)) writeTable(builder, group);
    if (builder.length > limits.expanded)
      throw new StrataError('LIMIT', 'its text is longer than limits.expanded');
  }
  const { title, ...metadata } = await coreProperties(zip, nesting).catch(() => ({}) as never);
  const page_names = workbook.sheets.map(({ name }) => name);
  return builder.build({ format: 'xlsx', title: title ?? null, metadata, unit: 'cell', page_names });
}

async function readWorkbook(zip: ZipArchive, nesting: number): Promise<Workbook> {
  const main = (await relationships(zip, '', nesting)).find(({ type }) => type === 'officeDocument')?.target;
  const part = [main, 'xl/workbook.xml'].find((name) => name !== undefined && zip.has(name));
  const xml = part === undefined ? undefined : partText(zip, part);
  if (part === undefined || xml === undefined) throw new StrataError('CORRUPT', 'the zip holds no workbook');
  const related = await relationships(zip, part, nesting);
  const sheets: { name: string; part: string }[] = [];
  let date1904 = false;
  await readXml(xml, part, nesting, {
    open(name, attributes) {
      if (name === 'workbookPr') date1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet' || attributes.state === 'veryHidden') return;
      const target = related.find(({ id }) => id === attributes['r:id'])?.target;
      if (target !== undefined && zip.has(target)) sheets.push({ name: attributes.name ?? '', part: target });
    },
  });
  const strings: string[] = [];
  const kinds: NumberKind[] = [];
  for (const { type, target } of related) {
    if (type === 'sharedStrings') await readXml(zip.stream(target), target, nesting, sharedStrings(strings));
    if (type === 'styles') await readXml(zip.stream(target), target, nesting, numberStyles(kinds));
  }
  return { sheets, strings, kinds, date1904 };
}

interface Row {
  readonly number: number;
  /** Only cells with text, by column. */
  readonly cells: readonly { readonly column: number; readonly text: string }[];
}

function sheetRows(workbook: Workbook, rows: Row[]): XmlHandler {
  let cells: { column: number; text: string }[] = [];
  let rowNumber = 0;
  let column = -1;
  let type = 'n';
  let style = 0;
  let value = '';
  let reading = false;
  let phonetic = 0;
  return {
    open(name, attributes) {
      if (name === 'row') {
        rowNumber = Number(attributes.r) || rowNumber + 1;
        column = -1;
        cells = [];
      } else if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
        type = attributes.t ?? 'n';
        style = Number(attributes.s ?? 0);
        value = '';
      } else if (name === 'rPh') phonetic += 1;
      else if (name === 'v' || (name === 't' && phonetic === 0)) reading = true;
    },
    text(data) {
      if (reading) value += data;
    },
    close(name) {
      if (name === 'v' || name === 't') reading = false;
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 'c') {
        const text = cellText(workbook, type, style, value).trim();
        if (text !== '') cells.push({ column, text });
      } else if (name === 'row' && cells.length > 0) rows.push({ number: rowNumber, cells });
    },
  };
}

function cellText(
  { strings, kinds, date1904 }: Workbook,
  type: string,
  style: number,
  value: string,
): string {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : value === '' ? '' : 'FALSE';
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
  return type === 'n' ? numberText(value, kinds[style] ?? 'number', date1904) : value;
}

/** `BC12` → 54, from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.replace(/[^A-Za-z]/g, '').toUpperCase())
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Tables on a sheet are separated by empty rows. */
function groups(rows: readonly Row[]): Row[][] {
  const found: Row[][] = [];
  for (const row of rows) {
    const open = found.at(-1);
    if (open === undefined || row.number > open.at(-1)!.number + 1) found.push([row]);
    else open.push(row);
  }
  return found;
}

const WIDEST = 256;

function writeTable(builder: TreeBuilder, rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort(
    (a, b) => a - b,
  );
  const traced = ({ number }: Row, { column, text }: Row['cells'][number]): TracedText =>
    new TracedText().add(text, (number - 1) * CELL_COLUMNS + column);
  if (columns.length === 1) {
    for (const row of rows) builder.paragraph(traced(row, row.cells[0]!));
    return;
  }
  const place = new Map(columns.map((column, at) => [column, at]));
  const filled = rows.map((row) => {
    // A grid of thousands of columns is mostly empty: its cells are listed instead.
    if (columns.length > WIDEST) return row.cells.map((cell) => traced(row, cell));
    const texts: TracedText[] = [];
    for (const cell of row.cells) texts[place.get(cell.column)!] = traced(row, cell);
    return Array.from(texts, (text) => text ?? new TracedText());
  });
  const header = guessHeader(
    filled.slice(0, 8).map((row) => row.map(({ text }) => text)),
    2,
  );
  builder.table(filled, header);
}
