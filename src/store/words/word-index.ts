import { findEntry } from '../index/block.js';
import { byCodePoint } from '../index/order.js';
import { blockFor, type Segment, type SegmentSource } from './segment.js';
import { SlotList } from './slot-list.js';
import { UnitTable } from './unit-table.js';

/**
 * Posting lists as decoded that stay in memory, in bytes: decoding the lists of a million passages for every question took
 * most of its time. A quarter of what is free when the library is opened, since others need memory, too.
 */
const LIST_BYTES = Math.min(512 * 2 ** 20, process.availableMemory() / 4);

/** A block by its place. */
export type BlockPlace = readonly [segment: number, ordinal: number];

/**
 * What a process holds of the word index in memory: all units, the directories of the segments that were asked, and
 * the blocks and posting lists that were used last. Whoever has one keeps it in step with the store.
 */
export class WordIndex {
  readonly table = new UnitTable();
  readonly #source: SegmentSource;
  readonly #blockBytes: number;
  #segments: readonly Segment[] = [];
  readonly #directories = new Map<number, readonly string[]>();
  readonly #blocks = new Map<string, Uint8Array>();
  #bytes = 0;
  readonly #lists = new Map<string, SlotList>();
  #listBytes = 0;
  /** By segment, for those that were asked about. */
  readonly #clean = new Map<number, boolean>();

  /** `blockBytes`: how much of the blocks, as read, stays in memory. */
  constructor(source: SegmentSource, blockBytes: number) {
    this.#source = source;
    this.#blockBytes = blockBytes;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** To be called when units have come or gone. */
  forgetLists(): void {
    this.#clean.clear();
    this.#lists.clear();
    this.#listBytes = 0;
  }

  setSegments(segments: readonly Segment[]): void {
    this.#segments = segments;
    this.#clean.clear();
    const live = new Set(segments.map(({ segment }) => segment));
    for (const segment of this.#directories.keys()) if (!live.has(segment)) this.#directories.delete(segment);
    for (const [key, { length }] of this.#blocks) {
      if (live.has(Number.parseInt(key, 10))) continue;
      this.#blocks.delete(key);
      this.#bytes -= length;
    }
  }

  /** After damage or repair: as if nothing had been read. */
  clear(): void {
    this.table.clear();
    this.setSegments([]);
    this.forgetLists();
  }

  /** All live units that hold the key, as slots of the table. The list is shared: do not change it. */
  postings(key: string): SlotList {
    const known = this.#lists.get(key);
    if (known !== undefined) {
      this.#lists.delete(key);
      this.#lists.set(key, known);
      return known;
    }
    const list = this.#decode(key);
    this.#lists.set(key, list);
    this.#listBytes += list.bytes;
    for (const [oldest, { bytes }] of this.#lists) {
      if (this.#listBytes <= LIST_BYTES || oldest === key) break;
      this.#lists.delete(oldest);
      this.#listBytes -= bytes;
    }
    return list;
  }

  /**
   * How many live units hold the key. A segment of which no unit has died has the number beside the list, so that words
   * as frequent as `the`, by which a library's languages are told, are counted without reading their lists.
   */
  frequency(key: string): number {
    const known = this.#lists.get(key);
    if (known !== undefined) return known.length;
    const wanted = Buffer.from(key);
    let sum = 0;
    for (const segment of this.#segments) {
      const entry = this.#entry(segment, key, wanted);
      if (entry === null) continue;
      if (!this.#isClean(segment)) return this.postings(key).length;
      sum += entry.count;
    }
    return sum;
  }

  /** Whether all units that were live when the segment was written still are. */
  #isClean({ segment, first_unit, last_unit, units }: Segment): boolean {
    const known = this.#clean.get(segment);
    if (known !== undefined) return known;
    const isClean = this.table.countLive(first_unit, last_unit) === units;
    this.#clean.set(segment, isClean);
    return isClean;
  }

  #entry(
    { segment }: Segment,
    key: string,
    wanted: Uint8Array,
  ): { readonly block: Uint8Array; readonly count: number; readonly start: number } | null {
    const ordinal = blockFor(this.directory(segment), key);
    if (ordinal === -1) return null;
    const block = this.block(segment, ordinal);
    const entry = findEntry(block, wanted);
    return entry === null ? null : { block, ...entry };
  }

  directory(segment: number): readonly string[] {
    const known = this.#directories.get(segment);
    if (known !== undefined) return known;
    const directory = this.#source.directory(segment);
    this.#directories.set(segment, directory);
    return directory;
  }

  block(segment: number, ordinal: number): Uint8Array {
    const key = `${segment}/${ordinal}`;
    const known = this.#blocks.get(key);
    if (known !== undefined) {
      this.#blocks.delete(key);
      this.#blocks.set(key, known);
      return known;
    }
    const block = this.#source.block(segment, ordinal);
    this.keepBlock([segment, ordinal], block);
    this.trim();
    return block;
  }

  hasDirectory(segment: number): boolean {
    return this.#directories.has(segment);
  }

  keepDirectory(segment: number, directory: readonly string[]): void {
    this.#directories.set(segment, directory);
  }

  keepBlock([segment, ordinal]: BlockPlace, block: Uint8Array): void {
    this.#blocks.set(`${segment}/${ordinal}`, block);
    this.#bytes += block.length;
  }

  /** Lets go of the blocks that were not used for longest, down to what may stay. */
  trim(): void {
    for (const [oldest, { length }] of this.#blocks) {
      if (this.#bytes <= this.#blockBytes || this.#blocks.size === 1) break;
      this.#blocks.delete(oldest);
      this.#bytes -= length;
    }
  }

  /** The blocks that the lists of these keys need and that are not in memory. */
  missing(keys: readonly string[]): BlockPlace[] {
    const wanted = new Map<string, BlockPlace>();
    for (const key of keys) {
      if (this.#lists.has(key)) continue;
      for (const { segment } of this.#segments)
        this.#want(segment, blockFor(this.directory(segment), key), wanted);
    }
    return [...wanted.values()];
  }

  /** The same for all keys that start so. */
  missingWithPrefix(prefix: string): BlockPlace[] {
    const wanted = new Map<string, BlockPlace>();
    for (const { segment } of this.#segments)
      for (const ordinal of this.blocksWithPrefix(segment, prefix)) this.#want(segment, ordinal, wanted);
    return [...wanted.values()];
  }

  /** Which blocks of a segment may hold keys that start so. */
  blocksWithPrefix(segment: number, prefix: string): number[] {
    const directory = this.directory(segment);
    const ordinals: number[] = [];
    for (let ordinal = Math.max(0, blockFor(directory, prefix)); ordinal < directory.length; ordinal++) {
      const first = directory[ordinal]!;
      if (byCodePoint(first, prefix) > 0 && !first.startsWith(prefix)) break;
      ordinals.push(ordinal);
    }
    return ordinals;
  }

  #want(segment: number, ordinal: number, wanted: Map<string, BlockPlace>): void {
    const key = `${segment}/${ordinal}`;
    if (ordinal >= 0 && !this.#blocks.has(key)) wanted.set(key, [segment, ordinal]);
  }

  #decode(key: string): SlotList {
    const wanted = Buffer.from(key);
    const parts = this.#segments.flatMap((segment) => {
      const entry = this.#entry(segment, key, wanted);
      if (entry === null) return [];
      const { block, start, count } = entry;
      return [{ bytes: block, start, count, base: segment.first_unit }];
    });
    return new SlotList(this.table.decode(parts), this.table.size);
  }
}
