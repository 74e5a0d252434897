import type { Span } from '../model/tree.js';
import type { Boundaries } from './boundaries.js';
import { keyAt } from './keys.js';
import type { Visible } from './visible.js';

/** Up to this many boundaries the best one is looked for each time; more are sorted once. */
const FEW = 24;

/**
 * Chooses cuts. Boundaries are tried by rank and, among equals, in the order of a hash of the text that follows them; one
 * is taken where it leaves enough text on both sides. Packing from the start would be simpler, but then one new sentence
 * moves every later cut: here it moves those beside it.
 */
export class Selection {
  readonly #visible: Visible;
  // Kept from one choice to the next, since pieces are many and most are small.
  #places = new Float64Array(64);
  #keys = new Float64Array(64);
  #blocked = new Uint8Array(64);

  constructor(visible: Visible) {
    this.#visible = visible;
  }

  /** Offsets inside `part`, ascending, with at least `need` of readable text between them and to both ends. */
  choose(part: Span, boundaries: Boundaries, need: number): number[] {
    const from = boundaries.from(part.start + 1);
    const count = boundaries.from(part.end) - from;
    if (count === 0) return [];
    this.#reserve(count);
    const places = this.#places;
    for (let index = 0; index < count; index++)
      places[index] = this.#visible.before(boundaries.at[from + index]!);
    this.#block(this.#visible.before(part.start), -1, 0, count, need);
    this.#block(this.#visible.before(part.end), count - 1, count, count, need);
    let open = 0;
    for (let index = 0; index < count; index++) {
      if (this.#blocked[index] === 1) continue;
      open++;
      // Rank first (a lower one is better), then the text's own key.
      const rank = boundaries.rank[from + index]!;
      this.#keys[index] = keyAt(this.#visible.text, boundaries.at[from + index]!) - rank * 2 ** 32;
    }
    const chosen = open <= FEW ? this.#bestOfFew(count, need) : this.#bestOfMany(count, need);
    return chosen.map((index) => boundaries.at[from + index]!);
  }

  /** The one offset inside `part` with at least `need` on both sides that comes first by rank and key, or -1. */
  chooseOne(part: Span, boundaries: Boundaries, need: number): number {
    const low = this.#visible.before(part.start) + need;
    const high = this.#visible.before(part.end) - need;
    let best = -1;
    let bestKey = 0;
    for (
      let index = boundaries.from(part.start + 1);
      index < boundaries.count && boundaries.at[index]! < part.end;
      index++
    ) {
      const at = boundaries.at[index]!;
      const place = this.#visible.before(at);
      if (place < low || place > high) continue;
      const key = keyAt(this.#visible.text, at) - boundaries.rank[index]! * 2 ** 32;
      if (best >= 0 && key <= bestKey) continue;
      best = at;
      bestKey = key;
    }
    return best;
  }

  /** The offset inside `part` that leaves the most text on its smaller side, or -1. */
  chooseMiddle(part: Span, boundaries: Boundaries): number {
    const low = this.#visible.before(part.start);
    const high = this.#visible.before(part.end);
    let best = -1;
    let most = 0;
    for (
      let index = boundaries.from(part.start + 1);
      index < boundaries.count && boundaries.at[index]! < part.end;
      index++
    ) {
      const place = this.#visible.before(boundaries.at[index]!);
      const smaller = Math.min(place - low, high - place);
      if (smaller <= most) continue;
      best = boundaries.at[index]!;
      most = smaller;
    }
    return best;
  }

  #bestOfFew(count: number, need: number): number[] {
    const chosen: number[] = [];
    for (;;) {
      let best = -1;
      for (let index = 0; index < count; index++) {
        if (this.#blocked[index] === 0 && (best < 0 || this.#keys[index]! > this.#keys[best]!)) best = index;
      }
      if (best < 0) return chosen.length > 1 ? chosen.sort((a, b) => a - b) : chosen;
      chosen.push(best);
      this.#block(this.#places[best]!, best, best, count, need);
    }
  }

  #bestOfMany(count: number, need: number): number[] {
    const order: number[] = [];
    for (let index = 0; index < count; index++) if (this.#blocked[index] === 0) order.push(index);
    order.sort((a, b) => this.#keys[b]! - this.#keys[a]! || a - b);
    const chosen: number[] = [];
    for (const index of order) {
      if (this.#blocked[index] === 1) continue;
      chosen.push(index);
      this.#block(this.#places[index]!, index, index, count, need);
    }
    return chosen.sort((a, b) => a - b);
  }

  /** No cut nearer than `need` to a place: neither to the ends nor to a cut that was chosen. */
  #block(place: number, low: number, high: number, count: number, need: number): void {
    const places = this.#places;
    const blocked = this.#blocked;
    for (let near = high; near < count && places[near]! - place < need; near++) blocked[near] = 1;
    for (let near = low; near >= 0 && place - places[near]! < need; near--) blocked[near] = 1;
  }

  #reserve(count: number): void {
    if (this.#places.length < count) {
      this.#places = new Float64Array(count * 2);
      this.#keys = new Float64Array(count * 2);
      this.#blocked = new Uint8Array(count * 2);
    } else this.#blocked.fill(0, 0, count);
  }
}
