import { ByteReader, ByteWriter, seal, unseal } from './bytes.js';
import { encodePostings, type PostingList } from './postings.js';

/**
 * Immutable segments of posting lists. A segment's terms, in order, are cut into blocks of a few kilobytes; a block
 * has a directory (terms without the prefix they share with the one before, counts, lengths) and then the lists.
 * One block holds many rare terms or one frequent one, so a look-up reads little and a merge reads straight through.
 */
const BLOCK_TERMS = 256;
/** Small enough to scan in microseconds, big enough that a segment of 50 MB has a directory of 100 KB. */
const BLOCK_BYTES = 6 * 1024;

export interface BlockEntry {
  readonly term: string;
  readonly count: number;
  /** Where the list stands in the block. */
  readonly start: number;
  readonly end: number;
}

/** Takes terms in ascending order (as strings compare) and gives out sealed blocks. */
export class BlockWriter {
  readonly #base: number;
  readonly #emit: (first: string, block: Uint8Array) => void;
  readonly #directory = new ByteWriter();
  readonly #lists = new ByteWriter(4 * BLOCK_BYTES);
  #first = '';
  #before: Uint8Array = new Uint8Array();
  #terms = 0;

  constructor(base: number, emit: (first: string, block: Uint8Array) => void) {
    this.#base = base;
    this.#emit = emit;
  }

  add(term: string, list: PostingList): void {
    if (this.#terms === 0) this.#first = term;
    const bytes = Buffer.from(term);
    const shared = sharedPrefix(this.#before, bytes);
    this.#before = bytes;
    const start = this.#lists.length;
    encodePostings(this.#lists, list, this.#base);
    this.#directory.varint(shared);
    this.#directory.varint(bytes.length - shared);
    this.#directory.raw(bytes.subarray(shared));
    this.#directory.varint(list.length);
    this.#directory.varint(this.#lists.length - start);
    this.#terms++;
    if (this.#terms === BLOCK_TERMS || this.#directory.length + this.#lists.length >= BLOCK_BYTES)
      this.flush();
  }

  flush(): void {
    if (this.#terms === 0) return;
    const head = new ByteWriter(16);
    head.varint(this.#terms);
    head.varint(this.#directory.length);
    this.#emit(this.#first, seal(head.view(), this.#directory.view(), this.#lists.view()));
    this.#directory.clear();
    this.#lists.clear();
    this.#before = new Uint8Array();
    this.#terms = 0;
  }
}

function sharedPrefix(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a[same] === b[same]) same++;
  return same;
}

/** A block's checked bytes: what the functions below read. */
export const openBlock = (sealed: unknown, what: string): Uint8Array => unseal(sealed, what);

/** All entries of a block, in order. */
export function blockEntries(block: Uint8Array): BlockEntry[] {
  const reader = new ByteReader(block);
  const terms = reader.varint();
  let start = reader.varint();
  start += reader.at;
  let bytes = Buffer.alloc(256);
  const entries: BlockEntry[] = [];
  for (let i = 0; i < terms; i++) {
    const shared = reader.varint();
    const rest = reader.varint();
    if (shared + rest > bytes.length) bytes = Buffer.concat([bytes], 2 * (shared + rest));
    bytes.set(block.subarray(reader.at, reader.at + rest), shared);
    reader.at += rest;
    const count = reader.varint();
    const length = reader.varint();
    entries.push({ term: bytes.toString('utf8', 0, shared + rest), count, start, end: start + length });
    start += length;
  }
  return entries;
}

/** The entry of one term, without making strings of the others. `wanted` is the term in UTF-8. */
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
    start += length;
  }
  return null;
}
