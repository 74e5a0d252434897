import { decodeUtf8 } from './decode.js';
import { unitsOf } from './json-bytes.js';

/** Below this many bytes a loop is faster than asking for a copy. */
const SHORT = 48;

/**
 * A text that is put together from pieces of a file's bytes, as bytes: outside the heap, and with no string for each
 * piece. Lengths and offsets are in UTF-16 units, as in every other text.
 */
export class Utf8Text {
  length = 0;
  #bytes: Buffer;
  #size = 0;

  /** `room`: how many bytes it will probably have. (What is not written to takes no memory.) */
  constructor(room: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(64, room));
  }

  /** How many newlines it ends with, at most two. */
  get newlines(): number {
    if (this.#bytes[this.#size - 1] !== 10 || this.#size === 0) return 0;
    return this.#size > 1 && this.#bytes[this.#size - 2] === 10 ? 2 : 1;
  }

  push(text: string): void {
    const { length } = text;
    this.#reserve(length * 3);
    this.length += length;
    if (length <= SHORT) {
      const from = this.#size;
      let at = 0;
      for (; at < length; at++) {
        const code = text.charCodeAt(at);
        if (code > 127) break;
        this.#bytes[from + at] = code;
      }
      if (at === length) {
        this.#size = from + length;
        return;
      }
    }
    this.#size += this.#bytes.write(text, this.#size);
  }

  /** UTF-8 from `start` to `end`. */
  pushBytes(bytes: Buffer, start: number, end: number, isAscii: boolean): void {
    const size = end - start;
    this.#reserve(size);
    if (size > SHORT) bytes.copy(this.#bytes, this.#size, start, end);
    else for (let at = 0; at < size; at++) this.#bytes[this.#size + at] = bytes[start + at]!;
    this.#size += size;
    this.length += isAscii ? size : unitsOf(bytes, start, end);
  }

  /** The whole; what it was made of is gone with it. */
  take(): string {
    const bytes = this.#bytes.subarray(0, this.#size);
    this.#bytes = Buffer.alloc(0);
    return this.length === bytes.length ? bytes.toString('latin1') : decodeUtf8(bytes);
  }

  #reserve(more: number): void {
    const least = this.#size + more;
    if (least <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(least, Math.ceil(this.#bytes.length * 1.5)));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
