import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StrataError } from '../../model/errors.js';
import type { Backend, Change, PackedWrite, Reindex } from '../../store/backend.js';
import { validateChange } from '../../store/validate.js';
import { UnitFilters } from '../../store/words/unit-filters.js';
import { Connection } from './connection.js';
import { trustDefinitions } from './definitions.js';
import { examineLibrary } from './doctor/doctor.js';
import { isReadOnly, storeError } from './failure.js';
import { filterRows } from './filter-rows.js';
import { refuseForeignFiles } from './own-files.js';
import { Commit } from './records/commit.js';
import { asPacked } from './records/packed-document.js';
import { Reads } from './records/reads.js';
import { migrate, SCHEMA_VERSION, schemaVersion } from './schema.js';
import { readState } from './state.js';
import { SqliteVectors } from './vectors/vectors.js';
import { IndexCache } from './words/index-cache.js';
import { Merger } from './words/merger.js';
import { SqliteWords } from './words/words.js';

export interface SqliteOptions {
  /** The library's file; it and its folder are made when missing. */
  readonly path: string;
  /** How long a writer waits for its turn before STORE_BUSY. */
  readonly patience_ms?: number;
  /** How words are made of records, for `check` to compare and to rebuild them. */
  readonly reindex?: Reindex;
}

const PATIENCE_MS = 60_000;

/** The embedded default: one SQLite file. See docs/decisions/segment-index.md for how words are kept in it. */
export async function sqliteBackend(options: SqliteOptions): Promise<Backend> {
  const { path, patience_ms = PATIENCE_MS, reindex } = options;
  const location = resolve(path);
  const connection = await open(location, patience_ms);
  const index = new IndexCache(connection, () => filters.forget());
  const filters = new UnitFilters(filterRows(connection), () => index.table);
  const merger = new Merger(connection);
  const reads = new Reads(connection, index, filters);
  const commit = async (change: Change) => {
    validateChange(change);
    const put: PackedWrite[] = [];
    for (const write of change.put ?? []) put.push(await asPacked(write));
    const packed = { ...change, put };
    const report = await connection.write(() => new Commit(connection).apply(packed, merger), change);
    await merger.afterCommit();
    fitCache(connection);
    return report;
  };
  return {
    driver: 'sqlite',
    location,
    words: new SqliteWords(connection, index, filters),
    vectors: new SqliteVectors(connection, index, filters),
    commit,
    generation: async () => readState(connection).generation,
    document: async (id) => reads.document(id),
    documentsById: async (ids) => reads.documentsById(ids),
    documentBySource: async (source) => reads.documentBySource(source),
    documents: async (page) => reads.documents(page),
    counts: async () => reads.counts(),
    chunk: async (id) => reads.chunk(id),
    documentIdsOf: async (ids) => reads.documentIdsOf(ids),
    idsBetween: async (...range) => reads.idsBetween(...range),
    chunksById: async (ids) => reads.chunksById(ids),
    chunksOf: async (docId) => reads.chunksOf(docId),
    adjacent: async (...place) => reads.adjacent(...place),
    sections: async (docId) => reads.sections(docId),
    content: async (docId) => reads.content(docId),
    record: async (kind, id) => reads.record(kind, id),
    kinds: async () => reads.kinds(),
    records: async (kind) => reads.records(kind),
    check: async ({ fix = false } = {}) => {
      const openAt = (place: string) => sqliteBackend({ ...options, path: place });
      const renew = () => {
        configure(connection);
        trustDefinitions(connection);
        index.reset();
      };
      const settle = () => commit({});
      return examineLibrary({ connection, reindex, openAt, renew, settle }, fix);
    },
    damage: async () => reads.damage(),
    backup: async (destination) => backup(connection, resolve(destination)),
    tidy: () => merger.tidy(),
    close: async () => {
      await merger.stop();
      connection.close();
    },
  };
}

/** A copy of one moment, packed, while others read and write. */
function backup(connection: Connection, destination: string): void {
  if (existsSync(destination)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${destination} exists already; name a new file for the backup.`,
    );
  }
  mkdirSync(dirname(destination), { recursive: true });
  try {
    connection.run('VACUUM INTO ?', destination);
  } catch (error) {
    rmSync(destination, { force: true });
    throw error;
  }
}

async function open(path: string, patience: number): Promise<Connection> {
  let connection: Connection | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    refuseForeignFiles(path);
    makeFile(path);
    connection = new Connection(path, { patience });
    configure(connection);
    // Before anything is written: a trigger of somebody's would run.
    if (trustDefinitions(connection)) await migrate(connection);
    return connection;
  } catch (error) {
    connection?.close();
    const failure = storeError(error, path);
    if (!isReadOnly(error) || !existsSync(path)) throw failure;
    return openForReading(path, patience, failure);
  }
}

/** SQLite would let everybody read it. Its log takes the database's permissions. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // There already, or in a folder that cannot be written: SQLite says which.
  }
}

/**
 * A library in a folder that is not ours to write can still be searched. SQLite wants to write beside a WAL file even
 * to read it; where it may not, the file is taken as one that nobody changes meanwhile.
 */
function openForReading(path: string, patience: number, failure: unknown): Connection {
  for (const uri of [undefined, `${pathToFileURL(path)}?immutable=1`]) {
    const connection = new Connection(path, { patience, readOnly: true, ...(uri !== undefined && { uri }) });
    try {
      if (schemaVersion(connection) === SCHEMA_VERSION) {
        trustDefinitions(connection);
        return connection;
      }
    } catch (error) {
      if (!isReadOnly(error)) {
        connection.close();
        throw storeError(error, path);
      }
    }
    connection.close();
  }
  throw failure;
}

/**
 * WAL: readers and the writer do not wait for each other. `synchronous = NORMAL`: a killed process loses nothing; a
 * power cut may lose the last commits, never the library's consistency.
 */
function configure(connection: Connection): void {
  connection.exec(`
    PRAGMA page_size = 8192;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
    PRAGMA wal_autocheckpoint = 2000;
  `);
  fitCache(connection);
}

/** In kilobytes. */
const LEAST_CACHE = 4096;
const MOST_CACHE = 16384;

/** Half of the library is cached (pages have 8 kB): what a small one would not need is a third of what adding to it takes. */
function fitCache(connection: Connection): void {
  const [pages] = connection.get('PRAGMA page_count')!;
  const kilobytes = Math.max(LEAST_CACHE, Math.min(MOST_CACHE, Number(pages) * 4));
  connection.exec(`PRAGMA cache_size = -${kilobytes}`);
}
