import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StrataError } from '../../model/errors.js';
import type { Backend, Change, Reindex } from '../../store/backend.js';
import { acquireLock, type LockOptions } from '../../store/lock/lock.js';
import { oneQuestion } from '../../store/one-question.js';
import { storedChange } from '../../store/records.js';
import { validateChange, validateDocument } from '../../store/validate.js';
import { cachedWords } from '../../store/words/words-cache.js';
import { WordsReader } from '../../store/words/words-reader.js';
import { examine } from './check.js';
import { Commit } from './commit.js';
import { Reads } from './reads.js';
import { Table } from './table.js';
import { LanceVectors } from './vectors.js';
import { mergeDue, stateReader, wordsSource } from './word-rows.js';

export interface LanceOptions {
  /** A folder, or an object store's URL. */
  readonly path: string;
  readonly patience?: number;
  readonly reindex?: Reindex | undefined;
  /** For an object store: a folder of this machine that keeps what searches need of the word index. */
  readonly cache?: string | undefined;
}

/** After this many commits of a process the table is tidied: each leaves a version and small files behind. */
const TIDY_AFTER = 50;
/**
 * So are many new passages, as many as were there before: until then they stand in no index, and reads look at all of them.
 * More often would leave the index of vectors in many pieces.
 */
const MANY_PASSAGES = 1000;
/** Readers look for the newest version each time; who reads an older one has this long to finish. Ten minutes kept 2.4 GB where 0.5 are live. */
const KEEP_MINUTES = 1;

/** A library in LanceDB: one table, one version per change, one writer at a time (docs/guides/stores.md). */
export async function lancedbBackend({ path, patience, reindex, cache }: LanceOptions): Promise<Backend> {
  const isRemote = path.includes('://');
  const place = isRemote ? path : resolve(path);
  if (!isRemote) await mkdir(place, { recursive: true });
  const table = await Table.open(place);
  const stateNow = stateReader(table);
  const source = wordsSource(table, stateNow);
  const cached = isRemote && cache !== undefined ? await cachedWords(source, cache) : null;
  const reader = new WordsReader(cached ?? source);
  const reads = new Reads(table, reader);
  let turn: Promise<unknown> = Promise.resolve();
  const untidy = { commits: 0, passages: 0 };
  let tidied = 0;
  let tidying: Promise<void> = Promise.resolve();

  /** Writers take turns: of this process by a queue, of others by a lock in the folder. An object store has none. */
  const exclusively = <T>(body: () => Promise<T>, options: LockOptions = {}): Promise<T> => {
    const run = async (): Promise<T> => {
      if (isRemote) return body();
      const lock = await acquireLock(join(place, 'lock'), {
        ...(patience !== undefined && { patience }),
        ...options,
      });
      try {
        return await body();
      } finally {
        await lock.release();
      }
    };
    const mine = turn.then(run);
    turn = mine.catch(() => {});
    return mine;
  };

  const tidy = (): Promise<void> =>
    exclusively(async () => {
      await mergeDue(table);
      await table.tidy(KEEP_MINUTES);
      tidied = await table.count("kind = 'chunk'");
    });

  const commit = async (given: Change) => {
    const change = storedChange(given);
    validateChange(change);
    for (const write of change.put ?? []) validateDocument(write);
    const { onWait, signal } = change;
    const report = await exclusively(() => Commit.apply(table, change), {
      ...(onWait && { onWait }),
      ...(signal && { signal }),
    });
    untidy.commits++;
    untidy.passages += report.added;
    if (untidy.commits < TIDY_AFTER && untidy.passages < Math.max(MANY_PASSAGES, tidied)) return report;
    Object.assign(untidy, { commits: 0, passages: 0 });
    tidying = tidy().catch(() => {});
    return report;
  };

  const vectors = new LanceVectors(table, reader, stateNow, exclusively);
  let counted: { readonly generation: number; readonly counts: Awaited<ReturnType<Reads['counts']>> } | null =
    null;
  const backend: Backend = {
    driver: 'lancedb',
    location: place,
    words: reader,
    vectors,
    commit,
    generation: async () => (await stateNow()).generation,
    document: (id) => reads.document(id),
    documentsById: (ids) => reads.documentsById(ids),
    documentBySource: (source) => reads.documentBySource(source),
    documents: (page) => reads.documents(page),
    counts: () => reads.counts(),
    chunk: async (id) => (await reads.chunksById([id]))[0] ?? null,
    documentIdsOf: (ids) => reads.documentIdsOf(ids),
    idsBetween: (...range) => reads.idsBetween(...range),
    chunksById: (ids) => reads.chunksById(ids),
    chunksOf: (docId) => reads.chunksOf(docId),
    adjacent: (...at) => reads.adjacent(...at),
    sections: (docId) => reads.sections(docId),
    content: (docId) => reads.content(docId),
    record: (kind, id) => reads.record(kind, id),
    kinds: () => reads.kinds(),
    records: (kind) => reads.records(kind),
    forOneQuestion: async () => {
      const generation = await reader.look();
      if (counted?.generation !== generation) counted = { generation, counts: await reads.counts() };
      return oneQuestion(backend, { generation, counts: counted.counts, words: reader.asSeen, vectors });
    },
    damage: () => reads.damage(),
    check: async ({ fix = false } = {}) => {
      const findings = await exclusively(() => examine(table, reads, reindex, fix));
      if (fix && findings.length > 0) reader.reset();
      return findings;
    },
    backup: async (destination) => {
      if (isRemote) throw new StrataError('UNSUPPORTED', `${place}: copy the folder in the object store`);
      if (existsSync(destination))
        throw new StrataError('INVALID_ARGUMENT', `${destination} exists already; name a new folder.`);
      await exclusively(() =>
        cp(place, destination, { recursive: true, filter: (name) => !name.startsWith(join(place, 'lock')) }),
      );
    },
    tidy,
    close: async () => {
      await turn;
      await tidying;
      await cached?.finish();
      table.close();
    },
  };
  return backend;
}
