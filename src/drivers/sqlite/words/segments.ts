import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { StrataError } from '../../../model/errors.js';
import type { UnitWords } from '../../../model/words.js';
import { seal, unseal } from '../../../store/bytes.js';
import { BlockWriter } from '../../../store/index/block.js';
import { byCodePoint } from '../../../store/index/order.js';
import { PostingList } from '../../../store/index/postings.js';
import type { UnitKind } from '../../../store/lexical.js';
import type { Connection } from '../connection.js';
import { checksum } from '../records/rows.js';
import type { Row } from '../values.js';
import { PostingPool } from './posting-pool.js';

/** An immutable run of posting lists. Segments hold disjoint, ascending ranges of units. */
export interface Segment {
  readonly segment: number;
  readonly stage: number;
  readonly first_unit: number;
  readonly last_unit: number;
  /** Live when it was written, and how many of them have died since. */
  readonly units: number;
  readonly dead: number;
  readonly bytes: number;
}

/** Being written by a merge; searched; searched, and about to be replaced by the one being written. */
export const STAGE = { building: 0, live: 1, merging: 2 } as const;

/** Block numbers are `segment * BLOCKS + ordinal`, so that a segment's blocks are one range of rows. */
const BLOCKS = 2 ** 21;
const COLUMNS = 'segment, stage, first_unit, last_unit, units, dead, bytes, crc';
/** Of what never changes in a segment's row. */
const rangeChecksum = (segment: number, first: number, last: number, units: number, bytes: number): number =>
  checksum([segment, first, last, units, bytes]);

/** Words of chunks and of documents never meet: a term is kept with the kind in front. */
export const termKey = (kind: UnitKind, term: string): string => (kind === 'chunk' ? 'c' : 'd') + term;

/** All that can be searched, oldest units first. */
export function liveSegments(connection: Connection): readonly Segment[] {
  const sql = `SELECT ${COLUMNS} FROM segments WHERE stage > ${STAGE.building} ORDER BY first_unit`;
  return connection.all(sql).map(toSegment);
}

const toSegment = (row: Row): Segment => {
  const [segment, stage, first_unit, last_unit, units, dead, bytes, crc] = row as number[];
  if (rangeChecksum(segment!, first_unit!, last_unit!, units!, bytes!) !== crc) {
    const message = `The entry of word segment ${segment} is damaged; run \`strata doctor --fix\`.`;
    throw new StrataError('STORE_DAMAGED', message);
  }
  return {
    segment: segment!,
    stage: stage!,
    first_unit: first_unit!,
    last_unit: last_unit!,
    units: units!,
    dead: dead!,
    bytes: bytes!,
  };
};

/** The first terms of a segment's blocks: which block may hold a term. */
export function segmentDirectory(connection: Connection, segment: number): readonly string[] {
  const row = connection.get('SELECT directory FROM segments WHERE segment = ?', segment);
  const packed = unseal(row?.[0], segment, `words of segment ${segment}`);
  return JSON.parse(inflateRawSync(packed).toString()) as string[];
}

export function segmentBlock(connection: Connection, segment: number, ordinal: number): Uint8Array {
  const block = segment * BLOCKS + ordinal;
  const row = connection.get('SELECT data FROM segment_blocks WHERE block = ?', block);
  return unseal(row?.[0], block, `words of segment ${segment} (block ${ordinal})`);
}

export function dropSegment(connection: Connection, segment: number): void {
  connection.run(
    'DELETE FROM segment_blocks WHERE block >= ? AND block < ?',
    segment * BLOCKS,
    (segment + 1) * BLOCKS,
  );
  connection.run('DELETE FROM segments WHERE segment = ?', segment);
}

/** Writes a segment's blocks as they come; nothing finds them before `finish`. */
export class SegmentWriter {
  readonly segment: number;
  readonly #connection: Connection;
  readonly #blocks: BlockWriter;
  readonly #waiting: Uint8Array[] = [];
  readonly #directory: string[] = [];
  #bytes = 0;

