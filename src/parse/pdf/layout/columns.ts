import { extent, type Row, rowsOf } from './rows.js';
import { isCjk, type Word } from './words.js';

/**
 * Reading order: which rows go together, and in what order. A page is cut at a gutter (a strip that few rows cross)
 * into bands: rows across the whole width are read as they stand, rows on both sides of the gutter column by column.
 * A table has gutters too; it is told from columns by how full its lines are and by the order in which the page
 * draws them (tables row by row, columns one after the other).
 */
export type Region = readonly Row[];

// A gutter narrower than this (in ems of the page's usual size) may be a space.
const GUTTER = 0.8;
const BIN = 2;

export function readingOrder(words: readonly Word[], depth = 0): Region[] {
  const rows = rowsOf(words);
  const gutter = depth < 4 && rows.length >= 4 ? findGutter(rows) : null;
  if (gutter === null) return rows.length > 0 ? [rows] : [];
  const bands = bandsAt(rows, gutter);
  if (!bands.some((band) => !band.across && readsAsColumns(band.rows, gutter, STRICT))) return [rows];
  const regions: Region[] = [];
  for (const band of bands) {
    if (band.across || !readsAsColumns(band.rows, gutter, LOOSE)) regions.push(band.rows);
    else {
      const [left, right] = sides(band.rows, gutter);
      regions.push(...readingOrder(left, depth + 1), ...readingOrder(right, depth + 1));
    }
  }
  return joinNeighbours(regions);
}

interface Gutter {
  readonly centre: number;
  readonly width: number;
  readonly em: number;
}

/** The strip with the most rows that have words on both sides of it, or on one side where others have the other. */
function findGutter(rows: readonly Row[]): Gutter | null {
  const em = median(rows.map((row) => row.size));
  const { left, right } = extent(rows);
  const bins = Math.ceil((right - left) / BIN);
  if (!(bins > 0) || bins > 5000) return null;
  const open = new Float64Array(bins);
  const before = new Float64Array(bins);
  const after = new Float64Array(bins);
  const add = (into: Float64Array, from: number, to: number): void => {
    const last = Math.min(bins - 1, Math.floor((to - left) / BIN) - 1);
    for (let bin = Math.max(0, Math.ceil((from - left) / BIN)); bin <= last; bin++) into[bin]! += 1;
  };
  for (const row of rows) {
    add(before, row.right, right);
    add(after, left, row.left);
    for (const gap of gapsOf(row)) if (gap.to - gap.from >= GUTTER * em) add(open, gap.from, gap.to);
  }
  const score = (bin: number): number => open[bin]! + Math.min(before[bin]!, after[bin]!);
  let best = 0;
  for (let bin = 0; bin < bins; bin++) if (score(bin) > score(best)) best = bin;
  if (score(best) < Math.max(3, 0.12 * rows.length)) return null;
  let [from, to] = [best, best];
  while (from > 0 && score(from - 1) >= 0.9 * score(best)) from--;
  while (to < bins - 1 && score(to + 1) >= 0.9 * score(best)) to++;
  const width = (to - from + 1) * BIN;
  return { centre: left + ((from + to + 1) / 2) * BIN, width, em };
}

function gapsOf(row: Row): { from: number; to: number }[] {
  const sorted = [...row.words].sort((a, b) => a.left - b.left);
  const gaps: { from: number; to: number }[] = [];
  let reach = sorted[0]!.right;
  for (const word of sorted.slice(1)) {
    if (word.left > reach) gaps.push({ from: reach, to: word.left });
    reach = Math.max(reach, word.right);
  }
  return gaps;
}

const crosses = (row: Row, gutter: Gutter): boolean => {
  if (row.right <= gutter.centre || row.left >= gutter.centre) return false;
  const wide = Math.max(GUTTER * gutter.em, Math.min(0.75 * gutter.width, 2 * gutter.em));
  const hasGap = gapsOf(row).some(
    (gap) => gap.from < gutter.centre && gap.to > gutter.centre && gap.to - gap.from >= wide,
  );
  return !hasGap && !isDrawnApart(row, gutter);
};

