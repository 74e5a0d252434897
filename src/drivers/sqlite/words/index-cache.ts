import { findEntry } from '../../../store/index/block.js';
import { decodePostings, PostingList } from '../../../store/index/postings.js';
import type { Connection } from '../connection.js';
import { readState } from '../state.js';
import { blockFor, liveSegments, type Segment, segmentBlock, segmentDirectory } from './segments.js';
import { UnitTable } from './unit-table.js';

/** Blocks as read, and posting lists as decoded, that stay in memory. */
const BLOCK_BYTES = 8 * 2 ** 20;
const LIST_POSTINGS = 2 ** 20;

/**
 * What this process holds of the index in memory, and how it keeps up: before each question it asks SQLite whether
 * any process has committed since, and then reads the changed pages of the unit table and the list of segments.
 * Nothing is read when the library is opened.
 */
export class IndexCache {
  readonly #connection: Connection;
  readonly table = new UnitTable();
  readonly #onChange: () => void;
  #seen = { dataVersion: -1, writes: -1, generation: -1, indexVersion: -1 };
  #segments: readonly Segment[] = [];
  readonly #directories = new Map<number, readonly string[]>();
  readonly #blocks = new Map<string, Uint8Array>();
  #blockBytes = 0;
  readonly #lists = new Map<string, PostingList>();
  #listPostings = 0;

  constructor(connection: Connection, onChange: () => void) {
    this.#connection = connection;
    this.#onChange = onChange;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  get generation(): number {
    return this.#seen.generation;
  }

  /** Inside a read, before anything else of it. */
  sync(): void {
    const dataVersion = Number(this.#connection.get('PRAGMA data_version')![0]);
    const { writes } = this.#connection;
    if (dataVersion === this.#seen.dataVersion && writes === this.#seen.writes) return;
    const { generation, index_version, purged } = readState(this.#connection);
    const tombstones = this.#connection.all('SELECT unit FROM tombstones');
    if (generation !== this.#seen.generation || tombstones.length > 0) {
      this.#syncUnits(generation, purged);
      for (const [unit] of tombstones) this.table.kill(Number(unit));
      this.#lists.clear();
      this.#listPostings = 0;
      this.#onChange();
    }
    if (index_version !== this.#seen.indexVersion) this.#syncSegments();
    this.#seen = { dataVersion, writes, generation, indexVersion: index_version };
  }

  /** After damage or repair: as if nothing had been read. */
  reset(): void {
    this.#seen = { dataVersion: -1, writes: -1, generation: -1, indexVersion: -1 };
    this.table.clear();
    this.#segments = [];
    this.#directories.clear();
    this.#blocks.clear();
    this.#blockBytes = 0;
    this.#lists.clear();
    this.#listPostings = 0;
    this.#onChange();
  }

  /** All live units that hold the key, as slots of the table. The list is shared: do not change it. */
  postings(key: string): PostingList {
    const known = this.#lists.get(key);
    if (known !== undefined) {
      this.#lists.delete(key);
      this.#lists.set(key, known);
      return known;
    }
    const list = this.#decode(key);
    this.#lists.set(key, list);
    this.#listPostings += list.units.length;
    for (const [oldest, { units }] of this.#lists) {
      if (this.#listPostings <= LIST_POSTINGS || oldest === key) break;
      this.#lists.delete(oldest);
      this.#listPostings -= units.length;
    }
    return list;
  }

  directory(segment: number): readonly string[] {
    const known = this.#directories.get(segment);
    if (known !== undefined) return known;
    const directory = segmentDirectory(this.#connection, segment);
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
    const block = segmentBlock(this.#connection, segment, ordinal);
    this.#blocks.set(key, block);
    this.#blockBytes += block.length;
    for (const [oldest, { length }] of this.#blocks) {
      if (this.#blockBytes <= BLOCK_BYTES || oldest === key) break;
      this.#blocks.delete(oldest);
      this.#blockBytes -= length;
    }
    return block;
  }

  #decode(key: string): PostingList {
    const wanted = Buffer.from(key);
    const found: { block: Uint8Array; start: number; count: number; base: number }[] = [];
    let total = 0;
    for (const { segment, first_unit } of this.#segments) {
      const ordinal = blockFor(this.directory(segment), key);
      if (ordinal === -1) continue;
      const block = this.block(segment, ordinal);
      const entry = findEntry(block, wanted);
      if (entry === null) continue;
      found.push({ block, ...entry, base: first_unit });
      total += entry.count;
    }
    const list = new PostingList(total);
    for (const { block, start, count, base } of found) decodePostings(list, block, start, count, base);
    list.length = this.table.toSlots(list.units, list.body, list.title, 0, list.length);
    return list;
  }

  #syncUnits(generation: number, purged: number): void {
    const since = this.#seen.generation;
    if (since < purged || since > generation) this.table.clear();
    const from = since < purged || since > generation ? -1 : since;
    this.table.load(this.#connection.all('SELECT page, data FROM unit_pages WHERE generation > ?', from));
  }

  #syncSegments(): void {
    this.#segments = liveSegments(this.#connection);
    const live = new Set(this.#segments.map(({ segment }) => segment));
    for (const segment of this.#directories.keys()) if (!live.has(segment)) this.#directories.delete(segment);
    for (const [key, { length }] of this.#blocks) {
      if (live.has(Number.parseInt(key, 10))) continue;
      this.#blocks.delete(key);
      this.#blockBytes -= length;
    }
  }
}
