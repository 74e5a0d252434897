import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
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

/**
 * Each write leaves a small file that stands in no index, and each of the reads of a search looks into all of them: 18 of them made searches by
 * words twice as slow. With this many the table is tidied (0.3 s), whichever processes wrote them; an update is two, its records and its vectors.
 */
const LOOSE_FILES = 10;
/** Without an index of vectors LanceDB puts all rows into one file whenever it tidies, so that is done less often. */
const LOOSE_FILES_BEFORE_INDEX = 50;
/** So are many new passages, as many as were there before: reads look at all of them. */
const MANY_PASSAGES = 1000;
/**
 * In an object store, which has no lock, another writer may still build on an older version. In a folder nothing is kept: old rows would stand
 * on the disk beside the new ones, and who reads them reads again.
 */
const KEEP_SECONDS = 60;

/** A library in LanceDB: one table, one version per change, one writer at a time (docs/guides/stores.md). */
export async function lancedbBackend({ path, patience, reindex, cache }: LanceOptions): Promise<Backend> {
  const isRemote = path.includes('://');
  const place = isRemote ? path : resolve(path);
  const table = await Table.open(place);
  const stateNow = stateReader(table);
  const source = wordsSource(table, stateNow);
  const cached = isRemote && cache !== undefined ? await cachedWords(source, cache) : null;
  const reader = new WordsReader(cached ?? source);
  const reads = new Reads(table, reader);
  let turn: Promise<unknown> = Promise.resolve();
  let newPassages = 0;
  let tidied = 0;
  let tidying: Promise<void> | null = null;

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
      newPassages = 0;
      await mergeDue(table);
      await table.tidy(isRemote ? KEEP_SECONDS : 0);
      tidied = await table.count("kind = 'chunk'");
    });

  const tidyWhenDue = async (): Promise<void> => {
    const { files, pieces } = await table.layout();
    const most = pieces === 0 ? LOOSE_FILES_BEFORE_INDEX : LOOSE_FILES;
    if (files - pieces >= most || newPassages >= Math.max(MANY_PASSAGES, tidied)) await tidy();
  };

  const commit = async (given: Change) => {
    const change = storedChange(given);
    validateChange(change);
    for (const write of change.put ?? []) validateDocument(write);
    const { onWait, signal } = change;
    const report = await exclusively(() => Commit.apply(table, change), {
      ...(onWait && { onWait }),
      ...(signal && { signal }),
    });
    newPassages += report.added;
    tidying ??= tidyWhenDue()
      .catch(() => {})
      .finally(() => {
        tidying = null;
      });
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