/**
 * A word too long for its column reaches into the gutter, and the row looks as if it went across the page. But the words
 * of one line are drawn one after the other, while between those of two columns the page draws other lines.
 */
function isDrawnApart(row: Row, gutter: Gutter): boolean {
  const [left, right] = sides([row], gutter);
  const [before, after] = [left.at(-1), right[0]];
  if (before === undefined || after === undefined) return false;
  const between = after.order - (before.order + before.text.length);
  const length = row.words.reduce((sum, word) => sum + word.text.length, 0);
  return between > 2 * length;
}

interface Band {
  readonly across: boolean;
  readonly rows: Row[];
}

function bandsAt(rows: readonly Row[], gutter: Gutter): Band[] {
  const bands: Band[] = [];
  for (const row of rows) {
    const across = crosses(row, gutter);
    const last = bands.at(-1);
    if (last?.across === across) last.rows.push(row);
    else bands.push({ across, rows: [row] });
  }
  return bands;
}

function sides(rows: readonly Row[], gutter: Gutter): [Word[], Word[]] {
  const words = rows.flatMap((row) => row.words).sort((a, b) => a.order - b.order);
  const isLeft = (word: Word): boolean => (word.left + word.right) / 2 < gutter.centre;
  return [words.filter(isLeft), words.filter((word) => !isLeft(word))];
}

/** How sure we must be: of the band that proves the gutter, and of the others on the same page. */
interface Certainty {
  readonly lines: number;
  readonly fill: number;
  readonly switches: number;
}
const STRICT: Certainty = { lines: 3, fill: 0.5, switches: 0.5 };
const LOOSE: Certainty = { lines: 1, fill: 0.2, switches: 1 };

function readsAsColumns(rows: readonly Row[], gutter: Gutter, need: Certainty): boolean {
  const halves = sides(rows, gutter).map((words) => rowsOf(words));
  if (halves.some((half) => half.length < need.lines)) return false;
  const full = halves.every((half) => fullness(half) >= need.fill && wordsPerRow(half) >= 2.5);
  const inTurn = switchesPerRow(rows, gutter);
  if (inTurn <= need.switches)
    return full || (inTurn <= 0.25 && halves.every((half) => wordsPerRow(half) >= 2));
  // Drawn row by row: columns only if every line is as wide as its column, as in a scan's text layer.
  return full && halves.every((half) => fullness(half) >= 0.75 && widthOf(half) >= 12 * gutter.em);
}

const widthOf = (rows: readonly Row[]): number => {
  const { left, right } = extent(rows);
  return right - left;
};

const fullness = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => sum + row.right - row.left, 0) / rows.length / (widthOf(rows) || 1);

/** Ideographs are written without spaces: two of them count as a word. */
const wordsPerRow = (rows: readonly Row[]): number =>
  rows.reduce(
    (sum, row) => sum + row.words.reduce((n, word) => n + (isCjk(word.text) ? word.text.length / 2 : 1), 0),
    0,
  ) / rows.length;

/** How often drawing goes from one side of the gutter to the other, a row. */
function switchesPerRow(rows: readonly Row[], gutter: Gutter): number {
  const words = rows.flatMap((row) => row.words).sort((a, b) => a.order - b.order);
  let switches = 0;
  let side: boolean | null = null;
  for (const word of words) {
    const here = (word.left + word.right) / 2 < gutter.centre;
    if (side !== null && here !== side) switches++;
    side = here;
  }
  return (switches - 1) / rows.length;
}

/** Bands that turned out not to be columns continue what stands before them. */
function joinNeighbours(regions: readonly Region[]): Region[] {
  const joined: Row[][] = [];
  for (const region of regions) {
    const last = joined.at(-1);
    const [above, below] = [last?.at(-1), region[0]];
    const sameColumn =
      above !== undefined && below !== undefined && below.base < above.base && overlap(last!, region) > 0.5;
    if (sameColumn) last!.push(...region);
    else joined.push([...region]);
  }
  return joined;
}

function overlap(a: readonly Row[], b: readonly Row[]): number {
  const [one, two] = [extent(a), extent(b)];
  const common = Math.min(one.right, two.right) - Math.max(one.left, two.left);
  return common / Math.max(1, one.right - one.left, two.right - two.left);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
