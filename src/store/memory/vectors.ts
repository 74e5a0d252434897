import type { Chunk } from '../../model/chunk.js';
import { embeddedText } from '../../model/indexed.js';
import type { Filter } from '../filter.js';
import { nearest, refuseAnother, refuseDimensions } from '../index/nearest.js';
import { quantisePassage, type StoredVector, similarity } from '../index/quantise.js';
import { sampleIds } from '../index/sample-ids.js';
import { validateBatch } from '../validate.js';
import type {
  KeyedVector,
  PendingText,
  VectorBatch,
  VectorIndex,
  VectorMatch,
  VectorQuery,
  VectorState,
} from '../vectors.js';

export interface KeyedChunk {
  readonly chunk: Chunk;
  readonly embed_key: string;
}

/** The vectors of one fingerprint, by `embed_key`. */
export interface VectorSpace {
  readonly dimensions: number;
  readonly vectors: ReadonlyMap<string, StoredVector>;
}

interface Space extends VectorSpace {
  readonly vectors: Map<string, StoredVector>;
}

/** The plainest vector index: compare with every vector. The model for the others, and enough for a small library. */
export class MemoryVectors implements VectorIndex {
  readonly #chunks = new Map<string, KeyedChunk>();
  readonly #users = new Map<string, Set<string>>();
  /** Keys that lost a chunk since the last `prune`. */
  readonly #loosened = new Set<string>();
  readonly #spaces = new Map<string, Space>();
  readonly #chunkFilter: (filter: Filter) => (chunk: Chunk) => boolean;
  #active: string | null = null;

  constructor(chunkFilter: (filter: Filter) => (chunk: Chunk) => boolean) {
    this.#chunkFilter = chunkFilter;
  }

  /** Replaces the chunk with that id, if there is one. Call `prune` when the change is complete. */
  add(entry: KeyedChunk): void {
    this.remove(entry.chunk.id);
    this.#chunks.set(entry.chunk.id, entry);
    const users = this.#users.get(entry.embed_key) ?? new Set();
    this.#users.set(entry.embed_key, users.add(entry.chunk.id));
  }

  remove(id: string): void {
    const entry = this.#chunks.get(id);
    if (entry === undefined) return;
    this.#chunks.delete(id);
    this.#users.get(entry.embed_key)!.delete(id);
    this.#loosened.add(entry.embed_key);
  }

