import { ByteReader, ByteWriter } from '../bytes.js';
import { encodePostings, type PostingList } from './postings.js';

/**
 * Immutable segments of posting lists. A segment's terms, in order of their UTF-8 bytes, are cut into blocks of a few
 * kilobytes; a block has a directory (terms without the prefix they share with the one before, counts, lengths) and
 * then the lists. One block holds many rare terms or one frequent one, so a look-up reads little and a merge reads
 * straight through, without decoding lists that have not changed.
 */
const BLOCK_TERMS = 256;
/** Small enough to scan in microseconds, big enough that a segment of 50 MB has a directory of 100 KB. */
const BLOCK_BYTES = 6 * 1024;

/** A list as it stands in a block: to be copied. */
export interface EncodedList {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** From its first unit to its last. */
  readonly span: number;
  /** What its first unit is written relative to. */
  readonly base: number;
}

/** Takes terms in ascending order and gives out blocks with their first term. */
export class BlockWriter {
  readonly #base: number;
  readonly #emit: (first: string, block: Uint8Array) => void;
  readonly #directory = new ByteWriter();
  readonly #lists = new ByteWriter(4 * BLOCK_BYTES);
  #first = '';
  #before = new Uint8Array(256);
  #beforeLength = 0;
  #terms = 0;

  constructor(base: number, emit: (first: string, block: Uint8Array) => void) {
    this.#base = base;
    this.#emit = emit;
  }

  /** The term is the first `length` of the bytes. */
  add(term: Uint8Array, length: number, list: PostingList): void {
    const start = this.#lists.length;
    encodePostings(this.#lists, list, this.#base);
    this.#enter(term, length, list.length, start, list.units[list.length - 1]! - list.units[0]!);
  }

  /** Lists of ascending units, joined: only the first entry of each is written anew. */
  addEncoded(term: Uint8Array, length: number, lists: readonly EncodedList[]): void {
    const start = this.#lists.length;
    let count = 0;
    let first = -1;
    let last = this.#base;
    for (const list of lists) {
      const reader = new ByteReader(list.bytes, list.start);
      const value = reader.varint();
      const unit = list.base + (value >>> 2);
      this.#lists.varint((unit - last) * 4 + (value & 3));
      this.#lists.copy(list.bytes, reader.at, list.end);
      if (first === -1) first = unit;
      last = unit + list.span;
      count += list.count;
    }
    this.#enter(term, length, count, start, last - first);
  }

  flush(): void {
    if (this.#terms === 0) return;
    const block = new ByteWriter(16 + this.#directory.length + this.#lists.length);
    block.varint(this.#terms);
    block.varint(this.#directory.length);
    block.copy(this.#directory.view(), 0, this.#directory.length);
    block.copy(this.#lists.view(), 0, this.#lists.length);
    this.#emit(this.#first, block.view());
    this.#directory.clear();
    this.#lists.clear();
    this.#beforeLength = 0;
    this.#terms = 0;
  }

  #enter(term: Uint8Array, length: number, count: number, start: number, span: number): void {
    if (this.#terms === 0) this.#first = Buffer.from(term.subarray(0, length)).toString();
    let shared = 0;
    const most = Math.min(length, this.#beforeLength);
    while (shared < most && term[shared] === this.#before[shared]) shared++;
    if (length > this.#before.length)
      this.#before = Uint8Array.from({ length: length * 2 }, (_, i) => this.#before[i] ?? 0);
    for (let i = shared; i < length; i++) this.#before[i] = term[i]!;
    this.#beforeLength = length;
    this.#directory.varint(shared);
    this.#directory.varint(length - shared);
    this.#directory.copy(term, shared, length);
    this.#directory.varint(count);
    this.#directory.varint(this.#lists.length - start);
    if (count > 1) this.#directory.varint(span);
    this.#terms++;
    if (this.#terms === BLOCK_TERMS || this.#directory.length + this.#lists.length >= BLOCK_BYTES)
      this.flush();
  }
}

/** Walks a block's entries in order, without making strings or objects of them. */
export class BlockReader {
  readonly bytes: Uint8Array;
  readonly #reader: ByteReader;
  #left: number;
  /** The current term is the first `length` of these bytes. */
  term = new Uint8Array(256);
  length = 0;
  count = 0;
  /** Where the current list stands in the block. */
  start = 0;
  end = 0;
  span = 0;

  constructor(block: Uint8Array) {
    this.bytes = block;
    this.#reader = new ByteReader(block);
    this.#left = this.#reader.varint();
    const directory = this.#reader.varint();
    this.end = this.#reader.at + directory;
  }

  /** False after the last entry. */
  next(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    const reader = this.#reader;
    const shared = reader.varint();
    const rest = reader.varint();
    this.length = shared + rest;
    if (this.length > this.term.length) {
      const longer = new Uint8Array(this.length * 2);
      longer.set(this.term);
      this.term = longer;
    }
    for (let i = shared; i < this.length; i++) this.term[i] = reader.bytes[reader.at++]!;
    this.count = reader.varint();
    this.start = this.end;
    this.end += reader.varint();
    this.span = this.count > 1 ? reader.varint() : 0;
    return true;
  }

  text(): string {
    return Buffer.from(this.term.buffer, 0, this.length).toString();
  }
}

/** The entry of one term (in UTF-8), or null. */
export function findEntry(block: Uint8Array, wanted: Uint8Array): { count: number; start: number } | null {
  const reader = new ByteReader(block);
  const terms = reader.varint();
  let start = reader.varint();
  start += reader.at;
  // How many leading bytes of the current term agree with the wanted one.
  let agreed = 0;
  for (let i = 0; i < terms; i++) {
    const shared = reader.varint();
    const rest = reader.varint();
    if (shared <= agreed) {
      agreed = shared;
      const most = Math.min(rest, wanted.length - shared);
      let at = 0;
      while (at < most && block[reader.at + at] === wanted[shared + at]) at++;
      agreed += at;
    }
    reader.at += rest;
    const count = reader.varint();
    const length = reader.varint();
    if (agreed === wanted.length && shared + rest === wanted.length) return { count, start };
    if (count > 1) reader.varint();
    start += length;
  }
  return null;
}
