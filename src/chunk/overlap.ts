import type { Span } from '../model/tree.js';
import { safeCutAfter } from '../text/graphemes.js';
import { sentenceStarts } from '../text/sentences.js';
import { coreLength, type Part } from './divide.js';
import type { Item } from './items.js';
import type { ChunkSettings } from './settings.js';
import { isSpace, type Visible } from './visible.js';

/**
 * Where a chunk begins when it repeats the end of the part before it. The repeated length is a constant of the settings,
 * not a share of the part: a change at that part's beginning must not reach the chunk after it. A sentence, item or line
 * that begins near the wanted place is preferred; fitting code and tables are never repeated in pieces.
 */
export function overlapStart(
  visible: Visible,
  before: Part,
  part: Part,
  items: readonly Item[],
  settings: ChunkSettings,
): number {
  const { text } = visible;
  if (startsWithHeading(part, items)) return part.start;
  const wanted = overlapLength(settings, part.window);
  const room = settings.max - (part.end - part.start) - gapBetween(before, part);
  const most = Math.min(
    room,
    part.window ? wanted : Math.round((wanted * 4) / 3),
    before.end - before.start - 1,
  );
  if (wanted < 1 || most < wanted / 2) return part.start;
  const floor = Math.max(
    before.end - most,
    visible.excludedUntil(before.end),
    repeatableFrom(before, items, settings.max),
  );
  if (before.end - floor < wanted / 2) return part.start;
  const target = Math.max(before.end - wanted, floor);
  if (part.window) return safeCutAfter(text, target, before.start);
  const best = startNear(text, target, floor, before.end - Math.round((wanted * 2) / 3), items);
  return best >= 0 ? best : wordStart(text, target, before);
}

/** A new section does not begin with the end of another. */
function startsWithHeading(part: Span, items: readonly Item[]): boolean {
  const first = items[lastBefore(items, part.start + 1)];
  return first !== undefined && first.level > 0 && part.start < first.end;
}

const gapBetween = (before: Span, part: Span): number => Math.max(0, part.start - before.end);

/** Windows repeat the ratio of `max`; other parts are mostly 0.5 to 0.8 of the core long, and repeat the ratio of 0.65. */
const overlapLength = (settings: ChunkSettings, window: boolean): number =>
  Math.round(settings.overlap * (window ? settings.max : 0.65 * coreLength(settings)));

/** The end of the last thing in the part that is not repeated: a heading, fitting code, a table. */
function repeatableFrom(before: Span, items: readonly Item[], max: number): number {
  const from = before.start;
  for (let index = lastBefore(items, before.end); index >= 0 && items[index]!.end > before.start; index--) {
    const { level, block, start, end } = items[index]!;
    const solid =
      level > 0 ||
      block?.type === 'table' ||
      block?.type === 'html' ||
      (block?.type === 'code' && end - start <= max);
    if (solid) return Math.max(from, Math.min(end, before.end));
    if (start <= from) break;
  }
  return from;
}

function lastBefore(items: readonly Item[], at: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.start < at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The beginning of a sentence, block, item or line of code in [from, to] that is nearest to `target`, or -1. */
function startNear(text: string, target: number, from: number, to: number, items: readonly Item[]): number {
  let best = -1;
  const consider = (start: number): void => {
    const at = skipSpace(text, start);
    if (at <= to && (best < 0 || Math.abs(at - target) < Math.abs(best - target))) best = at;
  };
  for (let index = lastBefore(items, to + 1); index >= 0 && items[index]!.end > from; index--) {
    const { block, start, end } = items[index]!;
    if (start >= from) consider(start);
    const low = Math.max(from, start);
    const high = Math.min(to + 1, end);
    const cuts = block?.cuts ?? NONE;
    for (let cut = firstFrom(cuts, low); cut < cuts.length && cuts[cut]! < high; cut++) consider(cuts[cut]!);
    if (block?.type === 'code') {
      for (let at = text.indexOf('\n', low); at >= 0 && at + 1 < high; at = text.indexOf('\n', at + 1))
        consider(at + 1);
    } else {
      // A sentence is recognised by what stands before it, so a little more is read.
      for (const at of sentenceStarts(text, Math.max(start, low - 16), high)) if (at >= low) consider(at);
    }
  }
  return best;
}

const NONE: readonly number[] = [];

function firstFrom(cuts: readonly number[], at: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The beginning of the word at or after `target`, or a grapheme's where no word begins soon. */
function wordStart(text: string, target: number, before: Span): number {
  for (let at = target; at < before.end && at - target < 48; at++) {
    if (at > 0 && isSpace(text.charCodeAt(at - 1)) && !isSpace(text.charCodeAt(at))) return at;
  }
  return safeCutAfter(text, target, before.start);
}
