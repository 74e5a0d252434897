import { join } from 'node:path';
import type { StoredDocument } from '../../store/records.js';
import { documentFiles } from './document-files.js';
import { discard, type NewFile, publish, writeFlushed, writeFolder } from './durable.js';
import { documentName, tempName, VECTORS_FOLDER, vectorsName } from './layout.js';
import { readLibraryText } from './library-file.js';
import { type Manifest, type RecordEntry, recordKey } from './manifest.js';
import { recordPath } from './record-files.js';
import { type VectorRows, vectorBytes } from './vector-files.js';

/** What a commit adds: written and named at once, but counted only when the manifest says so. */
export class Draft {
  readonly #path: string;
  readonly #base: Manifest;
  readonly #generation: number;
  readonly #documents: Map<string, number>;
  readonly #records: Map<string, RecordEntry>;
  #vectors: Manifest['vectors'];
  readonly #written: string[] = [];

  constructor(path: string, base: Manifest, generation: number) {
    this.#path = path;
    this.#base = base;
    this.#generation = generation;
    this.#documents = new Map(base.documents);
    this.#records = new Map(base.records.map((entry) => [recordKey(entry), entry]));
    this.#vectors = base.vectors;
  }

  /** A document's slices are written to `.temp-*`, flushed, and the folder is renamed once. */
  async document(id: string, write: StoredDocument | null): Promise<void> {
    if (write === null) {
      this.#documents.delete(id);
      return;
    }
    const before = this.#base.documents.get(id);
    const previous = before === undefined ? null : join(this.#path, documentName(id, before));
    const files = [...documentFiles(write)].map(([name, data]) => newFile(name, data, previous));
    const temp = join(this.#path, tempName());
    const target = join(this.#path, documentName(id, this.#generation));
    this.#written.push(temp, target);
    await writeFolder(temp, files);
    await publish(temp, target);
    this.#documents.set(id, this.#generation);
  }

  async record(key: { readonly kind: string; readonly id: string }, text: string | null): Promise<void> {
    if (text === null) {
      this.#records.delete(recordKey(key));
      return;
    }
    const entry = { ...key, revision: this.#generation };
    await this.#file(recordPath(this.#path, entry), text);
    this.#records.set(recordKey(key), entry);
  }

  async vectors(rows: VectorRows): Promise<void> {
    const revision = this.#generation;
    await this.#file(join(this.#path, VECTORS_FOLDER, vectorsName(revision)), vectorBytes(rows));
    const file = { revision, fingerprint: rows.fingerprint, count: rows.keys.length, dropped: [] };
    this.#vectors = { ...this.#vectors, files: [...this.#vectors.files, file] };
  }

  async #file(target: string, data: string | Uint8Array): Promise<void> {
    const temp = join(this.#path, tempName());
    this.#written.push(temp, target);
    await writeFlushed(temp, data);
    await publish(temp, target);
  }

  manifest(): Manifest {
    return {
      generation: this.#generation,
      documents: this.#documents,
      records: [...this.#records.values()],
      vectors: this.#vectors,
    };
  }

  async takeBack(): Promise<void> {
    for (const path of this.#written) await discard(path);
  }
}

/** Linked to the last revision's file where nothing in it has changed (and it is whole). */
function newFile(name: string, data: string, previous: string | null): NewFile {
  if (previous === null) return { name, data };
  const same = join(previous, name);
  try {
    return readLibraryText(same) === data ? { name, data, same } : { name, data };
  } catch {
    return { name, data };
  }
}
