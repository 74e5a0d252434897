import type { Scorer } from './scorer.js';

/** What scoring reads of a posting list. Counts of a term that may be said in several ways are no whole numbers. */
export interface Postings {
  /** Slots of the unit table, ascending. */
  readonly units: Uint32Array;
  readonly body: Counts;
  readonly title: Counts;
  readonly length: number;
}

/** Bytes, as a rule: a list then takes six of them an entry. */
type Counts = Uint8Array | Uint32Array | Float64Array;

/** A window is 64 neighbouring slots: the chunks of a few documents, of which one or none has much to say of a term. */
const WINDOW_BITS = 6;
export const WINDOW = 2 ** WINDOW_BITS;
export const windowsOf = (slots: number): number => (slots + WINDOW - 1) >>> WINDOW_BITS;

/** A present term adds at least this to a bound, so that a window with a bound of nothing holds no term. */
export const LEAST = 1e-30;

/**
 * A posting list in memory, which knows the highest contribution that each window of units can get of it: windows that
 * cannot reach the best k are never looked into. A list with fewer entries than there are windows is short enough to be
 * read each time, and a table would be longer than the list.
 */
export class SlotList implements Postings {
  readonly units: Uint32Array;
  readonly body: Counts;
  readonly title: Counts;
  readonly length: number;
  /** Of each window, where its entries start; one more for the end. Null for a short list. */
  readonly #starts: Uint32Array | null;
  #maxima: { readonly key: string; readonly values: Float32Array } | null = null;
  /** The entries of the window that was looked up last. */
  from = 0;
  to = 0;

  constructor({ units, body, title, length }: Postings, slots: number) {
    this.units = units;
    this.body = body;
    this.title = title;
    this.length = length;
    const windows = windowsOf(slots);
    this.#starts = length < windows ? null : startsOf(units, length, windows);
  }

  /** With the table of windows, of which each has a start and a maximum. */
  get bytes(): number {
    const { units, body, title } = this;
    return units.byteLength + body.byteLength + title.byteLength + 2 * (this.#starts?.byteLength ?? 0);
  }

  /** Finds the entries of a window. */
  seek(window: number): void {
    const starts = this.#starts;
    if (starts !== null) {
      this.from = starts[window]!;
      this.to = starts[window + 1]!;
      return;
    }
    const { units, length } = this;
    this.from = advance(units, length, 0, window << WINDOW_BITS);
    let to = this.from;
    while (to < length && units[to]! >>> WINDOW_BITS === window) to++;
    this.to = to;
  }

  /** Adds to each window's bound the most that this list can contribute there. */
  addBounds(scorer: Scorer, factor: number, bounds: Float64Array): void {
    const scale = Math.max(factor, LEAST);
    if (this.#starts !== null) {
      const maxima = this.#maximaFor(scorer, this.#starts);
      for (let window = 0; window < maxima.length; window++) bounds[window]! += maxima[window]! * scale;
      return;
    }
    const { units, length } = this;
    for (let from = 0, to = 0; from < length; from = to) {
      const window = units[from]! >>> WINDOW_BITS;
      for (to = from + 1; to < length && units[to]! >>> WINDOW_BITS === window; ) to++;
      bounds[window]! += Math.max(scorer.most(this, from, to), LEAST) * scale;
    }
  }

  /** Raises to `level + 1` each window that stands at `level` and has an entry. */
  raise(levels: Uint8Array, level: number): void {
    const starts = this.#starts;
    if (starts !== null) {
      for (let window = 0; window < levels.length; window++)
        if (levels[window] === level && starts[window]! < starts[window + 1]!) levels[window] = level + 1;
      return;
    }
    for (let i = 0; i < this.length; i++) {
      const window = this.units[i]! >>> WINDOW_BITS;
      if (levels[window] === level) levels[window] = level + 1;
    }
  }

  #maximaFor(scorer: Scorer, starts: Uint32Array): Float32Array {
    if (this.#maxima?.key === scorer.key) return this.#maxima.values;
    const values = new Float32Array(starts.length - 1);
    for (let window = 0; window < values.length; window++) {
      const [from, to] = [starts[window]!, starts[window + 1]!];
      if (from < to) values[window] = Math.max(scorer.most(this, from, to), LEAST);
    }
    this.#maxima = { key: scorer.key, values };
    return values;
  }
}

function startsOf(units: Uint32Array, length: number, windows: number): Uint32Array {
  const starts = new Uint32Array(windows + 1);
  let at = 0;
  for (let window = 0; window < windows; window++) {
    starts[window] = at;
    const end = (window + 1) << WINDOW_BITS;
    while (at < length && units[at]! < end) at++;
  }
  starts[windows] = length;
  return starts;
}

/** The first place from `from` on whose unit is not below `slot`: steps that double, then halves. */
export function advance(units: Uint32Array, length: number, from: number, slot: number): number {
  let step = 1;
  while (from + step < length && units[from + step]! < slot) step *= 2;
  let low = from + (step >> 1);
  let high = Math.min(length, from + step + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (units[middle]! < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}
