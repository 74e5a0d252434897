import { crc32 } from 'node:zlib';
import { StrataError } from '../model/errors.js';

/** Bytes that grow, with integers in as few of them as they need (seven bits each, low ones first). */
export class ByteWriter {
  #bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  varint(value: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128;
      rest = rest > 0x7fffffff ? Math.floor(rest / 128) : rest >>> 7;
    }
    this.#bytes[this.length++] = rest;
  }

  /** The bytes from `start` to `end`. Short pieces are copied here: a view and a call cost more than they do. */
  copy(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.length + length > this.#bytes.length) this.#grow(length);
    if (length > 64) {
      this.#bytes.set(bytes.subarray(start, end), this.length);
      this.length += length;
    } else {
      for (let i = start; i < end; i++) this.#bytes[this.length++] = bytes[i]!;
    }
  }

  /** A view, valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  #grow(by: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + by));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}

/** Reads what ByteWriter wrote. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  varint(): number {
    let byte = this.bytes[this.at++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = this.bytes[this.at++]!;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }
}

const SEAL = 4;

/**
 * The bytes with their CRC-32 behind them: a flipped bit is noticed when the blob is read. The checksum starts from the
 * row's own number, so that a blob that is found under another row's number is noticed too.
 */
export function seal(bytes: Uint8Array, row: number): Uint8Array {
  const sealed = new Uint8Array(bytes.length + SEAL);
  sealed.set(bytes);
  new DataView(sealed.buffer).setUint32(bytes.length, crc32(bytes, row >>> 0), true);
  return sealed;
}

/** `what` names the blob for a person: "words of segment 7". */
export function unseal(sealed: unknown, row: number, what: string): Uint8Array {
  if (sealed instanceof Uint8Array && sealed.length >= SEAL) {
    const end = sealed.length - SEAL;
    const body = sealed.subarray(0, end);
    const view = new DataView(sealed.buffer, sealed.byteOffset, sealed.length);
    if (view.getUint32(end, true) === crc32(body, row >>> 0)) return body;
  }
  throw new StrataError('STORE_DAMAGED', `The ${what} fail their checksum; run \`strata doctor --fix\`.`);
}
