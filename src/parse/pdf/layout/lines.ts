import { ODD } from '../glyphs.js';
import { median, readingOrder } from './columns.js';
import { splitLineNumbers } from './margins.js';
import { extent, type Row } from './rows.js';
import { isCjk, type TurnedWords, type Word } from './words.js';

/** A line as it is read: within its column, with the cells that wide gaps part it into (one, for prose). */
export interface Line {
  readonly text: string;
  readonly cells: readonly Cell[];
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly size: number;
  readonly bold: boolean;
  readonly mono: boolean;
  /** The number of its page, from 0. */
  readonly page: number;
  /** Lines of one column in one band share it; counts over the whole page. */
  readonly region: number;
  /** Right edge of the region: says whether a line is full. */
  readonly regionRight: number;
  readonly regionLeft: number;
  /** Runs another way than the page's main text (a note in the margin, a stamp). */
  readonly aside: boolean;
  /** Line numbers in the margin, all of a page's as one line: kept, but no part of what is said. */
  readonly numbering: boolean;
}

type LinePlace = Pick<Line, 'page' | 'region' | 'regionLeft' | 'regionRight' | 'aside' | 'numbering'>;

export interface Cell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

// A gap wider than this many ems, and than twice the line's usual one, parts cells: the spaces of justified prose
// seldom reach it, and when they do they are all wide.
const CELL_GAP = 1.2;

/** The page's lines in reading order. `turn` is the way its main text runs. */
export function linesOf(groups: readonly TurnedWords[], page: number): { lines: Line[]; turn: number } {
  const lines: Line[] = [];
  const add = (rows: readonly Row[], aside: boolean, numbering: boolean): void => {
    const { left, right } = extent(rows);
    const region = (lines.at(-1)?.region ?? -1) + 1;
    const place: LinePlace = { page, region, regionLeft: left, regionRight: right, aside, numbering };
    for (const row of rows) lines.push(lineOf(row, place));
  };
  for (const [at, group] of groups.entries()) {
    if (group.turn === ODD) {
      add(oddRows(group), at > 0, false);
      continue;
    }
    const { text, numbers } = at === 0 ? splitLineNumbers(group.words) : { text: group.words, numbers: [] };
    for (const rows of readingOrder(text)) add(rows, at > 0, false);
    if (numbers.length > 0) {
      const { base, size } = numbers[0]!;
      add([{ words: numbers, base, size, ...extent(numbers) }], true, true);
    }
  }
  return { lines, turn: groups[0]?.turn ?? 0 };
}

function lineOf(row: Row, place: LinePlace): Line {
  const cells: Cell[] = [];
  const gaps = row.words.slice(1).map((word, at) => gapBetween(row.words[at]!, word));
  // The lower quartile: in a table's row the wide gaps may be the greater part.
  const usual = gaps.sort((a, b) => a - b)[gaps.length >> 2] ?? 0;
  const limit = Math.max(CELL_GAP * row.size, row.words.length > 3 ? 2 * usual : 0);
  const spread = isSpread(row.words);
  let from = 0;
  for (let at = 1; at <= row.words.length; at++) {
    const gap =
      at < row.words.length ? gapBetween(row.words[at - 1]!, row.words[at]!) : Number.POSITIVE_INFINITY;
    if (gap <= limit || (spread && at < row.words.length)) continue;
    const words = row.words.slice(from, at);
    cells.push({ text: joined(words, spread), ...extent(words) });
    from = at;
  }
  let [letters, bold, mono] = [0, 0, 0];
  for (const word of row.words) {
    const { length } = word.text;
    letters += length;
    if (word.bold) bold += length;
    if (word.mono) mono += length;
  }
  return {
    text: cells.length === 1 ? cells[0]!.text : cells.map((cell) => cell.text).join(' '),
    cells,
    left: row.left,
    right: row.right,
    base: row.base,
    size: row.size,
    bold: bold > 0.8 * letters,
    mono: mono > 0.9 * letters,
    page: place.page,
    region: place.region,
    regionLeft: place.regionLeft,
    regionRight: place.regionRight,
    aside: place.aside,
    numbering: place.numbering,
  };
}

/** Along the reading direction, whichever it is. */
const gapBetween = (a: Word, b: Word): number => Math.max(b.left - a.right, a.left - b.right);

/** A line of single ideographs set apart (`目  录`): the gaps are style, not words. */
function isSpread(words: readonly Word[]): boolean {
  if (words.length < 2 || !words.every((word) => [...word.text].length === 1 && isCjk(word.text)))
    return false;
  const gaps = words.slice(1).map((word, at) => gapBetween(words[at]!, word));
  return (
    Math.max(...gaps.slice(0, 50)) < 1.6 * Math.max(0.2, median(gaps)) && median(gaps) < 5 * words[0]!.size
  );
}

function joined(words: readonly Word[], spread: boolean): string {
  let text = words[0]?.text ?? '';
  for (let at = 1; at < words.length; at++) {
    const [before, here] = [words[at - 1]!, words[at]!];
    text += (spread || !needsSpace(before, here) ? '' : ' ') + here.text;
  }
  return text;
}

/** Ideographs are not separated by spaces; a gap of half a character or more between phrases is meant, though. */
function needsSpace(before: Word, here: Word): boolean {
  if (!isCjk(lastOf(before.text)) || !isCjk(firstOf(here.text))) return true;
  const single = [...before.text].length === 1 && [...here.text].length === 1;
  return gapBetween(before, here) > (single ? 1 : 0.5) * Math.max(before.size, here.size);
}

export const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 32);
export const lastOf = (text: string): string => {
  const tail = text.charCodeAt(text.length - 1);
  return tail >= 0xdc00 && tail < 0xe000 ? text.slice(-2) : text.slice(-1);
};

/** Text at odd angles has no common baseline: words follow each other as drawn, a jump starts a new line. */
function oddRows(group: TurnedWords): Row[] {
  const rows: { words: Word[]; left: number; right: number; base: number; size: number }[] = [];
  for (const word of group.words) {
    const row = rows.at(-1);
    const last = row?.words.at(-1);
    if (row && last && Math.hypot(word.left - last.left, word.base - last.base) < 8 * word.size)
      row.words.push(word);
    else rows.push({ words: [word], left: word.left, right: word.right, base: word.base, size: word.size });
  }
  return rows;
}
