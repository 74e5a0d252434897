import type { Span } from '../model/tree.js';

/** A text as a reader sees it: white space and excluded ranges (comments, front matter) count for nothing. */
export class Visible {
  readonly text: string;
  readonly excluded: readonly Span[];
  /** How much is excluded before each range, and in all. */
  readonly #hidden: Float64Array;

  constructor(text: string, excluded: readonly Span[]) {
    this.text = text;
    this.excluded = excluded;
    this.#hidden = new Float64Array(excluded.length + 1);
    excluded.forEach(({ start, end }, index) => {
      this.#hidden[index + 1] = this.#hidden[index]! + (end - start);
    });
  }

  /** How much of the text before `at` is not excluded. */
  before(at: number): number {
    if (this.excluded.length === 0) return at;
    const index = this.#lastFrom(at);
    if (index < 0) return at;
    return (
      at - this.#hidden[index]! - (Math.min(at, this.excluded[index]!.end) - this.excluded[index]!.start)
    );
  }

  /** [start, end) without white space and excluded ranges at its ends, or null where nothing is left. */
  trim(start: number, end: number): Span | null {
    const from = this.#skip(start, end);
    return from >= end ? null : { start: from, end: this.#back(from, end) };
  }

  /** The last excluded range that starts before `at`, or null. */
  lastExcludedBefore(at: number): Span | null {
    return this.excluded[this.#lastFrom(at)] ?? null;
  }

  #skip(start: number, end: number): number {
    let from = start;
    let range = this.excluded.length === 0 ? 0 : Math.max(0, this.#lastFrom(start + 1));
    while (from < end) {
      const next = this.excluded[range];
      if (next !== undefined && next.start <= from) {
        from = Math.max(from, next.end);
        range++;
      } else if (isSpace(this.text.charCodeAt(from))) from++;
      else break;
    }
    return from;
  }

  #back(start: number, end: number): number {
    let to = end;
    let range = this.#lastFrom(end);
    while (to > start) {
      const last = this.excluded[range];
      if (isSpace(this.text.charCodeAt(to - 1))) to--;
      else if (last !== undefined && last.start >= to) range--;
      else if (last !== undefined && last.end >= to && last.start >= start) to = last.start;
      else break;
    }
    return to;
  }

  #lastFrom(at: number): number {
    let low = 0;
    let high = this.excluded.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.excluded[middle]!.start < at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** White space as JavaScript's `\s` has it. */
export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0x1680) return code === 0xa0;
  return (
    code === 0x3000 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x1680 ||
    code === 0xfeff
  );
}
