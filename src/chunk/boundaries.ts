import { sentenceStarts } from '../text/sentences.js';
import type { Item } from './items.js';
import { keyOf } from './keys.js';

/** Where a piece may be cut, the best kinds first. */
export const RANK = { heading: 0, block: 1, part: 2, sentence: 3, line: 4 } as const;

export interface Boundary {
  readonly at: number;
  readonly rank: number;
  /** Orders boundaries of one rank. */
  readonly key: number;
}

/** Before headings and blocks. Never between a heading and what stands under it. */
export function blockBoundaries(text: string, items: readonly Item[]): Boundary[] {
  const found: Boundary[] = [];
  for (let index = 1; index < items.length; index++) {
    const item = items[index]!;
    if (items[index - 1]!.level > 0) continue;
    const rank = item.level > 0 ? RANK.heading : RANK.block;
    found.push({ at: item.start, rank, key: keyOf(text, item.start, item.end) });
  }
  return found;
}

/** Last of all, between a heading and what must stay whole under it: else the two together would be too long. */
export function lastBoundaries(text: string, items: readonly Item[]): Boundary[] {
  const found: Boundary[] = [];
  for (let index = 1; index < items.length; index++) {
    const { block, start, end } = items[index]!;
    const whole =
      block !== null && (block.cuts !== undefined || block.type === 'code' || block.type === 'table');
    if (items[index - 1]!.level > 0 && whole)
      found.push({ at: start, rank: RANK.block, key: keyOf(text, start, end) });
  }
  return found;
}

/**
 * Inside one block: rows, items and nested blocks where the parser named them, sentences in prose, lines in what has no
 * sentences. What fits into `max` and may not be cut (code, a table, a list's item) has no boundaries inside.
 */
export function innerBoundaries(text: string, item: Item, max: number): Boundary[] {
  const { block, start, end } = item;
  if (block === null) return proseBoundaries(text, start, end, max);
  const whole = block.type === 'code' || block.type === 'table';
  if (whole && end - start <= max) return [];
  const cuts = partsWithin(block.cuts, start, end);
  if (cuts.length === 0)
    return whole ? lineBoundaries(text, start, end) : proseBoundaries(text, start, end, max);
  if (block.type === 'code') return cuts.map((at, index) => codeLine(text, at, cuts[index + 1] ?? end));
  const found: Boundary[] = [];
  const edges = [start, ...cuts, end];
  for (let part = 0; part + 1 < edges.length; part++) {
    const from = edges[part]!;
    const to = edges[part + 1]!;
    if (part > 0) found.push({ at: from, rank: RANK.part, key: keyOf(text, from, to) });
    if (to - from > max) for (const boundary of proseBoundaries(text, from, to, max)) found.push(boundary);
  }
  return found;
}

function partsWithin(cuts: readonly number[] | undefined, start: number, end: number): readonly number[] {
  return cuts === undefined ? [] : cuts.filter((at) => at > start && at < end);
}

/** Code is best cut after a blank line, before a line that is not indented. */
function codeLine(text: string, at: number, end: number): Boundary {
  const fresh = text.charCodeAt(at - 2) === 10;
  return { at, rank: fresh ? RANK.part : RANK.sentence, key: keyOf(text, at, end) };
}

function proseBoundaries(text: string, start: number, end: number, max: number): Boundary[] {
  const starts = sentenceStarts(text, start, end);
  const found: Boundary[] = [];
  let from = start;
  for (let index = 0; index <= starts.length; index++) {
    const to = starts[index] ?? end;
    if (to - from > max / 2) for (const boundary of lineBoundaries(text, from, to)) found.push(boundary);
    if (index < starts.length)
      found.push({ at: to, rank: RANK.sentence, key: keyOf(text, to, starts[index + 1] ?? end) });
    from = to;
  }
  return found;
}

function lineBoundaries(text: string, start: number, end: number): Boundary[] {
  const found: Boundary[] = [];
  for (let at = text.indexOf('\n', start); at >= 0 && at + 1 < end; ) {
    const next = text.indexOf('\n', at + 1);
    const to = next < 0 || next > end ? end : next;
    found.push({ at: at + 1, rank: RANK.line, key: keyOf(text, at + 1, to) });
    at = next;
  }
  return found;
}
