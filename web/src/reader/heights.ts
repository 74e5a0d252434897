/** Heights of a long list's rows: guessed until they are drawn, then as measured. */
export class Heights {
  readonly #heights: Float64Array;
  readonly #measured: Uint8Array;
  #tops: Float64Array | null = null;

  constructor(guesses: readonly number[]) {
    this.#heights = Float64Array.from(guesses);
    this.#measured = new Uint8Array(guesses.length);
  }

  get total(): number {
    return this.top(this.#heights.length);
  }

  top(index: number): number {
    this.#tops ??= this.#sums();
    return this.#tops[index] ?? 0;
  }

  /** The row at this height. */
  at(height: number): number {
    let low = 0;
    let high = this.#heights.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= height) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  /** By how much the row is taller than was thought. */
  measure(index: number, height: number): number {
    const change = height - this.#heights[index]!;
    if (Math.abs(change) < 0.5 && this.#measured[index]) return 0;
    this.#measured[index] = 1;
    if (Math.abs(change) < 0.5) return 0;
    this.#heights[index] = height;
    this.#tops = null;
    return change;
  }

  #sums(): Float64Array {
    const tops = new Float64Array(this.#heights.length + 1);
    for (let at = 0; at < this.#heights.length; at++) tops[at + 1] = tops[at]! + this.#heights[at]!;
    return tops;
  }
}
