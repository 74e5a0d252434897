import type { Chunk } from '../../model/chunk.js';
import { pause } from '../../model/turns.js';
import type { Library } from '../library.js';
import { partsOf } from '../open-library.js';
import { folderOf } from '../views/overview.js';
import { FOLDED, folder, project } from './projection.js';

/** The library's passages as points of a plane, each with the document it stands in. */
export interface LibraryMap {
  readonly state: 'ready';
  readonly generation: number;
  readonly count: number;
  /** Of all passages; those beyond the limit, or without a vector, are not drawn. */
  readonly passages: number;
  /** Base64 of pairs of little-endian 16-bit numbers. */
  readonly points: string;
  /** Base64 of 32-bit numbers: the point's document, in `documents`. */
  readonly document_of: string;
  readonly documents: readonly MapDocument[];
}

export interface MapDocument {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly format: string;
}

export interface MapBeingMade {
  readonly state: 'making' | 'empty';
  readonly done: number;
  readonly total: number;
}

/** What a browser draws without a pause. */
const MOST_POINTS = 100_000;
const BATCH = 500;

interface Made {
  readonly map: LibraryMap;
  readonly ids: readonly string[];
}

/** One per library: made in the background when first asked for, and again when the library has changed. */
export class MapMaker {
  readonly #library: Library;
  #key = '';
  #made: Made | null = null;
  #progress: MapBeingMade = { state: 'making', done: 0, total: 0 };
  #working: Promise<void> | null = null;
  #failure: unknown;

  constructor(library: Library) {
    this.#library = library;
  }

  /** The map where it is ready, else how far it is. */
  async look(): Promise<LibraryMap | MapBeingMade> {
    const key = await this.#currentKey();
    if (this.#failure !== undefined) {
      const failure = this.#failure;
      this.#failure = undefined;
      throw failure;
    }
    if (this.#key === key) return this.#made?.map ?? this.#progress;
    this.#working ??= this.#make(key)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#working = null;
      });
    // The old map is better than none while the new one is made.
    return this.#made?.map ?? this.#progress;
  }

  /** The passage that a point is; null where there is none (any more). */
  async chunkAt(index: number): Promise<Chunk | null> {
    const id = this.#made?.ids[index];
    return id === undefined ? null : partsOf(this.#library).backend.chunk(id);
  }

  /** The points of these passages; those that are not on the map are left out. */
  indexOf(ids: readonly string[]): { readonly id: string; readonly index: number }[] {
    const wanted = new Set(ids);
    const found: { id: string; index: number }[] = [];
    for (const [index, id] of (this.#made?.ids ?? []).entries())
      if (wanted.has(id)) found.push({ id, index });
    return found;
  }

  /** Vectors are made without a change of the documents: how many there are counts in steps. */
  async #currentKey(): Promise<string> {
    const [generation, { active, embedded, chunks }] = await Promise.all([
      partsOf(this.#library).backend.generation(),
      partsOf(this.#library).backend.vectors.state(),
    ]);
    const share = active === null || chunks === 0 ? 0 : Math.floor((20 * (embedded[active] ?? 0)) / chunks);
    return `${generation} ${active} ${share}`;
  }

  async #make(key: string): Promise<void> {
    const { backend } = partsOf(this.#library);
    const { dimensions, chunks } = await backend.vectors.state();
    const sampled = await backend.vectors.sample(MOST_POINTS);
    const generation = await backend.generation();
    this.#progress = { state: 'making', done: 0, total: sampled.length };
    const fold = folder(Math.max(1, dimensions));
    const ids: string[] = [];
    const folded = new Float32Array(sampled.length * FOLDED);
    for (let from = 0; from < sampled.length; from += BATCH) {
      const stored = await backend.vectors.stored(sampled.slice(from, from + BATCH));
      for (const [id, { vector }] of stored) {
        if (vector === null) continue;
        fold(vector.codes, vector.scale, folded.subarray(ids.length * FOLDED, (ids.length + 1) * FOLDED));
        ids.push(id);
      }
      this.#progress = { state: 'making', done: from, total: sampled.length };
      await pause();
    }
    if (ids.length === 0) {
      this.#progress = { state: 'empty', done: 0, total: chunks };
      this.#made = null;
      this.#key = key;
      return;
    }
    const { points } = await project(folded.subarray(0, ids.length * FOLDED));
    const { documents, of } = await this.#documentsOf(ids);
    this.#made = {
      ids,
      map: {
        state: 'ready',
        generation,
        count: ids.length,
        passages: chunks,
        points: base64(points),
        document_of: base64(of),
        documents,
      },
    };
    this.#key = key;
  }

  async #documentsOf(ids: readonly string[]): Promise<{ documents: MapDocument[]; of: Uint32Array }> {
    const { backend } = partsOf(this.#library);
    const documents: MapDocument[] = [];
    const known = new Map<string, number>();
    const of = new Uint32Array(ids.length);
    for (let from = 0; from < ids.length; from += BATCH) {
      const homes = await backend.documentIdsOf(ids.slice(from, from + BATCH));
      for (const [at, home] of homes.entries()) {
        const doc = home ?? '';
        let index = known.get(doc);
        if (index === undefined) {
          index = documents.length;
          known.set(doc, index);
          const record = doc === '' ? null : await backend.document(doc);
          documents.push({
            id: doc,
            title: record?.title ?? '',
            folder: record ? folderOf(record.source_path) : '',
            format: String(record?.metadata.format ?? ''),
          });
        }
        of[from + at] = index;
      }
      await pause();
    }
    return { documents, of };
  }
}

const base64 = (numbers: Uint16Array | Uint32Array): string =>
  Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
