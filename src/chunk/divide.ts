import type { Span } from '../model/tree.js';
import { isPlain, safeCut } from '../text/graphemes.js';
import { type Boundary, blockBoundaries, innerBoundaries, lastBoundaries } from './boundaries.js';
import type { Item } from './items.js';
import type { ChunkSettings } from './settings.js';
import { isSpace, type Visible } from './visible.js';

/** A part of a piece that was too long, and how it was cut off from the one before it. */
export interface Part extends Span {
  /** A sliding window: no boundary of any kind was near. */
  readonly window: boolean;
}

/**
 * Divides a piece that is too long for one chunk. Boundaries are tried by rank and, among equals, in the order of a
 * hash of the text that follows them; one is taken where it leaves enough text on both sides. Packing from the start
 * would be simpler, but then one new sentence moves every later cut: here it moves those beside it.
 */
export function dividePiece(visible: Visible, items: readonly Item[], settings: ChunkSettings): Part[] {
  const { text } = visible;
  const { max } = settings;
  const core = coreLength(settings);
  const wide = Math.max(1, core >> 1);
  const narrow = Math.max(1, Math.min(settings.min, wide));
  let parts: Span[] = [{ start: items[0]!.start, end: items.at(-1)!.end }];
  /** Cuts the parts longer than `most`, first where much text is left on both sides, then where less is. */
  const cut = (most: number, boundaries: readonly Boundary[], needs: readonly number[]): boolean => {
    for (const need of needs) {
      if (parts.every((part) => lengthOf(part) <= most)) return true;
      parts = parts.flatMap((part) =>
        lengthOf(part) <= most ? part : take(visible, part, boundaries, need),
      );
    }
    return parts.every((part) => lengthOf(part) <= most);
  };
  const blocks = blockBoundaries(text, items);
  if (cut(core, blocks, [wide, narrow])) return parts.map(asPart);
  const inner = boundariesInside(text, items, parts, core, max);
  cut(core, inner, [wide, narrow]);
  // Large things with little around them: ever less text is asked for, so that the best cuts are still the first.
  for (const boundaries of [blocks, inner, lastBoundaries(text, items)]) cut(max, boundaries, halves(narrow));
  return parts.flatMap((part, index) =>
    lengthOf(part) <= max ? asPart(part) : windows(text, part, index > 0, settings),
  );
}

const lengthOf = ({ start, end }: Span): number => end - start;
const asPart = ({ start, end }: Span): Part => ({ start, end, window: false });

/** 400: 200, 100, … 1. */
function halves(need: number): number[] {
  const found: number[] = [];
  for (let half = need >> 1; half >= 1; half >>= 1) found.push(half);
  return found.length === 0 ? [1] : found;
}

/** What a part may hold so that the overlap still fits before it. */
export const coreLength = ({ max, overlap }: ChunkSettings): number =>
  Math.max(1, max - Math.round(max * overlap));

/** Boundaries inside the blocks of the parts that are longer than `most`. */
function boundariesInside(
  text: string,
  items: readonly Item[],
  parts: readonly Span[],
  most: number,
  max: number,
): Boundary[] {
  const found: Boundary[] = [];
  const long = parts.filter((part) => lengthOf(part) > most);
  let part = 0;
  for (const item of items) {
    while (part < long.length && long[part]!.end <= item.start) part++;
    const within = long[part];
    if (within === undefined || item.end <= within.start) continue;
    for (const boundary of innerBoundaries(text, item, max)) found.push(boundary);
  }
  return found;
}

/** Cuts `part` at boundaries inside it, with at least `need` of readable text between them and to both ends. */
function take(visible: Visible, part: Span, boundaries: readonly Boundary[], need: number): Span[] {
  const from = lowerBound(boundaries, part.start + 1);
  const to = lowerBound(boundaries, part.end);
  if (from >= to) return [part];
  const offsets = new Float64Array(to - from);
  for (let index = from; index < to; index++) offsets[index - from] = visible.before(boundaries[index]!.at);
  const blocked = new Uint8Array(to - from);
  /** No cut nearer than `need` to a place: neither to the ends nor to a cut that was taken. */
  const block = (place: number, low: number, high: number): void => {
    for (let near = high; near < blocked.length && offsets[near]! - place < need; near++) blocked[near] = 1;
    for (let near = low; near >= 0 && place - offsets[near]! < need; near--) blocked[near] = 1;
  };
  block(visible.before(part.start), -1, 0);
  block(visible.before(part.end), blocked.length - 1, blocked.length);
  const order: number[] = [];
  for (let index = 0; index < blocked.length; index++) if (blocked[index] === 0) order.push(index);
  order.sort((a, b) => compare(boundaries[from + a]!, boundaries[from + b]!) || a - b);
  const cuts: number[] = [];
  for (const index of order) {
    if (blocked[index] === 1) continue;
    cuts.push(boundaries[from + index]!.at);
    block(offsets[index]!, index, index);
  }
  return spansBetween(visible, part, cuts);
}

const compare = (a: Boundary, b: Boundary): number => a.rank - b.rank || b.key - a.key;

/** The spans between cuts, without white space and comments at their ends. */
function spansBetween(visible: Visible, part: Span, cuts: number[]): Span[] {
  if (cuts.length === 0) return [part];
  cuts.sort((a, b) => a - b);
  const spans: Span[] = [];
  let start = part.start;
  for (const cut of [...cuts, part.end]) {
    const span = visible.trim(start, cut);
    if (span !== null) spans.push(span);
    start = cut;
  }
  return spans;
}

function lowerBound(boundaries: readonly Boundary[], at: number): number {
  let low = 0;
  let high = boundaries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (boundaries[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Windows of `max` that overlap by the ratio (the overlap itself is added with all others, see overlap.ts). */
function windows(text: string, part: Span, follows: boolean, settings: ChunkSettings): Part[] {
  const core = coreLength(settings);
  const parts: Part[] = [];
  let start = part.start;
  for (let size = follows ? core : settings.max; part.end - start > size; size = core) {
    const end = wordCut(text, safeCut(text, start + size, start), start, size);
    parts.push({ start, end, window: parts.length > 0 });
    start = end;
  }
  parts.push({ start, end: part.end, window: parts.length > 0 });
  return parts;
}

/** Back to the end of a word, where one ends within the last eighth of the window. */
function wordCut(text: string, at: number, start: number, size: number): number {
  const code = text.charCodeAt(at - 1);
  if (isSpace(code) || !isPlain(code)) return at;
  for (let back = at; back > start && at - back < size / 8; back--) {
    if (isSpace(text.charCodeAt(back - 1))) return back;
  }
  return at;
}