  constructor(connection: Connection, segment: number, firstUnit: number) {
    this.segment = segment;
    this.#connection = connection;
    this.#blocks = new BlockWriter(firstUnit, (first, block) => {
      this.#waiting.push(seal(block, segment * BLOCKS + this.#directory.length));
      this.#directory.push(first);
      this.#bytes += block.length;
    });
  }

  /** Takes terms in ascending order of their bytes. */
  get blocks(): BlockWriter {
    return this.#blocks;
  }

  /** Blocks that are full and not yet written. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Inside a write transaction. */
  writeWaiting(): void {
    const first = this.#directory.length - this.#waiting.length;
    for (const [i, block] of this.#waiting.entries()) {
      this.#connection.run(
        'INSERT INTO segment_blocks VALUES (?, ?)',
        this.segment * BLOCKS + first + i,
        block,
      );
    }
    this.#waiting.length = 0;
  }

  /** Inside the write transaction that makes the segment live. */
  finish({
    first_unit,
    last_unit,
    units,
    dead,
  }: Pick<Segment, 'first_unit' | 'last_unit' | 'units' | 'dead'>): void {
    this.#blocks.flush();
    this.writeWaiting();
    const directory = seal(deflateRawSync(JSON.stringify(this.#directory), { level: 1 }), this.segment);
    const bytes = this.#bytes + directory.length;
    this.#connection.run(
      `INSERT OR REPLACE INTO segments (${COLUMNS}, directory) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[this.segment, STAGE.live, first_unit, last_unit, units, dead, bytes],
      rangeChecksum(this.segment, first_unit, last_unit, units, bytes),
      directory,
    );
  }
}

/** Collects the words of new units, in ascending order of units, and writes them as one segment. */
export class SegmentBuilder {
  /** Each term's list in the pool. */
  readonly #lists: Record<UnitKind, Map<string, number>> = { chunk: new Map(), document: new Map() };
  readonly #pool = new PostingPool();
  #first = -1;
  #last = -1;
  units = 0;

  add(kind: UnitKind, unit: number, { terms, body, title }: UnitWords): void {
    const words = this.wordsOf(kind, terms);
    this.begin(unit);
    for (let i = 0; i < terms.length; i++) words.push(i, unit, body[i]!, title[i]!);
  }

  /** A unit's words follow, by `push`. */
  begin(unit: number): void {
    if (this.units === 0) this.#first = unit;
    this.#last = unit;
    this.units++;
  }

  /** Units that share most of their words, as a document's chunks do, look each of them up once. */
  wordsOf(kind: UnitKind, terms: readonly string[]): SharedWords {
    const words = new SharedWords(this.#pool, this.#lists[kind]);
    words.number(terms);
    return words;
  }

  write(connection: Connection, segment: number): void {
    const writer = new SegmentWriter(connection, segment, this.#first);
    const list = new PostingList(64);
    let bytes = new Uint8Array(1024);
    for (const kind of ['chunk', 'document'] as const) {
      const lists = this.#lists[kind];
      for (const term of sorted([...lists.keys()])) {
        this.#pool.read(lists.get(term)!, list);
        const key = termKey(kind, term);
        if (key.length * 3 > bytes.length) bytes = new Uint8Array(key.length * 6);
        writer.blocks.add(bytes, encoder.encodeInto(key, bytes).written, list);
      }
    }
    writer.finish({ first_unit: this.#first, last_unit: this.#last, units: this.units, dead: 0 });
  }
}

/** Words by number, each looked up once. */
export class SharedWords {
  readonly #pool: PostingPool;
  readonly #known: Map<string, number>;
  #terms: readonly string[] = [];
  /** Of each number, its list in the pool, or -1. */
  #lists = new Int32Array(0);

  constructor(pool: PostingPool, known: Map<string, number>) {
    this.#pool = pool;
    this.#known = known;
  }

  /** Gives the next numbers, from 0, to these terms. */
  number(terms: readonly string[]): void {
    const from = this.#terms.length;
    this.#terms = from === 0 ? terms : this.#terms.concat(terms);
    if (this.#terms.length > this.#lists.length) {
      const grown = new Int32Array(Math.max(this.#terms.length, Math.ceil(this.#lists.length * 1.5)));
      grown.set(this.#lists.subarray(0, from));
      this.#lists = grown;
    }
    this.#lists.fill(-1, from);
  }

  /** No term has a number any more. */
  restart(): void {
    this.#terms = [];
  }

  push(term: number, unit: number, body: number, title: number): void {
    const known = this.#lists[term]!;
    this.#pool.push(known < 0 ? this.#look(term) : known, unit, body, title);
  }

  #look(at: number): number {
    const term = this.#terms[at]!;
    let list = this.#known.get(term);
    if (list === undefined) {
      list = this.#pool.open();
      this.#known.set(term, list);
    }
    this.#lists[at] = list;
    return list;
  }
}

const encoder = new TextEncoder();

/** By code points. The built-in order, by UTF-16 units, is faster and differs only where there are surrogates. */
function sorted(terms: string[]): string[] {
  return /[\ud800-\udfff]/.test(terms.join('\n')) ? terms.sort(byCodePoint) : terms.sort();
}

/** The last of the ascending terms that is not above the wanted one; -1 when all are. */
export function blockFor(directory: readonly string[], key: string): number {
  let low = 0;
  let high = directory.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byCodePoint(directory[middle]!, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
