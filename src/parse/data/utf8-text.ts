import { StrataError } from '../../model/errors.js';
import { decodeUtf8 } from '../decode.js';
import { unitsOf } from './json-bytes.js';

/** Below this many bytes a loop is faster than asking for a copy. */
const SHORT = 48;
/** Below this many bytes a text is decoded at once, which takes longer but needs no other copy meanwhile. */
const LARGE = 16 * 2 ** 20;
const MARGIN = 1.2;

/**
 * A text that is put together from pieces of a file's bytes, as bytes: outside the heap, and with no string for each
 * piece. Lengths and offsets are in UTF-16 units, as in every other text.
 */
export class Utf8Text {
  length = 0;
  readonly #source: Uint8Array;
  readonly #most: number;
  #bytes: Buffer;
  #size = 0;
  /** How far the source has been read: what is still to come can be guessed from that. */
  #read = 0;

  /** `source`: what it is made from; `most`: how many bytes it may have. */
  constructor(source: Uint8Array, most: number) {
    this.#source = source;
    this.#most = most;
    // What is not written to takes no memory.
    this.#bytes = Buffer.allocUnsafeSlow(64 + Math.ceil(source.length * MARGIN));
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

  /** UTF-8 from `start` to `end`, of the source or a part of it. */
  pushBytes(bytes: Buffer, start: number, end: number, isAscii: boolean): void {
    const size = end - start;
    this.#read = Math.max(this.#read, bytes.byteOffset - this.#source.byteOffset + end);
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
    if (this.length === bytes.length) return bytes.toString('latin1');
    return bytes.length < LARGE ? bytes.toString() : decodeUtf8(bytes);
  }

  /** Once, if possible: the smaller one stays until the collector comes. */
  #reserve(more: number): void {
    const least = this.#size + more;
    const { length } = this.#bytes;
    if (least <= length) return;
    if (this.#size > this.#most) {
      const most = `${Math.ceil(this.#most / 2 ** 20)} MB`;
      throw new StrataError('LIMIT', `its text would have more than the ${most} it may expand to`);
    }
    const guess = (least * MARGIN * this.#source.length) / Math.max(1, this.#read);
    const room = Math.max(least * MARGIN, length * 1.5, Math.min(guess, length * 8));
    const larger = Buffer.allocUnsafeSlow(Math.ceil(room));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
