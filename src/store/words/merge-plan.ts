import { type Segment, STAGE } from './segment.js';

/**
 * Which neighbouring segments to merge: few enough at each size that a search looks into a dozen, rarely enough that
 * a posting is rewritten a handful of times in its life (its level only grows). Only neighbours are merged, so that
 * segments stay disjoint ranges of units and lists are joined end to end.
 */
const SMALL_BYTES = 64 * 1024;
/** A document's commit gives some 15 KB: eight of them, then eight of those. Bigger ones cost searches more: four. */
const FAN_SMALL = 8;
const FAN_LARGE = 4;

export function levelOf(bytes: number): number {
  if (bytes < SMALL_BYTES) return 0;
  if (bytes < SMALL_BYTES * FAN_SMALL) return 1;
  return 2 + Math.floor(Math.log2(bytes / (SMALL_BYTES * FAN_SMALL)) / Math.log2(FAN_LARGE));
}

/**
 * What is merged into the largest source must be at least this part of it: an index of 250 MB is not written again for
 * every four small segments behind it. Without this, what a library writes grows with its square.
 */
const LEAST_PART = 1 / 4;

/** `segments` ascend by unit. `thorough` leaves one segment. Null: nothing is due. */
export function planMerge(segments: readonly Segment[], thorough = false): readonly Segment[] | null {
  const dying = segments.find(({ stage, units, dead }) => stage === STAGE.live && dead * 2 > units);
  if (dying !== undefined) return [dying];
  const levels = segments.map(({ bytes }) => levelOf(bytes));
  for (let level = 0; level <= Math.max(0, ...levels); level++) {
    let from = segments.length;
    while (from > 0 && levels[from - 1]! <= level && segments[from - 1]!.stage === STAGE.live) from--;
    const sources = segments.slice(from);
    const fan = thorough ? 2 : level < 2 ? FAN_SMALL : FAN_LARGE;
    if (sources.length >= fan && (thorough || isWorthwhile(sources))) return sources;
  }
  return null;
}

function isWorthwhile(sources: readonly Segment[]): boolean {
  const largest = Math.max(...sources.map(({ bytes }) => bytes));
  return bytesOf(sources) - largest >= LEAST_PART * largest;
}

export const bytesOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { bytes }) => sum + bytes, 0);
