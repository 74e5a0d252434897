import type { Item } from './items.js';
import { keyAt } from './keys.js';
import type { ChunkSettings } from './settings.js';
import type { Visible } from './visible.js';

/** FAQ entries are short by nature: a question and its answer stand alone with an eighth of the usual minimum. */
const FAQ_PART = 8;

/**
 * The first cuts: before headings, and around code, tables and FAQ entries that carry enough text. The result is the
 * indexes of the items that begin a piece, 0 first.
 *
 * A cut is made where both sides keep enough text. Which cuts are tried first depends on the heading's level, on
 * whether its own text is enough, and then on a hash of the text there, never on what was cut before: so a change in
 * one place moves cuts only near it.
 */
export function cutPieces(
  text: string,
  items: readonly Item[],
  sizes: Sizes,
  faq: readonly number[] | null,
  settings: ChunkSettings,
): number[] {
  if (items.length === 0) return [];
  const { headings } = settings;
  if (headings !== 'all') return cutsAtLevel(items, headings.only);
  if (sizes.total < 2 * settings.min && sizes.length(0, items.length) <= settings.max) return [0];
  const candidates = candidateCuts(text, items, sizes, faq, settings);
  candidates.sort((a, b) => b.key - a.key);
  return acceptCuts(candidates, items.length, sizes, settings.min);
}

/** How much text lies between items, without what is excluded. */
export class Sizes {
  readonly total: number;
  readonly #items: readonly Item[];
  readonly #before: Float64Array;

  constructor(items: readonly Item[], visible: Visible) {
    const { length } = items;
    this.#items = items;
    this.#before = new Float64Array(length + 1);
    for (let index = 0; index < length; index++) this.#before[index] = visible.before(items[index]!.start);
    if (length > 0) this.#before[length] = visible.before(items[length - 1]!.end);
    this.total = this.between(0, items.length);
  }

  /** Readable text from the start of item `from` to the start of item `to`. */
  between(from: number, to: number): number {
    return this.#before[to]! - this.#before[from]!;
  }

  /** The length a chunk of the items [from, to) would have. */
  length(from: number, to: number): number {
    return this.#items[to - 1]!.end - this.#items[from]!.start;
  }
}

/** `h2`: from one heading of the level to the next; what holds nothing but headings joins what follows it. */
function cutsAtLevel(items: readonly Item[], level: number): number[] {
  const cuts = [0];
  const last = lastText(items);
  let hasText = false;
  for (let index = 0; index < last; index++) {
    const item = items[index]!;
    if (item.level === level && hasText) {
      cuts.push(index);
      hasText = false;
    }
    if (item.level === 0) hasText = true;
  }
  return cuts;
}

interface Candidate {
  readonly index: number;
  /** What each side must have. */
  readonly left: number;
  readonly right: number;
  readonly key: number;
}

function candidateCuts(
  text: string,
  items: readonly Item[],
  sizes: Sizes,
  faq: readonly number[] | null,
  settings: ChunkSettings,
): Candidate[] {
  const { min } = settings;
  const entry = Math.ceil(min / FAQ_PART);
  const last = lastText(items);
  const found: Candidate[] = [];
  for (let index = 1; index <= last; index++) {
    const item = items[index]!;
    const before = items[index - 1]!;
    // A heading never ends a chunk: neither its own text nor the next heading is cut off from it.
    if (before.level > 0) continue;
    const startsEntry = faq !== null && faq[index] === index;
    const endsEntry = faq !== null && faq[index - 1]! >= 0 && faq[index] !== faq[index - 1];
    const edge = settings.separate && (standsAlone(item, min) || standsAlone(before, min));
    if (item.level === 0 && !startsEntry && !endsEntry && !edge) continue;
    const rank = item.level > 0 ? 7 - highestLevel(items, index) : 0;
    const right = startsEntry ? entry : min;
    const left = endsEntry ? entry : min;
    const strong = hasOwnText(items, sizes, index, right) ? 1 : 0;
    found.push({
      index,
      left,
      right,
      key: (rank * 2 + strong) * 2 ** 32 + keyAt(text, item.start),
    });
  }
  return found;
}

const standsAlone = ({ block, start, end }: Item, min: number): boolean =>
  block !== null && (block.type === 'code' || block.type === 'table') && end - start >= min;

function lastText(items: readonly Item[]): number {
  let index = items.length - 1;
  while (index > 0 && items[index]!.level > 0) index--;
  return index;
}

/** The level of the highest heading in the run of headings that starts here. */
function highestLevel(items: readonly Item[], index: number): number {
  let level = 6;
  for (let at = index; at < items.length && items[at]!.level > 0; at++)
    level = Math.min(level, items[at]!.level);
  return level;
}

/** Whether there is enough text from here to the next heading that ends it. */
function hasOwnText(items: readonly Item[], sizes: Sizes, index: number, need: number): boolean {
  for (let at = index + 1; at < items.length; at++) {
    if (sizes.between(index, at) >= need) return true;
    if (items[at]!.level > 0 && items[at - 1]!.level === 0) return false;
  }
  return sizes.between(index, items.length) >= need;
}

function acceptCuts(candidates: readonly Candidate[], count: number, sizes: Sizes, reach: number): number[] {
  const accepted = new Array<Candidate | null>(count + 1).fill(null);
  /** Whether there is enough text between the candidate and the nearest cut, or the end, in one direction. */
  const hasRoom = (index: number, step: 1 | -1, need: number): boolean => {
    for (let at = index + step; ; at += step) {
      const size = Math.abs(sizes.between(index, at));
      if (at <= 0 || at >= count) return size >= need;
      const cut = accepted[at]!;
      if (cut !== null) return size >= Math.max(need, step < 0 ? cut.right : cut.left);
      if (size >= reach) return true;
    }
  };
  for (const candidate of candidates) {
    const { index, left, right } = candidate;
    if (hasRoom(index, -1, left) && hasRoom(index, 1, right)) accepted[index] = candidate;
  }
  const cuts = [0];
  for (const candidate of accepted) if (candidate !== null) cuts.push(candidate.index);
  return cuts;
}
