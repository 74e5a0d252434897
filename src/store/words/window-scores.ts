import type { Scorer } from './scorer.js';
import { LEAST, type SlotList, WINDOW, windowsOf } from './slot-list.js';
import { Top } from './top.js';
import type { UnitTable } from './unit-table.js';

/** A term's list with what each of its contributions is multiplied by. */
export interface FactoredList {
  readonly list: SlotList;
  readonly factor: number;
}

/** One of these lists must hold a unit, for the unit to match. */
export type Gate = readonly SlotList[];

export interface ScoredSlot {
  readonly slot: number;
  readonly score: number;
}

/** Windows are taken in order of their bounds, coarsely: exact order costs more than a few windows too many. */
const BUCKETS = 512;
/** A hair of room: bounds are sums of rounded numbers, scores of exact ones, in another order. */
const ROOM = 1 + 1e-6;

/**
 * The best k of the units that some lists hold. Windows of units are scored one after the other, those with the highest bound
 * first, until none that is left can reach the best k: of a million units, a few thousand are scored. Contributions are
 * added in the order of the lists, so that every store adds them alike, to the last bit.
 */
export class WindowScores {
  #bounds = new Float64Array(0);
  #levels = new Uint8Array(0);
  #order = new Uint32Array(0);
  readonly #starts = new Uint32Array(BUCKETS + 1);
  readonly #scores = new Float64Array(WINDOW);
  readonly #marks = new Uint8Array(WINDOW);

  /** `gates`: each must let a unit through; without any, a unit matches that stands in one of the lists. */
  best(
    k: number,
    lists: readonly FactoredList[],
    gates: readonly Gate[],
    scorer: Scorer,
    table: UnitTable,
    passes: ((slot: number) => boolean) | null,
  ): readonly ScoredSlot[] {
    const windows = windowsOf(table.size);
    const highest = this.#bound(windows, lists, gates, scorer);
    const top = new Top(k, table);
    if (highest === 0) return [];
    const scale = (BUCKETS - 1) / highest;
    this.#sort(windows, scale);
    const [bounds, order] = [this.#bounds, this.#order];
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
      if (((bucket + 1) / scale) * ROOM < top.threshold) break;
      for (let i = this.#starts[bucket]!; i < this.#starts[bucket + 1]!; i++) {
        const window = order[i]!;
        if (bounds[window]! * ROOM < top.threshold) continue;
        this.#score(window, lists, gates, scorer);
        this.#offer(window, gates.length, top, passes);
      }
    }
    return top.ranked();
  }

  /** The most that a unit of each window can score; nothing where no unit matches. Gives the highest. */
  #bound(windows: number, lists: readonly FactoredList[], gates: readonly Gate[], scorer: Scorer): number {
    if (this.#bounds.length < windows) {
      this.#bounds = new Float64Array(windows * 2);
      this.#levels = new Uint8Array(windows * 2);
      this.#order = new Uint32Array(windows * 2);
    }
    const bounds = this.#bounds.subarray(0, windows).fill(0);
    for (const { list, factor } of lists) list.addBounds(scorer, factor, bounds);
    if (gates.length > 0) {
      const levels = this.#levels.subarray(0, windows).fill(0);
      for (const [level, gate] of gates.entries()) for (const list of gate) list.raise(levels, level);
      // Whoever is let through matches even with a score of nothing.
      for (let window = 0; window < windows; window++)
        bounds[window] = levels[window] === gates.length ? bounds[window]! + LEAST : 0;
    }
    let highest = 0;
    for (let window = 0; window < windows; window++) if (bounds[window]! > highest) highest = bounds[window]!;
    return highest;
  }

  /** Puts the windows that have a bound into buckets. */
  #sort(windows: number, scale: number): void {
    const [bounds, starts, order] = [this.#bounds, this.#starts, this.#order];
    starts.fill(0);
    for (let window = 0; window < windows; window++) {
      const bound = bounds[window]!;
      if (bound > 0) starts[(bound * scale) | 0]!++;
    }
    let sum = 0;
    for (let bucket = 0; bucket <= BUCKETS; bucket++) {
      sum += starts[bucket]!;
      starts[bucket] = sum;
    }
    for (let window = 0; window < windows; window++) {
      const bound = bounds[window]!;
      if (bound > 0) order[--starts[(bound * scale) | 0]!] = window;
    }
  }

  #score(window: number, lists: readonly FactoredList[], gates: readonly Gate[], scorer: Scorer): void {
    const [scores, marks] = [this.#scores.fill(0), this.#marks.fill(0)];
    for (let i = 0; i < lists.length; i++) {
      const { list, factor } = lists[i]!;
      list.seek(window);
      if (list.from < list.to) scorer.add(list, list.from, list.to, factor, scores, marks);
    }
    if (gates.length === 0) return;
    // From here on a mark says how many gates have let the unit through.
    marks.fill(0);
    for (let level = 0; level < gates.length; level++) {
      for (const list of gates[level]!) {
        list.seek(window);
        for (let i = list.from; i < list.to; i++) {
          const at = list.units[i]! % WINDOW;
          if (marks[at] === level) marks[at] = level + 1;
        }
      }
    }
  }

  #offer(window: number, gates: number, top: Top, passes: ((slot: number) => boolean) | null): void {
    const [scores, marks] = [this.#scores, this.#marks];
    const needed = Math.max(gates, 1);
    for (let at = 0; at < WINDOW; at++) {
      if (marks[at] !== needed || scores[at]! < top.threshold) continue;
      const slot = window * WINDOW + at;
      if (passes === null || passes(slot)) top.offer(slot, scores[at]!);
    }
  }
}
