import { type LineMarks, packLineMarks } from '../model/line-marks.js';
import { type OcrFacts, ocrConfidence, ocrFactsOf } from '../model/ocr.js';
import type { Loc } from '../model/section.js';
import { CELL_COLUMNS, type SourceMap, type Tree } from '../model/tree.js';
import { LineIndex, lastAtOrBefore } from '../text/line-index.js';

/** What of a tree says where its text stands in the source. */
export type Placed = Pick<Tree, 'format' | 'text' | 'pages' | 'page_names' | 'source_map'> &
  Partial<Pick<Tree, 'metadata'>>;

/** What a format's `pages` are. */
const PAGE_FIELDS: Readonly<Record<string, 'slide' | 'cell' | 'chapter' | 'sheet'>> = {
  pptx: 'slide',
  jupyter: 'cell',
  epub: 'chapter',
  xlsx: 'sheet',
};

/** Where spans of a tree's text stand in the source. */
export class Places {
  readonly #tree: Placed;
  readonly #map: SourceMap | undefined;
  readonly #lines: LineIndex | undefined;
  readonly #ocr: OcrFacts | null;

  constructor(tree: Placed) {
    this.#tree = tree;
    this.#map = tree.source_map;
    this.#ocr = ocrFactsOf(tree.metadata ?? {});
    this.#lines = this.#map === undefined ? new LineIndex(tree.text) : undefined;
  }

  /** Where the text from `start` to `end` (exclusive) stands. */
  loc(start: number, end: number): Loc {
    const last = Math.max(start, end - 1);
    return { ...this.#page(start, last), ...this.#numbered(start, last) };
  }

  /** Undefined where the text is the file's: its own line breaks say it then. */
  lineMarks(start: number, end: number): LineMarks | undefined {
    if (this.#map?.unit !== 'line') return undefined;
    return packLineMarks([...this.#within(start, end - 1)]);
  }

  #page(start: number, last: number): Loc {
    const { pages, page_names, format } = this.#tree;
    if (pages.length === 0) return {};
    const field = PAGE_FIELDS[format] ?? 'page';
    const first = Math.max(0, lastAtOrBefore(pages, start));
    if (field === 'chapter' || field === 'sheet') {
      const name = page_names?.[first];
      return name === undefined ? {} : { [field]: name };
    }
    const final = Math.max(first, lastAtOrBefore(pages, last));
    const ocr = this.#ocr === null ? undefined : ocrConfidence(this.#ocr, first + 1, final + 1);
    return {
      [field]: first + 1,
      ...(final > first ? { [`${field}_end`]: final + 1 } : {}),
      ...(ocr === undefined ? {} : { ocr }),
    };
  }

  #numbered(start: number, last: number): Loc {
    if (this.#lines !== undefined)
      return { lines: { from: this.#lines.line(start), to: this.#lines.line(last) } };
    const numbers = Array.from(this.#within(start, last), ([, number]) => number);
    const [from] = numbers;
    const unit = this.#map?.unit;
    if (from === undefined || unit === null || unit === undefined) return {};
    if (unit === 'paragraph') return { paragraph: from };
    if (unit === 'cell') return { cells: cellRange(numbers) };
    return { lines: { from, to: numbers.reduce((most, number) => Math.max(most, number), from) } };
  }

  /** The marks that say where [start, last] stands, with offsets from `start`. */
  *#within(start: number, last: number): Generator<readonly [offset: number, number: number]> {
    const marks = this.#map?.marks ?? [];
    let low = 0;
    let high = marks.length / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (marks[2 * middle]! <= start) low = middle + 1;
      else high = middle;
    }
    for (let at = Math.max(0, low - 1); 2 * at < marks.length && marks[2 * at]! <= last; at++)
      yield [Math.max(0, marks[2 * at]! - start), marks[2 * at + 1]!];
  }
}

/** `B2:F40` of the cells' numbers (see SourceMap). */
function cellRange(cells: readonly number[]): string {
  const bounds = { top: Infinity, left: Infinity, bottom: 0, right: 0 };
  for (const cell of cells) {
    const row = Math.floor(cell / CELL_COLUMNS);
    const column = cell % CELL_COLUMNS;
    bounds.top = Math.min(bounds.top, row);
    bounds.bottom = Math.max(bounds.bottom, row);
    bounds.left = Math.min(bounds.left, column);
    bounds.right = Math.max(bounds.right, column);
  }
  const first = `${columnName(bounds.left)}${bounds.top + 1}`;
  const final = `${columnName(bounds.right)}${bounds.bottom + 1}`;
  return first === final ? first : `${first}:${final}`;
}

/** 0 → `A`, 54 → `BC`. */
function columnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}
