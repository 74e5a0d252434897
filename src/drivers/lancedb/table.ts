import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { reasonOf, StrataError } from '../../model/errors.js';
import { lancePlace } from './object-store.js';

/** What we use of LanceDB. Its own types are not here: the package is installed by those who want it. */
interface LanceQuery {
  where(predicate: string): LanceQuery;
  select(columns: readonly string[]): LanceQuery;
  limit(count: number): LanceQuery;
  distanceType(type: string): LanceQuery;
  nprobes(count: number): LanceQuery;
  refineFactor(factor: number): LanceQuery;
  toArray(): Promise<readonly Row[]>;
}

interface LanceMerge {
  whenMatchedUpdateAll(): LanceMerge;
  whenNotMatchedInsertAll(): LanceMerge;
  whenNotMatchedBySourceDelete(options: { where: string }): LanceMerge;
  execute(rows: readonly object[]): Promise<unknown>;
}

interface LanceTable {
  version(): Promise<number>;
  countRows(filter?: string): Promise<number>;
  query(): LanceQuery;
  vectorSearch(vector: Float32Array): LanceQuery;
  mergeInsert(on: string): LanceMerge;
  schema(): Promise<{
    readonly fields: readonly { readonly name: string; readonly type: { readonly listSize?: number } }[];
  }>;
  addColumns(fields: readonly object[]): Promise<unknown>;
  dropColumns(names: readonly string[]): Promise<unknown>;
  createIndex(column: string, options: object): Promise<void>;
  dropIndex(name: string): Promise<void>;
  listIndices(): Promise<readonly { readonly name: string; readonly indexUuid?: string }[]>;
  indexStats(name: string): Promise<{ readonly numIndices?: number } | undefined>;
  stats(): Promise<{ readonly fragmentStats: { readonly numFragments: number } }>;
  optimize(options: { cleanupOlderThan: Date; deleteUnverified: boolean }): Promise<unknown>;
  close(): void;
}

interface Packages {
  readonly lancedb: {
    connect(
      place: string,
      options: object,
    ): Promise<{
      createEmptyTable(name: string, schema: object, options: object): Promise<LanceTable>;
      tableNames(): Promise<readonly string[]>;
      openTable(name: string): Promise<LanceTable>;
      close(): void;
    }>;
    readonly Index: Readonly<Record<'btree' | 'ivfRq', (options?: object) => object>>;
  };
  readonly arrow: Readonly<Record<string, new (...fields: unknown[]) => object>>;
}

/** Columns by name; numbers are doubles, missing values null. */
export type Row = Readonly<Record<string, unknown>>;

/** Both from one place, and as CommonJS: LanceDB knows types of the very copy of Arrow that it loaded. */
function packages(): Packages {
  // Otherwise it writes to the terminal whenever a part of an index is empty.
  process.env.LANCEDB_LOG ??= 'error';
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const require = createRequire(from);
      return { lancedb: require('@lancedb/lancedb'), arrow: require('apache-arrow') };
    } catch {
      // Perhaps it is installed beside the project.
    }
  }
  const message =
    'a library in LanceDB needs its packages: run `npm install @lancedb/lancedb@0.37 apache-arrow@18`';
  throw new StrataError('UNSUPPORTED', message);
}

const TEXTS = [
  'key',
  'kind',
  'owner',
  'id',
  'doc_id',
  'title',
  'summary',
  'content',
  'content_type',
  'content_types',
  'source',
  'embed_key',
  'record',
];
const NUMBERS = ['position', 'unit', 'words', 'generation'];
/** All but the vector, which is made of the canonical one. */
export const COLUMNS = [...TEXTS, ...NUMBERS, 'data'];
const VECTOR = 'vector';
const NAME = 'knowledge';
/** With fewer vectors a scan of all is as fast, and exact. */
const WORTH_AN_INDEX = 10_000;
/** Its index alone finds three of four; looking into more of it and comparing anew, nearly all. */
const PROBES = 40;
const REFINE = 10;
/**
 * Each tidying adds a piece to the index of vectors, and a search asks all of them: 0.4 ms each, where a whole search by meaning takes 60
 * (100,000 chunks). With more pieces the index is made anew.
 */
const MOST_PIECES = 24;
/**
 * Vectors in a part of the index. LanceDB joins parts of fewer than 1,024 and divides those of more than 16,384, one at each tidying,
 * and each time all rows are written again. By its own choice of 4,096 a dozen were too small: 2.4 GB on the disk where 0.7 are live.
 */
