import { StrataError } from '../../model/errors.js';
import type { Backend, Change, Reindex } from '../../store/backend.js';
import { oneQuestion } from '../../store/one-question.js';
import { storedChange } from '../../store/records.js';
import { validateChange, validateDocument } from '../../store/validate.js';
import { cachedWords, type WordsCache } from '../../store/words/words-cache.js';
import { WordsReader, type WordsSource } from '../../store/words/words-reader.js';
import type { Address } from './address.js';
import { examine } from './check.js';
import { Commit } from './commit.js';
import { embeddingIndex } from './embedding-column.js';
import { Merger } from './merger.js';
import { Pool } from './pool.js';
import { Reads } from './reads.js';
import { migrate } from './schema.js';
import { PostgresVectors } from './vectors.js';
import { wordsSource } from './word-rows.js';

export interface PostgresOptions {
  readonly address: Address;
  /** How long a writer waits for its turn before STORE_BUSY. */
  readonly patience_ms?: number;
  /** How words are made of records, for `check` to compare and to rebuild them. */
  readonly reindex?: Reindex;
  /** A folder of this machine that keeps what searches need of the word index. */
  readonly cache?: string | undefined;
}

const PATIENCE_MS = 60_000;

/** A library in PostgreSQL with pgvector: many machines read and write it (docs/guides/stores.md). */
export async function postgresBackend({
  address,
  patience_ms = PATIENCE_MS,
  reindex,
  cache,
}: PostgresOptions): Promise<Backend> {
  const pool = await Pool.open(address, patience_ms);
  try {
    await migrate(pool);
  } catch (error) {
    await pool.close();
    throw error;
  }
  const source = wordsSource(pool, (state) => vectors.note(state));
  const cached = cache === undefined ? null : await openCache(pool, source, cache);
  const reader = new WordsReader(cached ?? source);
  const vectors = new PostgresVectors(pool, reader);
  const merger = new Merger(pool);
  const reads = new Reads(pool, reader);
  const commit = async (given: Change) => {
    const change = storedChange(given);
    validateChange(change);
    for (const write of change.put ?? []) validateDocument(write);
    const report = await pool.exclusively((sql, state) => new Commit(pool, sql, state).apply(change), change);
    merger.start();
    return report;
  };
  const backend: Backend = {
    driver: 'postgres',
    location: address.shown,
    words: reader,
    vectors,
    commit,
    generation: async () => (await wordsSource(pool).state()).generation,
    document: (id) => reads.document(id),
    documentsById: (ids) => reads.documentsById(ids),
    documentBySource: (source) => reads.documentBySource(source),
    documents: (page) => reads.documents(page),
    counts: () => reads.counts(),
    chunk: (id) => reads.chunk(id),
    documentIdsOf: (ids) => reads.documentIdsOf(ids),
    idsBetween: (...range) => reads.idsBetween(...range),
    chunksById: (ids) => reads.chunksById(ids),
    chunksOf: (docId) => reads.chunksOf(docId),
    adjacent: (...place) => reads.adjacent(...place),
    sections: (docId) => reads.sections(docId),
    content: (docId) => reads.content(docId),
    record: (kind, id) => reads.record(kind, id),
    kinds: () => reads.kinds(),
    records: (kind) => reads.records(kind),
    forOneQuestion: async () => {
      const generation = await reader.look();
      const counts = await reads.countsAt(generation);
      return oneQuestion(backend, {
        generation,
        counts,
        words: reader.asSeen,
        vectors: await vectors.asSeen(),
      });
    },
    damage: () => reads.damage(),
    check: async ({ fix = false } = {}) => {
      const findings = await examine(pool, reindex, fix);
      if (fix && findings.length > 0) {
        reader.reset();
        await commit({});
      }
      return findings;
    },
    backup: async () => {
      throw new StrataError(
        'UNSUPPORTED',
        'A library in PostgreSQL is backed up by `strata backup` or pg_dump.',
      );
    },
    tidy: async () => {
      await merger.run(true);
      await purge(pool);
      await embeddingIndex(pool);
    },
    close: async () => {
      await merger.stop();
      await cached?.finish();
      await pool.close();
    },
  };
  return backend;
}

/** Emptied pages are kept to be noticed by other processes; those that have not looked by now read all of them. */
async function purge(pool: Pool): Promise<void> {
  const { library } = pool.address;
  await pool.exclusively(async (sql) => {
    const gone =
      await sql`DELETE FROM ${pool.table('strata_pages')} WHERE library = ${library} AND data = ''`;
    if (gone.count === 0) return;
    await sql`UPDATE ${pool.table('strata_libraries')} SET purged = generation, index_version = index_version + 1
        WHERE name = ${library}`;
  });
}

async function openCache(pool: Pool, source: WordsSource, folder: string): Promise<WordsCache> {
  try {
    return await cachedWords(source, folder);
  } catch (error) {
    await pool.close();
    throw error;
  }
}
