import { Top } from './top.js';
import type { UnitTable } from './unit-table.js';
import type { Postings } from './ways.js';

/** A candidate's search in a list costs as much as reading so many of its entries (measured on lists of 10,000 to 300,000). */
const SEEK_COST = 16;

/**
 * Scores of one query, term at a time: flat arrays with a place for every unit. A slot's score counts only when it
 * is stamped with the current query, so nothing has to be cleared between queries.
 */
export class Accumulator {
  #scores = new Float64Array(0);
  #stamps = new Uint32Array(0);
  /** Slots with a score, in the order they were met. */
  #touched = new Uint32Array(0);
  #stamp = 0;
  size = 0;
  /** No slot is taken in any more; those that have a score still grow. */
  isClosed = false;
  /** Once closed, the touched slots are put in order when that is first needed; letting some go keeps the order. */
  #isSorted = false;

  /** For a table with so many slots. */
  start(slots: number): this {
    if (this.#scores.length < slots || this.#stamp > 0xfffffff0) {
      this.#scores = new Float64Array(slots);
      this.#stamps = new Uint32Array(slots);
      this.#touched = new Uint32Array(slots);
      this.#stamp = 0;
    }
    this.#stamp++;
    this.size = 0;
    this.isClosed = false;
    this.#isSorted = false;
    return this;
  }

  /** Takes in, with a score of nothing, what stands in all of the lists and passes; then closes. */
  admit(lists: readonly Postings[], passes: ((slot: number) => boolean) | null): void {
    const [smallest, ...others] = [...lists].sort((a, b) => a.length - b.length);
    const { units, length } = smallest!;
    for (let i = 0; i < length; i++) {
      const slot = units[i]!;
      if (passes !== null && !passes(slot)) continue;
      this.#stamps[slot] = this.#stamp;
      this.#scores[slot] = 0;
      this.#touched[this.size++] = slot;
    }
    this.isClosed = true;
    for (const list of others) this.keepOnly([list]);
  }

  /** Takes in, with a score of nothing, what stands in one of the lists and passes; then closes. */
  admitAny(lists: readonly Postings[], passes: ((slot: number) => boolean) | null): void {
    for (const { units, length } of lists) {
      for (let i = 0; i < length; i++) {
        const slot = units[i]!;
        if (this.#stamps[slot] === this.#stamp || (passes !== null && !passes(slot))) continue;
        this.#stamps[slot] = this.#stamp;
        this.#scores[slot] = 0;
        this.#touched[this.size++] = slot;
      }
    }
    this.isClosed = true;
  }

  /** Lets go what stands in none of the lists. */
  keepOnly(lists: readonly Postings[]): void {
    const [stamps, touched, before] = [this.#stamps, this.#touched, this.#stamp];
    this.#stamp++;
    for (const { units, length } of lists) {
      for (let i = 0; i < length; i++) if (stamps[units[i]!] === before) stamps[units[i]!] = this.#stamp;
    }
    let kept = 0;
    for (let i = 0; i < this.size; i++)
      if (stamps[touched[i]!] === this.#stamp) touched[kept++] = touched[i]!;
    this.size = kept;
  }

  /** The same arithmetic as `bm25Contribution`, in one loop. */
  addBm25(list: Postings, factor: number, saturations: Float64Array, titleWeight: number): void {
    const { units, body, title, length } = list;
    if (this.#isWorthSeeking(length)) {
      this.#seek(list, (slot, at) => {
        const tf = body[at]! + titleWeight * title[at]!;
        this.#scores[slot]! += (factor * tf) / (tf + saturations[slot]!);
      });
      return;
    }
    const [scores, stamps, touched, stamp] = [this.#scores, this.#stamps, this.#touched, this.#stamp];
    let { size } = this;
    const { isClosed } = this;
    for (let i = 0; i < length; i++) {
      const slot = units[i]!;
      const isKnown = stamps[slot] === stamp;
      if (isClosed && !isKnown) continue;
      const tf = body[i]! + titleWeight * title[i]!;
      const score = (factor * tf) / (tf + saturations[slot]!);
      if (isKnown) {
        scores[slot]! += score;
      } else {
        stamps[slot] = stamp;
        scores[slot] = score;
        touched[size++] = slot;
      }
    }
    this.size = size;
  }

  /** The same arithmetic as `tfidfContribution`. */
  addTfidf(list: Postings, factor: number, norms: Float32Array): void {
    const { units, body, title, length } = list;
    if (this.#isWorthSeeking(length)) {
      this.#seek(list, (slot, at) => {
        this.#scores[slot]! += (factor * (1 + Math.log(body[at]! + title[at]!))) / norms[slot]!;
      });
      return;
    }
    const [scores, stamps, touched, stamp] = [this.#scores, this.#stamps, this.#touched, this.#stamp];
    let { size } = this;
    const { isClosed } = this;
    for (let i = 0; i < length; i++) {
      const slot = units[i]!;
      const isKnown = stamps[slot] === stamp;
      if (isClosed && !isKnown) continue;
      const score = (factor * (1 + Math.log(body[i]! + title[i]!))) / norms[slot]!;
      if (isKnown) {
        scores[slot]! += score;
      } else {
        stamps[slot] = stamp;
        scores[slot] = score;
        touched[size++] = slot;
      }
    }
    this.size = size;
  }

  /** When few candidates are left, looking each of them up beats reading a long list. */
  #isWorthSeeking(length: number): boolean {
    return this.isClosed && this.size * SEEK_COST < length;
  }

