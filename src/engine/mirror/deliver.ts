import { join } from 'node:path';
import { vectorId } from '../../ingest/tables/table-chunks.js';
import type { Chunk } from '../../model/chunk.js';
import { isStrataError, reasonOf } from '../../model/errors.js';
import { sha256 } from '../../model/hash.js';
import { embedKey } from '../../model/indexed.js';
import type { OnProgress } from '../../model/progress.js';
import type { Backend } from '../../store/backend.js';
import { dequantise } from '../../store/index/quantise.js';
import { withLease } from '../../store/lock/lease.js';
import {
  isOwned,
  type MirrorTarget,
  mirrorState,
  mirrorStateRecord,
  OUTBOX_KIND,
  type OutboxNote,
  outboxNotes,
} from '../../store/outbox.js';
import type { MirrorRow, VectorMirror } from '../../store/vector-mirror.js';
import type { LibraryParts } from '../library-parts.js';
import { openMirror } from './open-mirror.js';
import { documentsOf } from './target-documents.js';

export interface DeliveryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Delivery {
  /** Rows by tool. */
  readonly upserted: ReadonlyMap<string, number>;
  readonly deleted: ReadonlyMap<string, number>;
  /** Why some of it is still in the outbox. */
  readonly problems: readonly string[];
}

/** Beside the data, as the embedder's lease is. */
const LEASE_FOLDER = 'outbox';

/** Handles the notes of the outbox, one process at a time. What cannot be reached is told, and its notes stay. */
export async function deliver(parts: LibraryParts, options: DeliveryOptions = {}): Promise<Delivery> {
  const { backend, location } = parts;
  const run = new DeliveryRun(parts, options);
  if ((await outboxNotes(backend)).length === 0 || options.signal?.aborted) return run;
  const work = async (): Promise<Delivery> => {
    for (const [target, notes] of byTarget(await outboxNotes(backend))) await run.target(target, notes);
    return run;
  };
  if (backend.driver === 'memory') return work();
  return withLease(join(location, LEASE_FOLDER), work, { signal: options.signal }).catch((error) => {
    if (isStrataError(error, 'ABORTED')) return run;
    throw error;
  });
}

function byTarget(notes: readonly OutboxNote[]): [MirrorTarget, OutboxNote[]][] {
  const groups = new Map<string, [MirrorTarget, OutboxNote[]]>();
  for (const note of notes) {
    const key = `${note.target.tool_id} ${note.target.namespace}`;
    const group = groups.get(key);
    if (group) group[1].push(note);
    else groups.set(key, [note.target, [note]]);
  }
  return [...groups.values()];
}

/** Rows that are sent together; their notes go when they have arrived. */
const BATCH = 500;

class DeliveryRun implements Delivery {
  readonly upserted = new Map<string, number>();
  readonly deleted = new Map<string, number>();
  readonly problems: string[] = [];
  readonly #parts: LibraryParts;
  readonly #options: DeliveryOptions;

  constructor(parts: LibraryParts, options: DeliveryOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  async target(target: MirrorTarget, notes: readonly OutboxNote[]): Promise<void> {
    const { backend, trust } = this.#parts;
    try {
      const mirror = await openMirror(trust, target.namespace);
      const { active } = await backend.vectors.state();
      const state = await mirrorState(backend, target.tool_id);
      // Vectors of another model than the one that was sent: all rows are looked at.
      const isOther = active !== null && state !== null && state !== active;
      const everything = isOther || notes.some(({ doc_id }) => doc_id === null);
      if (everything) await this.#reconcile(mirror, target, notes);
      else await this.#documents(mirror, target, notes);
      if (active !== null && state !== active && (await isOwned(backend, target)))
        await backend.commit({ records: [mirrorStateRecord(target.tool_id, active)] });
    } catch (error) {
      if (isStrataError(error, 'ABORTED')) return;
      if (!isStrataError(error) || error.code.startsWith('STORE_')) throw error;
      this.problems.push(reasonOf(error));
    }
  }

  /** Documents that have changed, some at a time. */
  async #documents(mirror: VectorMirror, target: MirrorTarget, notes: readonly OutboxNote[]): Promise<void> {
    const { signal, onProgress } = this.#options;
    const documents = new Map<string, OutboxNote[]>();
    for (const note of notes) documents.set(note.doc_id!, [...(documents.get(note.doc_id!) ?? []), note]);
    let batch = new Batch();
    let done = 0;
    for (const [docId, about] of documents) {
      if (signal?.aborted) break;
      const found = await this.#changes(target, docId, about);
      done++;
      // Its vectors are still being made.
      if (found === null) continue;
      batch.add(found.rows, found.gone, about);
      if (batch.size < BATCH) continue;
      await this.#send(mirror, target, batch);
      onProgress?.({ stage: 'Sending vectors', done, total: documents.size });
      batch = new Batch();
    }
    if (batch.size > 0) await this.#send(mirror, target, batch);
  }

