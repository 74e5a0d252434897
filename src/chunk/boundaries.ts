import type { TreeBlock } from '../model/tree.js';
import { sentenceStarts } from '../text/sentences.js';
import type { Item } from './items.js';

/** Where a piece may be cut, the best kinds first. */
const HEADING = 0;
const BLOCK = 1;
const PART = 2;
const SENTENCE = 3;
const LINE = 4;

/** From this many on, boundaries stand outside the heap: a large piece may have millions. */
const MANY = 4_096;

/**
 * Offsets where a text may be cut, ascending, and the rank of each: filled again for every piece, since pieces are many.
 * Plain lists while they are short: every document needs some, and typed ones take longer to make than to fill.
 */
export class Boundaries {
  at: number[] | Uint32Array = [];
  rank: number[] | Uint8Array = [];
  count = 0;

  clear(): this {
    this.count = 0;
    return this;
  }

  add(at: number, rank: number): void {
    if (this.count >= MANY) this.#makeRoom();
    this.at[this.count] = at;
    this.rank[this.count] = rank;
    this.count++;
  }

  #makeRoom(): void {
    const { at, rank, count } = this;
    if (!Array.isArray(at) && count < at.length) return;
    this.at = new Uint32Array(count * 2);
    this.at.set(at);
    this.rank = new Uint8Array(count * 2);
    this.rank.set(rank);
  }

  /** The index of the first boundary at or after an offset. */
  from(offset: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Before headings and blocks. Never between a heading and what stands under it. */
export function addBlocks(found: Boundaries, items: readonly Item[]): void {
  for (let index = 1; index < items.length; index++) {
    const { start, level } = items[index]!;
    if (items[index - 1]!.level === 0) found.add(start, level > 0 ? HEADING : BLOCK);
  }
}

/**
 * Last of all, between a heading and what must stay whole under it, or what a long comment keeps from it: else the two
 * together would be too long.
 */
export function addLast(found: Boundaries, items: readonly Item[], max: number): void {
  for (let index = 1; index < items.length; index++) {
    const { block, start } = items[index]!;
    const { level, end } = items[index - 1]!;
    const whole = block !== null && (block.cuts !== undefined || isWhole(block));
    if (level > 0 && (whole || start - end > max / 4)) found.add(start, BLOCK);
  }
}

const isWhole = ({ type }: TreeBlock): boolean => type === 'code' || type === 'table';

/**
 * Inside one block: rows, items and nested blocks where the parser named them, sentences in prose, lines in what has no
 * sentences. What fits into `max` and may not be cut (a heading, code, a table, a list's item) has no boundaries inside.
 */
export function addInner(found: Boundaries, text: string, { block, start, end }: Item, max: number): void {
  if ((block === null || isWhole(block)) && end - start <= max) return;
  if (block?.type === 'code') addCodeLines(found, text, start, end);
  else if (block?.cuts !== undefined && block.cuts.length > 0)
    addParts(found, text, block.cuts, start, end, max);
  else addProse(found, text, start, end, max);
}

function addParts(
  found: Boundaries,
  text: string,
  cuts: readonly number[],
  start: number,
  end: number,
  max: number,
): void {
  let from = start;
  for (let index = 0; index <= cuts.length; index++) {
    const to = index < cuts.length ? cuts[index]! : end;
    if (to <= start || to > end) continue;
    if (to - from > max) addProse(found, text, from, to, max);
    if (to < end) found.add(to, PART);
    from = to;
  }
}

/** Code is best cut after a blank line. */
function addCodeLines(found: Boundaries, text: string, start: number, end: number): void {
  for (let at = text.indexOf('\n', start); at >= 0 && at + 1 < end; at = text.indexOf('\n', at + 1)) {
    found.add(at + 1, text.charCodeAt(at - 1) === 10 ? PART : SENTENCE);
  }
}

function addProse(found: Boundaries, text: string, start: number, end: number, max: number): void {
  let from = start;
  for (const to of sentenceStarts(text, start, end)) {
    if (to - from > max / 2) addLines(found, text, from, to);
    found.add(to, SENTENCE);
    from = to;
  }
  if (end - from > max / 2) addLines(found, text, from, end);
}

function addLines(found: Boundaries, text: string, start: number, end: number): void {
  for (let at = text.indexOf('\n', start); at >= 0 && at + 1 < end; at = text.indexOf('\n', at + 1)) {
    found.add(at + 1, LINE);
  }
}
