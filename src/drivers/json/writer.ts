import { readdirSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from '../../model/errors.js';
import type { Change, CommitReport } from '../../store/backend.js';
import { acquireLock, type LockOptions } from '../../store/lock/lock.js';
import { storedChange } from '../../store/records.js';
import { validateDocument } from '../../store/validate.js';
import type { VectorBatch } from '../../store/vectors.js';
import type { Repairs } from './check.js';
import { Draft } from './draft.js';
import { discard, publish, severalAtOnce, writeFlushed } from './durable.js';
import {
  damagedName,
  documentName,
  LOCK_FOLDER,
  parseStateName,
  RECORDS_FOLDER,
  STATE_FOLDER,
  statePath,
  tempName,
  VECTORS_FOLDER,
  vectorsName,
} from './layout.js';
import { leftovers } from './leftovers.js';
import { liveFolders, type Manifest, manifestText, newestGeneration, recordKey } from './manifest.js';
import { keysWithoutChunks, plan } from './plan.js';
import { recordPath, recordText } from './record-files.js';
import { type Snapshot, storeFailed } from './snapshot.js';
import { dueForMerge, mergeRows, withoutKeys } from './vector-files.js';

/**
 * Writing: everything new is put beside what is there, flushed, and named; then the manifest is renamed into place,
 * and that one step is the commit. Whatever fails before it is taken back; what it made superfluous goes afterwards.
 */
export class Writer {
  readonly #path: string;
  readonly #snapshot: Snapshot;
  readonly #patience: number | undefined;
  /** One commit at a time within this handle; the lock is between handles and processes. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, snapshot: Snapshot, patience: number | undefined) {
    this.#path = path;
    this.#snapshot = snapshot;
    this.#patience = patience;
  }

  commit(change: Change): Promise<CommitReport> {
    return this.exclusively(change, () => this.#commit(change));
  }

  async #commit(given: Change): Promise<CommitReport> {
    const { library, manifest } = this.#snapshot;
    const change = storedChange(given);
    library.validate(change);
    const current = (id: string) => library.write(id);
    const after = plan(change, current);
    // Renamed and touched documents are written whole, so they are checked as whole ones: they were read from disk.
    const amended = [...(change.rename ?? []), ...(change.touch ?? [])].flatMap(
      ({ id }) => after.get(id) ?? [],
    );
    for (const write of new Set(amended)) validateDocument(write);
    const gone = keysWithoutChunks(after, current, (key) => library.vectors.usersOf(key));
    const vectors = withoutKeys(manifest.vectors, gone, (file) => this.#snapshot.rowsOf(file));
    const next = await this.#publish({ ...manifest, vectors }, async (draft) => {
      await severalAtOnce(after, ([id, write]) => draft.document(id, write));
      // The same record twice: the last one counts.
      const records = new Map((change.records ?? []).map((record) => [recordKey(record), record]));
      for (const { kind, id, value } of records.values()) {
        await draft.record({ kind, id }, value === null ? null : recordText(kind, id, value));
      }
    });
    const report = library.load(change, next.generation);
    await this.#committed(next);
    return report;
  }

  /** Under the lock: make whole again what can be, and set aside what cannot. */
  async repair({ documents, lost, lostRecords, vectors, unlisted }: Repairs): Promise<void> {
    if (documents.length > 0) await this.#commit({ put: documents });
    if (lost.length + lostRecords.length > 0 || vectors !== null || unlisted) {
      const { library, manifest } = this.#snapshot;
      const kept = new Map([...manifest.documents].filter(([id]) => !lost.includes(id)));
      const records = manifest.records.filter((entry) => !lostRecords.includes(recordKey(entry)));
      for (const id of lost) {
        const name = documentName(id, manifest.documents.get(id)!);
        await rename(join(this.#path, name), join(this.#path, damagedName(name))).catch(() => {});
      }
      const base = { ...manifest, documents: kept, records, vectors: vectors ?? manifest.vectors };
      const next = await this.#publish(base, async () => {});
      library.load({ remove: lost }, next.generation);
      await this.#committed(next);
    }
    await this.sweep();
  }

  putVectors(batch: VectorBatch): Promise<{ stored: number }> {
    return this.exclusively({}, async () => {
      const { library, manifest } = this.#snapshot;
      const stored = library.vectors.select(batch);
      if (stored.size === 0) return { stored: 0 };
      const { fingerprint, dimensions } = batch;
      const { active, spaces } = manifest.vectors;
      // A vector put again replaces the row that held it.
      const kept = withoutKeys(
        manifest.vectors,
        new Set(stored.keys()),
        (file) => this.#snapshot.rowsOf(file),
        fingerprint,
      );
      const vectors = {
        active: active ?? fingerprint,
        spaces: spaces.some((space) => space.fingerprint === fingerprint)
          ? spaces
          : [...spaces, { fingerprint, dimensions }],
        files: kept.files,
      };
      const next = await this.#publish({ ...manifest, vectors }, (draft) =>
        draft.vectors({ fingerprint, dimensions, keys: [...stored.keys()], vectors: [...stored.values()] }),
      );
      library.vectors.insert(batch, stored);
      await this.#committed(next);
      // The vectors are stored: a merge that fails now is tried again with the next batch.
      if (dueForMerge(next.vectors.files).length > 0) await this.#mergeVectors().catch(() => {});
      return { stored: stored.size };
    });
  }

  activate(fingerprint: string, dimensions: number): Promise<void> {
    return this.exclusively({}, async () => {
      const { library, manifest } = this.#snapshot;
      library.vectors.select({ fingerprint, dimensions, entries: [] });
      const vectors = {
        active: fingerprint,
        spaces: [{ fingerprint, dimensions }],
        files: manifest.vectors.files.filter((file) => file.fingerprint === fingerprint),
      };
      const next = await this.#publish({ ...manifest, vectors }, async () => {});
      await library.vectors.activate(fingerprint, dimensions);
      await this.#committed(next);
    });
  }

  tidy(): Promise<void> {
    return this.exclusively({}, async () => {
      if (dueForMerge(this.#snapshot.manifest.vectors.files).length > 0) await this.#mergeVectors();
      await this.sweep();
    });
  }

  /** Many small vector files become one. */
  async #mergeVectors(): Promise<void> {
    const { manifest } = this.#snapshot;
    const due = dueForMerge(manifest.vectors.files);
    const entries = due.flatMap((file) => {
      const rows = this.#snapshot.rowsOf(file);
      return rows === null ? [] : [{ file, rows }];
    });
    const [first] = entries;
    if (first === undefined) return;
    const { fingerprint, dimensions } = first.rows;
    const { keys, vectors } = mergeRows(entries);
    const files = manifest.vectors.files.filter((file) => !due.includes(file));
    const next = await this.#publish({ ...manifest, vectors: { ...manifest.vectors, files } }, (draft) =>
      draft.vectors({ fingerprint, dimensions, keys, vectors }),
    );
    await this.#committed(next);
  }

  /** Run with the lock held and the newest generation loaded. */
  exclusively<T>(options: LockOptions, run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      if (options.signal?.aborted) throw new StrataError('ABORTED', 'cancelled before anything was written');
      const patience = this.#patience === undefined ? {} : { patience: this.#patience };
      const lock = await acquireLock(join(this.#path, LOCK_FOLDER), { ...patience, ...options });
      try {
        await this.#snapshot.refresh();
        return await run();
      } catch (error) {
        throw storeFailed(this.#path, error);
      } finally {
        await lock.release();
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Wait for what is under way. */
  async settle(): Promise<void> {
    await this.#last;
  }

  /** The commit: the draft's new files, then the manifest. Everything is taken back if any of it fails. */
  async #publish(base: Manifest, fill: (draft: Draft) => Promise<void>): Promise<Manifest> {
    const generation = Math.max(base.generation, newestGeneration(this.#path)) + 1;
    const draft = new Draft(this.#path, base, generation);
    const temp = join(this.#path, tempName());
    const target = statePath(this.#path, generation);
    try {
      for (const folder of [RECORDS_FOLDER, VECTORS_FOLDER, STATE_FOLDER]) {
        await mkdir(join(this.#path, folder), { recursive: true, mode: 0o700 });
      }
      await fill(draft);
      const manifest = draft.manifest();
      await writeFlushed(temp, manifestText(manifest));
      await publish(temp, target);
      return manifest;
    } catch (error) {
      await discard(target);
      await discard(temp);
      await draft.takeBack();
      throw error;
    }
  }

  /** After the commit: what it made superfluous goes. A failure here is no harm, the next sweep takes it. */
  async #committed(after: Manifest): Promise<void> {
    const before = this.#snapshot.manifest;
    this.#snapshot.committed(after);
    const live = liveFolders(after);
    const superfluous = [...liveFolders(before)].filter((folder) => !live.has(folder));
    const records = new Set(after.records.map((entry) => recordPath('', entry)));
    superfluous.push(
      ...before.records.map((entry) => recordPath('', entry)).filter((file) => !records.has(file)),
    );
    const vectors = new Set(after.vectors.files.map(({ revision }) => revision));
    for (const { revision } of before.vectors.files) {
      if (!vectors.has(revision)) superfluous.push(join(VECTORS_FOLDER, vectorsName(revision)));
    }
    for (const name of readdirSync(join(this.#path, STATE_FOLDER))) {
      const generation = parseStateName(name);
      if (generation > 0 && generation < after.generation) superfluous.push(join(STATE_FOLDER, name));
    }
    for (const name of superfluous) await discard(join(this.#path, name));
  }

  /** Everything of ours that does not count: left by writers that died. Only under the lock. */
  async sweep(): Promise<readonly string[]> {
    const swept = leftovers(this.#path, this.#snapshot.manifest);
    for (const name of swept) await discard(join(this.#path, name));
    return swept;
  }
}