  /** What of one document differs from what was there; null while a vector is missing. */
  async #changes(target: MirrorTarget, docId: string, notes: readonly OutboxNote[]) {
    const { backend } = this.#parts;
    const document = await backend.document(docId);
    const isMine = document !== null && (await isOwned(backend, target, document));
    const chunks = isMine ? await backend.chunksOf(docId) : [];
    const changed = chunks.filter((chunk) => {
      const key = embedKey(chunk);
      return notes.some(({ before }) => before[chunk.id] !== key);
    });
    const rows = await rowsOf(backend, target, changed);
    if (rows === null) return null;
    const kept = new Set(chunks.map(({ id }) => id));
    const before = notes.flatMap((note) => Object.keys(note.before));
    const gone = [...new Set(before)].filter((id) => !kept.has(id)).map((id) => vectorId(target.tool_id, id));
    return { rows, gone };
  }

  /** Both sides compared, row by row. */
  async #reconcile(mirror: VectorMirror, target: MirrorTarget, notes: readonly OutboxNote[]): Promise<void> {
    const { backend } = this.#parts;
    const { signal } = this.#options;
    const there = new Map<string, string>();
    for await (const { id, version } of mirror.rows(target.tool_id, signal)) there.set(id, version);
    let isComplete = true;
    let batch = new Batch();
    for await (const { id: docId } of documentsOf(backend, target)) {
      if (signal?.aborted) return;
      const chunks = await backend.chunksOf(docId);
      const rows = await rowsOf(backend, target, chunks);
      for (const { id } of chunks) if (rows === null) there.delete(vectorId(target.tool_id, id));
      if (rows === null) isComplete = false;
      const different = (rows ?? []).filter(({ id, version }) => there.get(id) !== version);
      for (const { id } of rows ?? []) there.delete(id);
      batch.add(different, [], []);
      if (batch.size < BATCH) continue;
      await this.#send(mirror, target, batch);
      batch = new Batch();
    }
    batch.add([], [...there.keys()], isComplete ? notes : []);
    await this.#send(mirror, target, batch);
    // By its mark, too: what was sent while nobody looked has an id that is not known here.
    if (!(await isOwned(backend, target))) await mirror.removeOwner(target.tool_id, signal);
  }

  async #send(mirror: VectorMirror, target: MirrorTarget, batch: Batch): Promise<void> {
    const { signal } = this.#options;
    if (batch.rows.length > 0) await mirror.upsert(batch.rows, signal);
    if (batch.gone.length > 0) await mirror.remove(batch.gone, signal);
    const add = (counts: Map<string, number>, count: number): void =>
      void counts.set(target.tool_id, (counts.get(target.tool_id) ?? 0) + count);
    add(this.upserted, batch.rows.length);
    add(this.deleted, batch.gone.length);
    if (batch.notes.length === 0) return;
    const records = batch.notes.map(({ id }) => ({ kind: OUTBOX_KIND, id, value: null }));
    await this.#parts.backend.commit({ records });
  }
}

class Batch {
  readonly rows: MirrorRow[] = [];
  readonly gone: string[] = [];
  readonly notes: OutboxNote[] = [];

  add(rows: readonly MirrorRow[], gone: readonly string[], notes: readonly OutboxNote[]): void {
    this.rows.push(...rows);
    this.gone.push(...gone);
    this.notes.push(...notes);
  }

  get size(): number {
    return this.rows.length + this.gone.length + this.notes.length;
  }
}

/** Null while one of them has no vector yet. */
async function rowsOf(
  backend: Backend,
  target: MirrorTarget,
  chunks: readonly Chunk[],
): Promise<MirrorRow[] | null> {
  const [stored, { active, dimensions }] = await Promise.all([
    backend.vectors.stored(chunks.map(({ id }) => id)),
    backend.vectors.state(),
  ]);
  const rows: MirrorRow[] = [];
  for (const chunk of chunks) {
    const keyed = stored.get(chunk.id);
    if (!keyed?.vector || active === null) return null;
    rows.push({
      id: vectorId(target.tool_id, chunk.id),
      owner: target.tool_id,
      vector: dequantise(keyed.vector, dimensions),
      chunk_id: chunk.id,
      doc_id: chunk.doc_id,
      json_pointer: chunk.json_pointer ?? '',
      chunk_index: chunk.chunk_index,
      version: sha256(`${active} ${keyed.embed_key}`).slice(0, 32),
    });
  }
  return rows;
}
