import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { reasonOf, StrataError } from '../../model/errors.js';
import type { Finding } from '../../store/backend.js';
import type { StoredVector } from '../../store/index/quantise.js';
import { MemoryLibrary } from '../../store/memory/memory.js';
import { type Problem, type ReadDocument, readDocument } from './document-files.js';
import { documentName, VECTORS_FOLDER, vectorsName } from './layout.js';
import {
  EMPTY_MANIFEST,
  type Manifest,
  newestGeneration,
  type RecordEntry,
  readManifest,
  recordKey,
  type VectorFileEntry,
} from './manifest.js';
import { readRecord } from './record-files.js';
import { recoverManifest } from './recover.js';
import { readVectors, type VectorRows } from './vector-files.js';

/** Reading goes on in slices of this length, so that a server stays responsive while a large library loads. */
const SLICE_MS = 10;

/**
 * The library in memory, kept in step with the folder. A read asks first whether the generation has changed (one
 * small folder is listed) and then loads only what has: so other processes' commits are seen at once, and whole.
 */
export class Snapshot {
  readonly library = new MemoryLibrary();
  manifest: Manifest = EMPTY_MANIFEST;
  /** What could not be served as it should, by the thing's name. */
  readonly #damage = new Map<string, readonly Finding[]>();
  readonly #vectorRows = new Map<number, VectorRows | null>();
  readonly #path: string;
  #seen = 0;
  #refreshing: Promise<void> | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Findings about what is loaded: damaged parts are reported here and left out of what is served. */
  damage(): readonly Finding[] {
    return [...this.#damage.values()].flat();
  }

  /** Bring the library up to the generation on disk now, or a later one. Callers at the same time share one run. */
  async refresh(): Promise<void> {
    const wanted = newestGeneration(this.#path);
    while (this.#seen !== wanted) {
      this.#refreshing ??= this.#load().finally(() => {
        this.#refreshing = null;
      });
      await this.#refreshing;
      // Not "until it is the newest": other processes may write faster than we could ever read.
      if (this.#seen > wanted || this.#seen === newestGeneration(this.#path)) return;
    }
  }

  async #load(): Promise<void> {
    // What was read whole counts in the next round too, so that each round has less to do.
    const read = new Map<string, ReadDocument>();
    for (;;) {
      const generation = newestGeneration(this.#path);
      const found = generation === 0 ? EMPTY_MANIFEST : readManifest(this.#path, generation);
      if (found === 'gone') continue;
      const manifest = found === 'damaged' ? recoverManifest(this.#path, generation) : found;
      const incoming = await this.#read(manifest, read);
      // What the manifest names may have been swept while we read, but only after a newer one was in place.
      if (!isWhole(incoming) && newestGeneration(this.#path) !== generation) continue;
      this.#adopt(manifest, incoming);
      if (found === 'damaged') this.#report('state', [{ area: 'file', message: damagedState(this.#path) }]);
      else this.#damage.delete('state');
      this.#seen = generation;
      return;
    }
  }

  /** Documents and records that are new or changed. Nothing is changed here. */
  async #read(manifest: Manifest, read: Map<string, ReadDocument>): Promise<Incoming> {
    const incoming: Incoming = { documents: [], records: [] };
    let since = performance.now();
    for (const [id, revision] of manifest.documents) {
      if (this.manifest.documents.get(id) === revision) continue;
      const name = documentName(id, revision);
      const document = read.get(name) ?? readDocument(join(this.#path, name), id);
      if (document.problems.length === 0) read.set(name, document);
      incoming.documents.push({ id, ...document });
      if (performance.now() - since < SLICE_MS) continue;
      await turn();
      since = performance.now();
    }
    const known = recordRevisions(this.manifest);
    for (const entry of manifest.records) {
      if (known.get(recordKey(entry)) !== entry.revision) {
        incoming.records.push({ ...entry, ...readRecord(this.#path, entry) });
      }
    }
    for (const file of manifest.vectors.files) this.rowsOf(file);
    return incoming;
  }

  /** One synchronous step: whoever reads sees the state before or after. */
  #adopt(manifest: Manifest, { documents, records }: Incoming): void {
    const gone = [...this.manifest.documents.keys()].filter((id) => !manifest.documents.has(id));
    const kept = recordRevisions(manifest);
    const goneRecords = this.manifest.records.filter((entry) => !kept.has(recordKey(entry)));
    for (const id of gone) this.#damage.delete(id);
    for (const { id, problems } of documents) this.#report(id, problems, id);
    for (const record of records) {
      this.#report(
        recordKey(record),
        'problem' in record ? [{ area: 'record', message: record.problem }] : [],
      );
    }
    const damaged = documents.filter(({ write }) => write === null).map(({ id }) => id);
    this.library.load(
      {
        put: documents.flatMap(({ write }) => write ?? []),
        remove: [...gone, ...damaged],
        records: [
          ...goneRecords.map(({ kind, id }) => ({ kind, id, value: null })),
          ...records.map((record) => ({ ...record, value: 'value' in record ? record.value : null })),
        ],
      },
      manifest.generation,
    );
    if (manifest.vectors !== this.manifest.vectors) this.#adoptVectors(manifest);
    this.manifest = manifest;
  }

  #adoptVectors({ vectors: { active, spaces, files } }: Manifest): void {
    const live = new Set(files.map(({ revision }) => revision));
    for (const revision of this.#vectorRows.keys())
      if (!live.has(revision)) this.#vectorRows.delete(revision);
    const restored = new Map(
      spaces.map(({ fingerprint, dimensions }) => [
        fingerprint,
        { dimensions, vectors: new Map<string, StoredVector>() },
      ]),
    );
    const problems: Problem[] = [];
    for (const file of files) {
      const rows = this.rowsOf(file);
      if (rows === null) {
        const path = join(this.#path, VECTORS_FOLDER, vectorsName(file.revision));
        problems.push({
          area: 'vectors',
          message: `${path} is damaged: its ${file.count} vectors will be made again`,
        });
        continue;
      }
      const dropped = new Set(file.dropped);
      const { vectors } = restored.get(file.fingerprint)!;
      for (const [row, key] of rows.keys.entries())
        if (!dropped.has(row)) vectors.set(key, rows.vectors[row]!);
    }
    this.#report('vectors', problems);
    this.library.vectors.restore(restored, active);
  }

  /** The rows of a vector file; null when it is damaged. */
  rowsOf({ revision }: Pick<VectorFileEntry, 'revision'>): VectorRows | null {
    if (!this.#vectorRows.has(revision)) {
      this.#vectorRows.set(revision, readVectors(join(this.#path, VECTORS_FOLDER, vectorsName(revision))));
    }
    return this.#vectorRows.get(revision)!;
  }

  /** After a commit of our own: the library has been changed already. */
  committed(manifest: Manifest): void {
    for (const [id, revision] of this.manifest.documents) {
      if (manifest.documents.get(id) !== revision) this.#damage.delete(id);
    }
    const kept = recordRevisions(manifest);
    for (const entry of this.manifest.records) {
      if (kept.get(recordKey(entry)) !== entry.revision) this.#damage.delete(recordKey(entry));
    }
    this.#damage.delete('state');
    this.manifest = manifest;
    this.library.generation = manifest.generation;
    this.#seen = manifest.generation;
  }

  #report(name: string, problems: readonly Problem[], doc_id?: string): void {
    if (problems.length === 0) this.#damage.delete(name);
    else {
      const concerned = doc_id === undefined ? {} : { doc_id };
      this.#damage.set(
        name,
        problems.map((problem) => ({ ...problem, ...concerned, fixed: false })),
      );
    }
  }
}

interface Incoming {
  readonly documents: (ReadDocument & { readonly id: string })[];
  readonly records: (RecordEntry & ReturnType<typeof readRecord>)[];
}

const isWhole = ({ documents, records }: Incoming): boolean =>
  documents.every(({ problems }) => problems.length === 0) && records.every((record) => 'value' in record);

const recordRevisions = ({ records }: Manifest): Map<string, number> =>
  new Map(records.map((entry) => [recordKey(entry), entry.revision]));

const damagedState = (path: string): string =>
  `the list of what counts, in ${join(path, 'state')}, is damaged; it was made again from the documents`;

/** Any failure of the file system as the store's own error. */
export const storeFailed = (path: string, error: unknown): StrataError =>
  error instanceof StrataError
    ? error
    : new StrataError('STORE_FAILED', `${path}: ${reasonOf(error)}`, { cause: error });