  /** Vectors of keys that no chunk has any more go, at the end of a change: a replaced document's stay if still used. */
  prune(): void {
    for (const key of this.#loosened) {
      if (this.#users.get(key)?.size !== 0) continue;
      this.#users.delete(key);
      for (const { vectors } of this.#spaces.values()) vectors.delete(key);
    }
    this.#loosened.clear();
  }

  async near({ vector, k, filter, fingerprint }: VectorQuery): Promise<readonly VectorMatch[]> {
    const space = this.#activeSpace();
    if (space === undefined) return [];
    if (this.#active !== null) refuseAnother(fingerprint, this.#active);
    refuseDimensions(vector, space.dimensions);
    const accepts = filter === undefined ? () => true : this.#chunkFilter(filter);
    const found: [string, StoredVector][] = [];
    for (const { chunk, embed_key } of this.#chunks.values()) {
      const stored = space.vectors.get(embed_key);
      if (stored !== undefined && accepts(chunk)) found.push([chunk.id, stored]);
    }
    return nearest(vector, k, found);
  }

  async pending(fingerprint: string, limit: number): Promise<readonly PendingText[]> {
    const known = this.#spaces.get(fingerprint)?.vectors;
    const texts = new Map<string, string>();
    for (const { chunk, embed_key } of this.#chunks.values()) {
      if (texts.size >= limit) break;
      if (!known?.has(embed_key) && !texts.has(embed_key)) texts.set(embed_key, embeddedText(chunk));
    }
    return [...texts].map(([embed_key, text]) => ({ embed_key, text }));
  }

  async put(batch: VectorBatch): Promise<{ stored: number }> {
    const stored = this.select(batch);
    this.insert(batch, stored);
    return { stored: stored.size };
  }

  /** What `put` would store of this batch: vectors of keys that some chunk has. Throws for a batch that does not fit. */
  select({ fingerprint, dimensions, entries }: VectorBatch): ReadonlyMap<string, StoredVector> {
    validateBatch({ fingerprint, dimensions, entries }, this.#spaces.get(fingerprint)?.dimensions);
    const wanted = entries.filter(({ embed_key }) => this.usersOf(embed_key).size > 0);
    return new Map(wanted.map((entry) => [entry.embed_key, quantisePassage(entry)]));
  }

  insert(
    { fingerprint, dimensions }: Pick<VectorBatch, 'fingerprint' | 'dimensions'>,
    stored: ReadonlyMap<string, StoredVector>,
  ): void {
    if (stored.size === 0) return;
    const space = this.#spaces.get(fingerprint) ?? { dimensions, vectors: new Map() };
    this.#spaces.set(fingerprint, space);
    for (const [key, vector] of stored) space.vectors.set(key, vector);
    this.#active ??= fingerprint;
  }

  /** The chunks that have this key. */
  usersOf(key: string): ReadonlySet<string> {
    return this.#users.get(key) ?? NOBODY;
  }

  async scores(
    chunkIds: readonly string[],
    { vector, fingerprint }: Pick<VectorQuery, 'vector' | 'fingerprint'>,
  ): Promise<ReadonlyMap<string, number>> {
    const space = this.#activeSpace();
    if (this.#active !== null) refuseAnother(fingerprint, this.#active);
    const found = new Map<string, number>();
    for (const id of chunkIds) {
      const stored = space?.vectors.get(this.#chunks.get(id)?.embed_key ?? '');
      if (stored !== undefined) found.set(id, similarity(vector, stored));
    }
    return found;
  }

  async stored(chunkIds: readonly string[]): Promise<ReadonlyMap<string, KeyedVector>> {
    const space = this.#activeSpace();
    const found = new Map<string, KeyedVector>();
    for (const id of chunkIds) {
      const key = this.#chunks.get(id)?.embed_key;
      if (key !== undefined) found.set(id, { embed_key: key, vector: space?.vectors.get(key) ?? null });
    }
    return found;
  }

  async sample(count: number): Promise<readonly string[]> {
    return sampleIds(this.#chunks.keys(), count);
  }

  async state(): Promise<VectorState> {
    const embedded: Record<string, number> = {};
    for (const [fingerprint, { vectors }] of this.#spaces) {
      embedded[fingerprint] = [...this.#chunks.values()].filter(({ embed_key }) =>
        vectors.has(embed_key),
      ).length;
    }
    const dimensions = this.#activeSpace()?.dimensions ?? 0;
    return { active: this.#active, dimensions, chunks: this.#chunks.size, embedded };
  }

  async activate(fingerprint: string, dimensions: number): Promise<void> {
    const space = this.#spaces.get(fingerprint) ?? { dimensions, vectors: new Map() };
    validateBatch({ fingerprint, dimensions, entries: [] }, space.dimensions);
    this.#spaces.clear();
    this.#spaces.set(fingerprint, space);
    this.#active = fingerprint;
  }

  /** What a driver on files writes. */
  spaces(): ReadonlyMap<string, VectorSpace> {
    return this.#spaces;
  }

  /** What such a driver has read back; `active` is the fingerprint that searches use. */
  restore(spaces: ReadonlyMap<string, VectorSpace>, active: string | null): void {
    this.#spaces.clear();
    for (const [fingerprint, { dimensions, vectors }] of spaces) {
      this.#spaces.set(fingerprint, { dimensions, vectors: new Map(vectors) });
    }
    this.#active = active;
  }

  #activeSpace(): Space | undefined {
    return this.#active === null ? undefined : this.#spaces.get(this.#active);
  }
}

const NOBODY: ReadonlySet<string> = new Set();