const PART_OF_INDEX = 8192;
const INDEX = `${VECTOR}_idx`;

/** A row with all columns; those that are not named are null. */
export const row = (columns: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...Object.fromEntries([...TEXTS, ...NUMBERS, 'data'].map((name) => [name, null])),
  ...columns,
});

export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const isOneOf = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'false' : `${column} IN (${values.map(quote).join(', ')})`;

/** Of a read whose files are tidied away meanwhile. */
const MOST_TRIES = 5;

/** Predicates longer than this are asked in parts. */
const MOST_VALUES = 500;

/** The one table of a library: all that a change writes is one version of it. */
export class Table {
  readonly place: string;
  readonly #packages: Packages;
  readonly #table: LanceTable;
  readonly #close: () => void;

  private constructor(place: string, found: Packages, table: LanceTable, close: () => void) {
    this.place = place;
    this.#packages = found;
    this.#table = table;
    this.#close = close;
  }

  static async open(place: string): Promise<Table> {
    const { uri, options } = lancePlace(place);
    const found = packages();
    const { Schema, Field, Utf8, Float64, Binary } = found.arrow as Record<
      string,
      new (
        ...all: unknown[]
      ) => object
    >;
    const fields = [
      ...TEXTS.map((name) => new Field!(name, new Utf8!(), true)),
      ...NUMBERS.map((name) => new Field!(name, new Float64!(), true)),
      new Field!('data', new Binary!(), true),
    ];
    try {
      if (!place.includes('://')) await mkdir(place, { recursive: true });
      // Every read sees the newest version, whoever wrote it.
      const connection = await found.lancedb.connect(uri, {
        readConsistencyInterval: 0,
        ...(options && { storageOptions: options }),
      });
      // Made by one of several processes that open a new library at once; a column of vectors may have come since.
      const isThere = (await connection.tableNames()).includes(NAME);
      if (!isThere)
        await connection.createEmptyTable(NAME, new Schema!(fields), { mode: 'create', existOk: true });
      const table = await connection.openTable(NAME);
      return new Table(place, found, table, () => connection.close());
    } catch (error) {
      throw failed(place, error);
    }
  }

  version(): Promise<number> {
    return this.#read(() => this.#table.version());
  }

  select(where: string, columns: readonly string[]): Promise<readonly Row[]> {
    return this.#read(() => this.#table.query().where(where).select(columns).toArray());
  }

  /** Rows whose column has one of the values. */
  async among(column: string, values: readonly string[], columns: readonly string[]): Promise<Row[]> {
    const found: Row[] = [];
    for (let at = 0; at < values.length; at += MOST_VALUES)
      found.push(...(await this.select(isOneOf(column, values.slice(at, at + MOST_VALUES)), columns)));
    return found;
  }

  count(where: string): Promise<number> {
    return this.#read(() => this.#table.countRows(where));
  }

