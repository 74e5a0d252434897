import { MULTIBYTE, SPECIAL } from './json-bytes.js';

/**
 * JSON as a flat table of nodes in document order. Unlike `JSON.parse` it keeps numbers as they are written, keys in
 * their order, repeated keys, and where everything stands; it costs 13 bytes a node.
 */
export interface JsonTable {
  /** UTF-8. */
  readonly bytes: Buffer;
  readonly length: number;
  /** KIND, and what else is known of the value and of its key (see below). */
  readonly kind: Uint8Array;
  /** Offset of the value. */
  readonly start: Int32Array;
  /** Where a scalar ends; of a container, the first node after it and all inside it. */
  readonly until: Int32Array;
  /** Offset of a member's key (its opening quote), or -1 - the index of an array's item. */
  readonly key: Int32Array;
}

export const KIND = { object: 0, array: 1, string: 2, other: 3 } as const;

/** What is longer than a chunk, or holds a string that fills one by itself (S4.3: 400–1200): it is a section. */
const WIDE = 4;
const LARGE = 1_200;
const LONG = 400;
/** SPECIAL and MULTIBYTE of a string and of a key stand from these bits on. */
const OF_VALUE = 3;
const OF_KEY = 5;

export const kindOf = (table: JsonTable, node: number): number => table.kind[node]! & 3;
export const isContainer = (table: JsonTable, node: number): boolean => (table.kind[node]! & 2) === 0;
export const isEmpty = (table: JsonTable, container: number): boolean =>
  table.until[container] === container + 1;
/** A long string, or a container that is large or holds one. */
export const isWide = (table: JsonTable, node: number): boolean => (table.kind[node]! & WIDE) !== 0;
/** What a string holds: SPECIAL, MULTIBYTE. */
export const valueHolds = (table: JsonTable, node: number): number => (table.kind[node]! >> OF_VALUE) & 3;
/** SPECIAL here also for what a pointer escapes. */
export const keyHolds = (table: JsonTable, node: number): number => (table.kind[node]! >> OF_KEY) & 3;

/** The first node after this one and all inside it. */
export const afterNode = (table: JsonTable, node: number): number =>
  isContainer(table, node) ? table.until[node]! : node + 1;

/** The table as it grows. One that is given again is filled anew: nothing of the last bytes is left. */
export class JsonNodes implements JsonTable {
  bytes: Buffer = NOTHING;
  length = 0;
  kind = new Uint8Array(0);
  start = new Int32Array(0);
  until = new Int32Array(0);
  key = new Int32Array(0);
  /** How many containers are open, and whether the innermost is an object. */
  depth = 0;
  inObject = false;
  /** Of each open container: its node, how many items it has had, and the spare bytes before it. */
  readonly #open: number[] = [];
  readonly #counts: number[] = [];
  readonly #spare: number[] = [];
  /** Of the next member. */
  #key = 0;
  #keyHolds = 0;

  reset(bytes: Buffer, from: number): void {
    this.bytes = bytes;
    this.length = 0;
    this.depth = 0;
    this.inObject = false;
    this.#key = 0;
    this.#keyHolds = 0;
    // Room for all at once, where it can be guessed: arrays that grow leave their copies behind until the collector comes.
    const room = Math.min(guessNodes(bytes, from), MOST_AT_ONCE);
    if (room > this.kind.length) this.#resize(Math.max(room, this.kind.length * 2));
  }

  /** The key of the value that comes next. */
  member(key: number, holds: number): void {
    this.#key = key;
    this.#keyHolds = (holds & MULTIBYTE) | (holds & ~MULTIBYTE ? SPECIAL : 0);
  }

  string(start: number, end: number, units: number, holds: number): void {
    const isLong = units > LONG;
    this.#add(KIND.string | (isLong ? WIDE : 0) | ((holds & 3) << OF_VALUE), start, end);
    if (isLong && this.depth > 0) this.kind[this.#open[this.depth - 1]!]! |= WIDE;
  }

  other(start: number, end: number): void {
    this.#add(KIND.other, start, end);
  }

  open(isObject: boolean, start: number, spare: number): void {
    this.#add(isObject ? KIND.object : KIND.array, start, 0);
    this.#open[this.depth] = this.length - 1;
    this.#counts[this.depth] = 0;
    this.#spare[this.depth] = spare;
    this.depth += 1;
    this.inObject = isObject;
  }

  /** The innermost container, which ends before `end`. */
  close(end: number, spare: number): void {
    this.depth -= 1;
    const node = this.#open[this.depth]!;
    const units = end - this.start[node]! - (spare - this.#spare[this.depth]!);
    const isLarge = (this.kind[node]! & WIDE) !== 0 || units > LARGE;
    this.until[node] = this.length;
    if (isLarge) this.kind[node]! |= WIDE;
    if (this.depth === 0) return;
    const parent = this.#open[this.depth - 1]!;
    if (isLarge) this.kind[parent]! |= WIDE;
    this.inObject = (this.kind[parent]! & 3) === KIND.object;
  }

  #add(kind: number, start: number, until: number): void {
    const node = this.length;
    if (node === this.kind.length) this.#resize(Math.ceil(node * 1.5));
    const isItem = this.depth > 0 && !this.inObject;
    this.kind[node] = isItem ? kind : kind | (this.#keyHolds << OF_KEY);
    this.start[node] = start;
    this.until[node] = until;
    this.key[node] = isItem ? -1 - this.#counts[this.depth - 1]!++ : this.#key;
    this.length = node + 1;
  }

  #resize(size: number): void {
    const kind = new Uint8Array(size);
    kind.set(this.kind);
    this.kind = kind;
    for (const name of ['start', 'until', 'key'] as const) {
      const grown = new Int32Array(size);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}

const NOTHING = Buffer.alloc(0);

/** What is more grows: a file of nothing but commas is not worth its length. */
const MOST_AT_ONCE = 2 ** 22;

/** Every how many bytes of a large file some are looked at. */
const STRIDE = 4096;
const SAMPLE = 512;
const MARGIN = 1.1;

/** A value is the first, or stands behind a comma or an opening bracket (those inside strings are counted too). */
function guessNodes(bytes: Uint8Array, from: number): number {
  const size = bytes.length - from;
  if (size <= 2 * STRIDE) return 1 + countSeparators(bytes, from, bytes.length);
  let found = 0;
  for (let at = from; at < bytes.length; at += STRIDE)
    found += countSeparators(bytes, at, Math.min(bytes.length, at + SAMPLE));
  return STRIDE + Math.ceil(found * (STRIDE / SAMPLE) * MARGIN);
}

function countSeparators(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  }
  return count;
}
