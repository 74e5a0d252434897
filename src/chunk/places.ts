/** Line numbers (from 1) and pages of offsets. */
export class Places {
  readonly #starts: Uint32Array;
  readonly #pages: readonly number[];
  #last = 0;

  constructor(text: string, pages: readonly number[]) {
    this.#starts = lineStarts(text);
    this.#pages = pages;
  }

  line(at: number): number {
    const starts = this.#starts;
    // Most questions come in the order of the text: the answer is near the last one.
    let index = this.#last;
    if (starts[index]! > at || (starts[index + 16] ?? Infinity) <= at) index = lastAtOrBefore(starts, at);
    else while (index + 1 < starts.length && starts[index + 1]! <= at) index++;
    this.#last = index;
    return index + 1;
  }

  /** The page, or undefined for formats without pages. */
  page(at: number): number | undefined {
    return this.#pages.length === 0 ? undefined : Math.max(0, lastAtOrBefore(this.#pages, at)) + 1;
  }

  /** Lines (inclusive) and pages of [start, end). */
  loc(start: number, end: number): { lines: { from: number; to: number }; page?: number; page_end?: number } {
    const last = Math.max(start, end - 1);
    const lines = { from: this.line(start), to: this.line(last) };
    const page = this.page(start);
    if (page === undefined) return { lines };
    const page_end = this.page(last)!;
    return page_end > page ? { page, page_end, lines } : { page, lines };
  }
}

function lineStarts(text: string): Uint32Array {
  let starts = new Uint32Array(16 + (text.length >> 5));
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (count === starts.length) {
      const grown = new Uint32Array(count * 2);
      grown.set(starts);
      starts = grown;
    }
    starts[count++] = at + 1;
  }
  return starts.subarray(0, count);
}

function lastAtOrBefore(
  starts: { readonly length: number; readonly [index: number]: number },
  at: number,
): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