  /** Calls back for every candidate that stands in the list, with its place there. Candidates and list both ascend. */
  #seek({ units, length }: Postings, found: (slot: number, at: number) => void): void {
    this.#sortTouched();
    let low = 0;
    for (let i = 0; i < this.size; i++) {
      const slot = this.#touched[i]!;
      // Steps that double, then halves: the next candidate is seldom far from the one before.
      let step = 1;
      while (low + step < length && units[low + step]! < slot) step *= 2;
      let high = Math.min(length, low + step + 1);
      low += step >> 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (units[middle]! < slot) low = middle + 1;
        else high = middle;
      }
      if (low === length) return;
      if (units[low] === slot) found(slot, low);
    }
  }

  #sortTouched(): void {
    if (this.#isSorted) return;
    this.#touched.subarray(0, this.size).sort();
    this.#isSorted = true;
  }

  /**
   * When the k-th best score is above `ahead`, the most that can still be added, then no slot without a score can
   * reach the best k: close, and let go those that can no longer reach the k-th either.
   */
  closeAbove(ahead: number, k: number, passes: ((slot: number) => boolean) | null): void {
    const [scores, stamps, touched] = [this.#scores, this.#stamps, this.#touched];
    const best = new Best(k);
    for (let i = 0; i < this.size; i++) {
      const slot = touched[i]!;
      const score = scores[slot]!;
      if (score > best.least && (passes === null || passes(slot))) best.offer(score);
    }
    if (!(best.least > ahead)) return;
    // A hair of room: sums of the same numbers in another order differ in their last bits.
    const needed = (best.least - ahead) * (1 - 1e-9);
    let kept = 0;
    for (let i = 0; i < this.size; i++) {
      const slot = touched[i]!;
      if (scores[slot]! >= needed && (passes === null || passes(slot))) touched[kept++] = slot;
      else stamps[slot] = 0;
    }
    this.size = kept;
    this.isClosed = true;
  }

  /** The best k of those that pass. */
  best(
    k: number,
    table: UnitTable,
    passes: ((slot: number) => boolean) | null,
  ): { slot: number; score: number }[] {
    const [scores, touched, size] = [this.#scores, this.#touched, this.size];
    const top = new Top(k, table);
    let threshold = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < size; i++) {
      const slot = touched[i]!;
      const score = scores[slot]!;
      if (score < threshold || (passes !== null && !passes(slot))) continue;
      top.offer(slot, score);
      threshold = top.threshold;
    }
    return top.ranked();
  }
}

/** The k-th best of some numbers: a heap with the least on top. */
class Best {
  readonly #heap: Float64Array;
  #size = 0;

  constructor(k: number) {
    this.#heap = new Float64Array(k);
  }

  /** -Infinity until there are k. */
  get least(): number {
    return this.#size < this.#heap.length ? Number.NEGATIVE_INFINITY : this.#heap[0]!;
  }

  /** For a number above `least`. */
  offer(value: number): void {
    const heap = this.#heap;
    if (this.#size < heap.length) {
      let i = this.#size++;
      for (; i > 0 && heap[(i - 1) >> 1]! > value; i = (i - 1) >> 1) heap[i] = heap[(i - 1) >> 1]!;
      heap[i] = value;
      return;
    }
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = value;
  }
}