  /** One atomic step: these rows by their key, in place of those that are there, and nothing left of what `gone` names. */
  async merge(rows: readonly Record<string, unknown>[], gone: string | null): Promise<void> {
    const dimensions = await this.dimensions();
    const whole = dimensions === 0 ? rows : rows.map((one) => ({ [VECTOR]: null, ...one }));
    await this.#guard(() => {
      const merge = this.#table.mergeInsert('key').whenMatchedUpdateAll().whenNotMatchedInsertAll();
      return (gone === null ? merge : merge.whenNotMatchedBySourceDelete({ where: gone })).execute(whole);
    });
  }

  /** Of the column of vectors; 0 while there is none. */
  async dimensions(): Promise<number> {
    const { fields } = await this.#read(() => this.#table.schema());
    return fields.find(({ name }) => name === VECTOR)?.type.listSize ?? 0;
  }

  /** An empty column of vectors of this length. */
  async renewVectors(dimensions: number): Promise<void> {
    const { Field, FixedSizeList, Float32 } = this.#packages.arrow as Record<
      string,
      new (
        ...all: unknown[]
      ) => object
    >;
    await this.#guard(async () => {
      if ((await this.dimensions()) > 0) await this.#table.dropColumns([VECTOR]);
      const list = new FixedSizeList!(dimensions, new Field!('item', new Float32!(), true));
      await this.#table.addColumns([new Field!(VECTOR, list, true)]);
    });
  }

  /**
   * Rows without a vector are none of the nearest. They are not asked for by `IS NOT NULL`: that reads every vector, and
   * took 2.6 s where the search itself takes 40 ms (100,000 chunks, 2 cores under load).
   */
  near(
    vector: Float32Array,
    where: string | null,
    most: number,
    columns: readonly string[],
  ): Promise<readonly Row[]> {
    return this.#read(() => {
      const search = this.#table.vectorSearch(vector).distanceType('cosine');
      return (where === null ? search : search.where(where))
        .nprobes(PROBES)
        .refineFactor(REFINE)
        .limit(most)
        .select([...columns, '_distance'])
        .toArray();
    });
  }

  /** The files of rows, and the pieces of the index of vectors: 0 while there is none. */
  layout(): Promise<{ readonly files: number; readonly pieces: number }> {
    return this.#guard(async () => {
      const { fragmentStats } = await this.#table.stats();
      const index = await this.#table.indexStats(INDEX);
      return { files: fragmentStats.numFragments, pieces: index?.numIndices ?? 0 };
    });
  }

  /** Rows into few files, into the indexes, and what no reader of the last seconds needs off the disk. */
  async tidy(keepSeconds: number): Promise<void> {
    await this.#guard(async () => {
      const indexed = (await this.#table.listIndices()).map(({ name }) => name);
      const { Index } = this.#packages.lancedb;
      for (const column of ['key', 'doc_id'])
        if (!indexed.includes(`${column}_idx`) && (await this.count('true')) > 1000)
          await this.#table.createIndex(column, { config: Index.btree() });
      await this.#optimize(keepSeconds);
      const { pieces } = await this.layout();
      if (pieces > MOST_PIECES) {
        await this.#table.dropIndex(INDEX);
        await this.#optimize(keepSeconds);
      }
      if (pieces === 0 || pieces > MOST_PIECES) await this.#indexVectors(keepSeconds);
    });
  }

  /** Made after all rows have come into one file: that takes 2 s of processor time, where 17 files take 30 to 130 (100,000 chunks). */
  async #indexVectors(keepSeconds: number): Promise<void> {
    const vectors = (await this.dimensions()) === 0 ? 0 : await this.count(`${VECTOR} IS NOT NULL`);
    if (vectors < WORTH_AN_INDEX) return;
    const numPartitions = Math.max(1, Math.round(vectors / PART_OF_INDEX));
    const config = this.#packages.lancedb.Index.ivfRq({ distanceType: 'cosine', numPartitions });
    await this.#table.createIndex(VECTOR, { config });
    // Parts that are still too small or too large are joined and divided now, one at a time, while there is only one file.
    for (
      let before: string | undefined, now = await this.#indexId();
      now !== before;
      now = await this.#indexId()
    ) {
      before = now;
      await this.#optimize(keepSeconds);
    }
  }

  async #indexId(): Promise<string | undefined> {
    return (await this.#table.listIndices()).find(({ name }) => name === INDEX)?.indexUuid;
  }

  /** Files that a killed writer left are removed, too, where a lock keeps other writers away. */
  async #optimize(keepSeconds: number): Promise<void> {
    const cleanupOlderThan = new Date(Date.now() - keepSeconds * 1000);
    await this.#table.optimize({ cleanupOlderThan, deleteUnverified: keepSeconds === 0 });
  }

  close(): void {
    this.#table.close();
    this.#close();
  }

  /** A file that another process has just tidied away is in no newer version, and each try reads the newest. */
  async #read<T>(run: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#guard(run);
      } catch (error) {
        if (tries === MOST_TRIES || !/not found/i.test(reasonOf(error))) throw error;
      }
    }
  }

  async #guard<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw failed(this.place, error);
    }
  }
}

const DAMAGED =
  'its table is damaged, or not of this version of Strata. Restore a backup, or remove the folder and add the documents again';
const NEXT_STEPS: readonly (readonly [RegExp, string])[] = [
  [/No space left|ENOSPC/i, 'the disk is full; nothing was written. Free some space and try again'],
  [/EEXIST|ENOTDIR|Not a directory/i, 'this is a file; name a folder'],
  [
    /EACCES|EROFS|Permission denied|Read-only file system/i,
    'the library cannot be written; check the permissions of the file and its folder',
  ],
  [/Not found|sufficient data|No field named|partial-schema/i, DAMAGED],
];

function failed(place: string, error: unknown): unknown {
  if (error instanceof StrataError) return error;
  // Without the places in LanceDB's own source.
  const reason = reasonOf(error)
    .split('\n')[0]!
    .replace(/, \/\S+\.rs:.*$/, '');
  const next = NEXT_STEPS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'LanceDB refused';
  return new StrataError('STORE_FAILED', `${place}: ${next} (${reason})`, { cause: error });
}
