import type { Span } from '../model/tree.js';

/**
 * How much of an excluded character counts as text when sizes are compared. It takes room in a chunk but gives nothing to
 * read: with 1, pages full of comments become fragments; with 0, chunks without room for text of their own, and one edit
 * moves many cuts (Kubernetes pages in Chinese: 9.0 %, 4.0 %, 4.3 % small chunks at 1, 0.5, 0; edits that changed more than
 * three chunks: 0.4 %, 0.2 %, 3.3 %).
 */
const HIDDEN_PART = 0.5;

/** A text as a reader sees it: white space and excluded ranges (comments, front matter) count for nothing. */
export class Visible {
  readonly text: string;
  readonly excluded: readonly Span[];
  /** How much is excluded before each range, and in all. */
  readonly #hidden: number[] = [0];
  /** Where the last range ends: most pages have front matter and nothing else that is excluded. */
  readonly #lastEnd: number;
  /** What all ranges take from the text after the last. */
  readonly #taken: number;
  #near = -1;

  constructor(text: string, excluded: readonly Span[]) {
    this.text = text;
    this.excluded = excluded;
    let hidden = 0;
    for (const { start, end } of excluded) {
      hidden += end - start;
      this.#hidden.push(hidden);
    }
    this.#lastEnd = excluded.at(-1)?.end ?? 0;
    this.#taken = hidden * (1 - HIDDEN_PART);
  }

  /** How much text there is before `at`, with excluded ranges at a part of their length. */
  before(at: number): number {
    if (at >= this.#lastEnd) return at - this.#taken;
    const index = this.#lastFrom(at);
    if (index < 0) return at;
    const within = Math.min(at, this.excluded[index]!.end) - this.excluded[index]!.start;
    return at - (this.#hidden[index]! + within) * (1 - HIDDEN_PART);
  }

  /** Whether [start, end) holds white space only. */
  isBlank(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (!isSpace(this.text.charCodeAt(at))) return false;
    return true;
  }

  /** Whether [start, end) has nothing excluded in it, and no white space at its ends. */
  isTight(start: number, end: number): boolean {
    if (start >= end || isSpace(this.text.charCodeAt(start)) || isSpace(this.text.charCodeAt(end - 1)))
      return false;
    if (start >= this.#lastEnd) return true;
    const last = this.#lastFrom(end);
    return last < 0 || this.excluded[last]!.end <= start;
  }

  /** [start, end) without white space and excluded ranges at its ends, or null where nothing is left. */
  trim(start: number, end: number): Span | null {
    if (start >= end) return null;
    const from = this.#skip(start, end);
    return from >= end ? null : { start: from, end: this.#back(from, end) };
  }

  /** The end of the last excluded range that starts before `at`, or 0. */
  excludedUntil(at: number): number {
    const index = this.#lastFrom(at);
    return index < 0 ? 0 : this.excluded[index]!.end;
  }

  #skip(start: number, end: number): number {
    let from = start;
    let range = start >= this.#lastEnd ? this.excluded.length : Math.max(0, this.#lastFrom(start + 1));
    while (from < end) {
      const next = range < this.excluded.length ? this.excluded[range]! : null;
      if (next !== null && next.start <= from) {
        from = Math.max(from, next.end);
        range++;
      } else if (isSpace(this.text.charCodeAt(from))) from++;
      else break;
    }
    return from;
  }

  #back(start: number, end: number): number {
    let to = end;
    let range = start >= this.#lastEnd ? -1 : this.#lastFrom(end);
    while (to > start) {
      // Never read at -1: that is no index but a name to look for, ten times slower.
      const last = range < 0 ? null : this.excluded[range]!;
      if (isSpace(this.text.charCodeAt(to - 1))) to--;
      else if (last === null) break;
      else if (last.start >= to) range--;
      else if (last.end >= to && last.start >= start) to = last.start;
      else break;
    }
    return to;
  }

  /** The last excluded range that starts before `at`, or -1. Most questions come in the order of the text. */
  #lastFrom(at: number): number {
    const { excluded } = this;
    const { length } = excluded;
    if (length === 0) return -1;
    const near = this.#near;
    if (near < 0 || excluded[near]!.start < at) {
      if (near + 1 >= length || excluded[near + 1]!.start >= at) return near;
      if (near + 2 >= length || excluded[near + 2]!.start >= at) {
        this.#near = near + 1;
        return near + 1;
      }
    }
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (excluded[middle]!.start < at) low = middle + 1;
      else high = middle;
    }
    this.#near = low - 1;
    return low - 1;
  }
}

/** White space as JavaScript's `\s` has it: a table, since the first rare one would undo what is compiled for the others. */
const SPACES = new Uint8Array(0x10000);
for (const code of [0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]) SPACES[code] = 1;
SPACES.fill(1, 0x09, 0x0e);
SPACES.fill(1, 0x2000, 0x200b);

export const isSpace = (code: number): boolean => SPACES[code] === 1;
