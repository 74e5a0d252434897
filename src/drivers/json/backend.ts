import { existsSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isStrataError, StrataError } from '../../model/errors.js';
import type { Backend, Finding, Reindex } from '../../store/backend.js';
import { inspectSnapshot } from './check.js';
import { flushFolder, writeFlushed } from './durable.js';
import {
  documentName,
  RECORDS_FOLDER,
  STATE_FOLDER,
  statePath,
  VECTORS_FOLDER,
  vectorsName,
} from './layout.js';
import { leftovers } from './leftovers.js';
import { refuseLinkedFolders } from './library-file.js';
import { manifestText, newestGeneration } from './manifest.js';
import { recordPath } from './record-files.js';
import { Snapshot, storeFailed } from './snapshot.js';
import { Writer } from './writer.js';

export interface JsonOptions {
  /** The library's folder; made if it is not there. */
  readonly path: string;
  /** How long a writer waits for another, in milliseconds. */
  readonly patience?: number;
  /** How words are made of records, for `check` to compare and to make them again. */
  readonly reindex?: Reindex;
}

/**
 * What this store is meant for: everything is read when the library is opened. 6,000 chunks of the Kubernetes docs took
 * 1.1 s of CPU and 180 MB (2 cores of 2026, docs/decisions/json-store.md); beyond this SQLite serves better.
 */
export const MEANT_FOR_CHUNKS = 10_000;

/** A library as a folder of JSON files, one per slice, with its indexes in memory. */
export async function jsonBackend(options: JsonOptions): Promise<Backend> {
  const path = resolve(options.path);
  const snapshot = new Snapshot(path);
  const writer = new Writer(path, snapshot, options.patience);
  const { library } = snapshot;
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await refuseLinkedFolders(path);
    await snapshot.refresh();
  } catch (error) {
    throw storeFailed(path, error);
  }
  await sweepAfterDeadWriters(path, snapshot, writer);

  /** Every read is of the newest generation. */
  const read = async <T>(answer: () => T): Promise<Awaited<T>> => {
    await snapshot.refresh();
    return await answer();
  };

  const examine = async (fix: boolean): Promise<readonly Finding[]> => {
    const { findings, repairs } = inspectSnapshot(path, snapshot, options.reindex);
    if (fix && findings.some(({ fixed }) => fixed)) await writer.repair(repairs);
    return findings.map((finding) => ({ ...finding, fixed: fix && finding.fixed }));
  };

  const check = async (fix: boolean): Promise<readonly Finding[]> => {
    try {
      return await writer.exclusively({}, () => examine(fix));
    } catch (error) {
      if (fix || !isStrataError(error, 'STORE_FAILED')) throw error;
      // Not ours to write, hence no lock: what a live writer has in hand may look like something left behind.
      await snapshot.refresh();
      const { findings } = inspectSnapshot(path, snapshot, options.reindex);
      return findings
        .filter(({ area }) => area !== 'leftover')
        .map((finding) => ({ ...finding, fixed: false }));
    }
  };

  return {
    driver: 'json',
    location: path,
    words: {
      match: (query) => read(() => library.words.match(query)),
      termsWithPrefix: (prefix, limit) => read(() => library.words.termsWithPrefix(prefix, limit)),
      frequencies: (terms) => read(() => library.words.frequencies(terms)),
    },
    vectors: {
      near: (query) => read(() => library.vectors.near(query)),
      pending: (fingerprint, limit) => read(() => library.vectors.pending(fingerprint, limit)),
      scores: (chunkIds, query) => read(() => library.vectors.scores(chunkIds, query)),
      sample: (count) => read(() => library.vectors.sample(count)),
      stored: (chunkIds) => read(() => library.vectors.stored(chunkIds)),
      state: () => read(() => library.vectors.state()),
      put: (batch) => writer.putVectors(batch),
      activate: (fingerprint, dimensions) => writer.activate(fingerprint, dimensions),
    },
    commit: (change) => writer.commit(change),
    generation: () => read(() => library.generation),
    document: (id) => read(() => library.document(id)),
    documentsById: (ids) => read(() => library.documentsById(ids)),
    documentBySource: (source) => read(() => library.documentBySource(source)),
    documents: (page) => read(() => library.documents(page)),
    counts: () => read(() => library.counts()),
    chunk: (id) => read(() => library.chunk(id)),
    documentIdsOf: (ids) => read(() => ids.map((id) => library.chunk(id)?.doc_id ?? null)),
    idsBetween: (...range) => read(() => library.idsBetween(...range)),
    chunksById: (ids) => read(() => ids.flatMap((id) => library.chunk(id) ?? [])),
    chunksOf: (docId) => read(() => library.chunksOf(docId)),
    adjacent: (...asked) => read(() => library.adjacent(...asked)),
    sections: (docId) => read(() => library.sections(docId)),
    content: (docId) => read(() => library.content(docId)),
    record: (kind, id) => read(() => library.record(kind, id)),
    kinds: () => read(() => library.kinds()),
    records: (kind) => read(() => library.records(kind)),
    damage: () => read(() => snapshot.damage()),
    check: ({ fix = false } = {}) => check(fix),
    backup: (destination) => writer.exclusively({}, () => copyLibrary(path, snapshot, resolve(destination))),
    tidy: () => writer.tidy(),
    close: () => writer.settle(),
  };
}

/** What dead writers left goes when the library is opened; a live writer's is not touched, since it holds the lock. */
async function sweepAfterDeadWriters(path: string, snapshot: Snapshot, writer: Writer): Promise<void> {
  if (leftovers(path, snapshot.manifest).length === 0) return;
  try {
    await writer.exclusively({ patience: 0 }, () => writer.sweep());
  } catch (error) {
    // Busy: its own affair. Read-only: nobody writes here anyway.
    if (!isStrataError(error, 'STORE_BUSY') && !isStrataError(error, 'STORE_FAILED')) throw error;
  }
}

/** Under the lock: what counts, and nothing else; the manifest last, so that a half copy is no library. */
async function copyLibrary(path: string, { manifest }: Snapshot, destination: string): Promise<void> {
  if (existsSync(destination) && (await readdir(destination)).length > 0) {
    const message = `${destination} is not empty: name a new folder for the backup.`;
    throw new StrataError('INVALID_ARGUMENT', message);
  }
  for (const folder of [RECORDS_FOLDER, VECTORS_FOLDER, STATE_FOLDER]) {
    await mkdir(join(destination, folder), { recursive: true, mode: 0o700 });
  }
  const names = [
    ...[...manifest.documents].map(([id, revision]) => documentName(id, revision)),
    ...manifest.records.map((entry) => recordPath('', entry)),
    ...manifest.vectors.files.map(({ revision }) => join(VECTORS_FOLDER, vectorsName(revision))),
  ];
  for (const name of names) await cp(join(path, name), join(destination, name), { recursive: true });
  if (newestGeneration(path) > 0) {
    await writeFlushed(statePath(destination, manifest.generation), manifestText(manifest));
  }
  await flushFolder(destination);
}
