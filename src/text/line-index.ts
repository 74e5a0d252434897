/** Line numbers (from 1) of a text's offsets. */
export class LineIndex {
  readonly #starts: Uint32Array;
  #last = 0;

  constructor(text: string) {
    this.#starts = lineStarts(text);
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

/** The index of the last of these ascending numbers that is not above `at`; -1 where the first is. */
export function lastAtOrBefore(
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
