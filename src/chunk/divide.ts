import type { Span } from '../model/tree.js';
import { isPlain, safeCut } from '../text/graphemes.js';
import { type Boundary, blockBoundaries, innerBoundaries, lastBoundaries } from './boundaries.js';
import { type Item, isSpace } from './items.js';
import type { ChunkSettings } from './settings.js';

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
export function dividePiece(text: string, items: readonly Item[], settings: ChunkSettings): Part[] {
  const { max } = settings;
  const core = coreLength(settings);
  const wide = Math.max(1, core >> 1);
  const narrow = Math.max(1, Math.min(settings.min, wide));
  const piece = { start: items[0]!.start, end: items.at(-1)!.end };
  const fits = ({ start, end }: Span): boolean => end - start <= core;
  const cut = (
    parts: readonly Span[],
    done: (part: Span) => boolean,
    boundaries: readonly Boundary[],
    needs: readonly number[],
  ) =>
    needs.reduce(
      (left, need) => left.flatMap((part) => (done(part) ? part : take(text, part, boundaries, need))),
      [...parts],
    );
  const blocks = blockBoundaries(text, items);
  let parts = cut([piece], fits, blocks, [wide, narrow]);
  if (parts.every(fits)) return parts.map(asPart);
  const inner = innerBoundariesOf(
    text,
    items,
    parts.filter((part) => !fits(part)),
    max,
  );
  parts = cut(parts, fits, inner, [wide, narrow]);
  const short = (part: Span): boolean => part.end - part.start <= max;
  if (!parts.every(short)) {
    // Large things with little around them: ever less text is asked for, so that the best cuts are still the first.
    for (const boundaries of [blocks, lastBoundaries(text, items), inner])
      parts = cut(parts, short, boundaries, halves(narrow));
  }
  return parts.flatMap((part, index) =>
    short(part) ? asPart(part) : windows(text, part, index > 0, settings),
  );
}

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

function innerBoundariesOf(
  text: string,
  items: readonly Item[],
  parts: readonly Span[],
  max: number,
): Boundary[] {
  const found: Boundary[] = [];
  let part = 0;
  for (const item of items) {
    while (part < parts.length && parts[part]!.end <= item.start) part++;
    const within = parts[part];
    if (within === undefined || item.end <= within.start) continue;
    for (const boundary of innerBoundaries(text, item, max)) found.push(boundary);
  }
  return found;
}

/** Cuts `part` at boundaries inside it, each at least `need` from the next and from both ends. */
function take(text: string, part: Span, boundaries: readonly Boundary[], need: number): Span[] {
  const from = lowerBound(boundaries, part.start + need);
  const to = lowerBound(boundaries, part.end - need + 1);
  if (from >= to) return [part];
  const order = Array.from({ length: to - from }, (_, offset) => from + offset).sort(
    (a, b) => boundaries[a]!.rank - boundaries[b]!.rank || boundaries[b]!.key - boundaries[a]!.key || a - b,
  );
  const blocked = new Uint8Array(to - from);
  const cuts: number[] = [];
  for (const index of order) {
    if (blocked[index - from]) continue;
    const { at } = boundaries[index]!;
    cuts.push(at);
    for (let near = index; near < to && boundaries[near]!.at - at < need; near++) blocked[near - from] = 1;
    for (let near = index - 1; near >= from && at - boundaries[near]!.at < need; near--)
      blocked[near - from] = 1;
  }
  return spansBetween(
    text,
    part,
    cuts.sort((a, b) => a - b),
  );
}

/** The spans between cuts, without white space at their ends. */
function spansBetween(text: string, part: Span, cuts: readonly number[]): Span[] {
  const spans: Span[] = [];
  let start = part.start;
  for (const cut of [...cuts, part.end]) {
    let end = cut;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    if (end > start) spans.push({ start, end });
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
