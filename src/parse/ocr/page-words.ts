import type { TurnedWords, Word } from '../pdf/layout/words.js';
import type { ReadCharacter } from './ctc.js';
import type { Run } from './ink.js';
import type { ReadLine, ReadPicture } from './read-picture.js';

/** A picture's words where they stand, for the layout that pages with text go through, and how sure they are. */
export interface PageWords {
  readonly words: readonly TurnedWords[];
  /** 0–1, the mean over all characters; null where nothing was read. */
  readonly confidence: number | null;
}

/** A detected line is about this much higher than its font's size (tracemonkey.pdf, 9 and 18 points). */
const BOX_PER_SIZE = 1.35;
/** A line's middle stands above its baseline by this share of the size, whatever letters it has. */
const MIDDLE_ABOVE_BASE = 0.3;
/** Heights of lines in one size differ by which letters they hold; within this they are taken for the same. */
const SAME_SIZE = 0.2;

/** `unit` is the length of a pixel in points. */
export function pageWords(picture: ReadPicture, unit: number): PageWords {
  const lines = straightened(picture);
  const sizes = commonSizes(lines);
  const words = lines
    .map((line, at) => ({ ...line, size: sizes[at]! }))
    .sort((a, b) => a.y - b.y || a.left - b.left)
    .flatMap((line) => wordsOfLine(line))
    .map((word, order) => ({ ...word, order }));
  const scaled = words.map(
    (word): Word => ({
      ...word,
      left: word.left * unit,
      right: word.right * unit,
      base: (picture.height - word.base) * unit,
      size: word.size * unit,
    }),
  );
  return { words: scaled.length > 0 ? [{ turn: 0, words: scaled }] : [], confidence: confidenceOf(lines) };
}

/** A line on a page without skew: `y` is its middle. */
interface Straight {
  readonly left: number;
  readonly width: number;
  /** Shares of the width. */
  readonly ink: Run;
  readonly y: number;
  readonly height: number;
  readonly characters: readonly ReadCharacter[];
}

/** The page is turned back by the angle at which most of its text lies. */
function straightened({ lines }: ReadPicture): Straight[] {
  const angle = skewOf(lines);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return lines
    .filter(({ characters }) => characters.some(({ text }) => text.trim() !== ''))
    .map(({ box, ink, characters }) => {
      const left = box.x * cos + box.y * sin - box.width / 2;
      const y = box.y * cos - box.x * sin;
      return { left, width: box.width, ink, y, height: box.height, characters };
    });
}

/** The median over the long lines, by length: short ones lie as their letters do. */
export function skewOf(lines: readonly ReadLine[]): number {
  const long = lines
    .map(({ box }) => box)
    .filter(({ width, height }) => width > 4 * height)
    .sort((a, b) => a.angle - b.angle);
  const half = long.reduce((sum, { width }) => sum + width, 0) / 2;
  let passed = 0;
  for (const { angle, width } of long) {
    passed += width;
    if (passed >= half) return angle;
  }
  return 0;
}

/** Font sizes: those of about a height share the median of it, the size with most characters first. */
function commonSizes(lines: readonly Straight[]): number[] {
  const sizes = lines.map(({ height }) => height / BOX_PER_SIZE);
  const out = new Array<number>(lines.length).fill(0);
  let open = lines.map((_, at) => at);
  while (open.length > 0) {
    const middle = weightedMedian(
      open.map((at) => ({ value: sizes[at]!, weight: lines[at]!.characters.length })),
    );
    const same = open.filter((at) => Math.abs(sizes[at]! - middle) <= SAME_SIZE * middle);
    for (const at of same) out[at] = middle;
    open = open.filter((at) => !same.includes(at));
  }
  return out;
}

function weightedMedian(values: readonly { readonly value: number; readonly weight: number }[]): number {
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  for (const { value, weight } of sorted) {
    passed += weight;
    if (passed >= half) return value;
  }
  return sorted.at(-1)!.value;
}

/** Spaces part words. A character stands where the network saw it, and reaches half-way to its neighbours. */
function wordsOfLine(line: Straight & { readonly size: number }): Omit<Word, 'order'>[] {
  const { left, width, ink, size, characters } = line;
  const [from, to] = [left + ink.from * width, left + ink.to * width];
  const placed = characters.map(({ text, at }) => ({ text, middle: left + at * width }));
  const reach = (at: number): number => {
    const gaps = [placed[at - 1], placed[at + 1]]
      .filter((other) => other !== undefined)
      .map(({ middle }) => Math.abs(middle - placed[at]!.middle) / 2);
    return Math.min(0.5 * size, ...gaps);
  };
  const base = line.y + MIDDLE_ABOVE_BASE * size;
  const words: Omit<Word, 'order'>[] = [];
  let start = 0;
  for (let at = 0; at <= placed.length; at++) {
    if (at < placed.length && placed[at]!.text.trim() !== '') continue;
    if (at > start) {
      words.push({
        text: placed
          .slice(start, at)
          .map(({ text }) => text)
          .join(''),
        left: start === 0 ? from : Math.max(from, placed[start]!.middle - reach(start)),
        right: at === placed.length ? to : Math.min(to, placed[at - 1]!.middle + reach(at - 1)),
        base,
        size,
        bold: false,
        mono: false,
      });
    }
    start = at + 1;
  }
  return words;
}

function confidenceOf(lines: readonly Straight[]): number | null {
  const all = lines.flatMap(({ characters }) => characters);
  return all.length === 0 ? null : all.reduce((sum, { confidence }) => sum + confidence, 0) / all.length;
}
