import type { PassageVector } from '../model/passage-vector.js';
import type { Filter } from './filter.js';
import type { StoredVector } from './index/quantise.js';

/**
 * VectorIndex: which chunks mean something near this vector?
 *
 * Vectors belong to an embedder's `fingerprint`; those of two fingerprints never meet in one search. They are
 * kept by `embed_key` (hash of what was embedded), so the same text is embedded once, in whatever documents it
 * stands. The canonical stored form is int8 with one scale per vector. Promises:
 *  - `put` stores only for chunks that exist with that `embed_key` now, and says how many;
 *  - a vector goes with the last chunk that has its key, in that document's own commit;
 *  - the first `put` of a library makes its fingerprint the active one;
 *  - `near` sees only the active fingerprint; `activate` switches in one atomic step;
 *  - a passage that was read in parts scores by its best part, and a little by the whole (`similarity` in quantise.ts).
 *    Which k passages are near is decided by their whole vectors, in which order they stand by their scores.
 */
export interface VectorIndex {
  near(query: VectorQuery): Promise<readonly VectorMatch[]>;
  /** Chunks that have no vector of this fingerprint yet: the queue is this question, not a table. */
  pending(fingerprint: string, limit: number): Promise<readonly PendingText[]>;
  put(batch: VectorBatch): Promise<{ readonly stored: number }>;
  /** The scores of these chunks, of those that have a vector of the active fingerprint; `fingerprint` as in a query. */
  scores(
    chunkIds: readonly string[],
    query: Pick<VectorQuery, 'vector' | 'fingerprint'>,
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * The ids of up to `count` chunks, spread evenly over the library, in order of the ids: the same in every store,
   * whatever was written first. Not all of them need have a vector.
   */
  sample(count: number): Promise<readonly string[]>;
  /** The keys of these chunks, and their canonical vectors of the active fingerprint: what a move takes along. */
  stored(chunkIds: readonly string[]): Promise<ReadonlyMap<string, KeyedVector>>;
  state(): Promise<VectorState>;
  /** Make this fingerprint the searched one, and drop every other's vectors. */
  activate(fingerprint: string, dimensions: number): Promise<void>;
}

/** The same index with some of its methods replaced. */
export const withMethods = (inner: VectorIndex, over: Partial<VectorIndex>): VectorIndex => ({
  near: (query) => inner.near(query),
  pending: (fingerprint, limit) => inner.pending(fingerprint, limit),
  put: (batch) => inner.put(batch),
  scores: (ids, query) => inner.scores(ids, query),
  sample: (count) => inner.sample(count),
  stored: (ids) => inner.stored(ids),
  state: () => inner.state(),
  activate: (fingerprint, dimensions) => inner.activate(fingerprint, dimensions),
  ...over,
});

export interface VectorQuery {
  readonly vector: Float32Array;
  readonly k: number;
  readonly filter?: Filter;
  /** Who embedded the query: refused (INVALID_ARGUMENT) if the active vectors are another's by now. */
  readonly fingerprint?: string;
}

/** `score` is a dot product with a stored vector (cosine for unit vectors); equal scores are ordered by id. */
export interface VectorMatch {
  readonly id: string;
  readonly score: number;
}

/** One text to embed: all chunks with this key share the vector. */
export interface PendingText {
  readonly embed_key: string;
  readonly text: string;
}

export interface VectorBatch {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly entries: readonly VectorEntry[];
}

/** As a model made it, or as another store has kept it. */
export type VectorEntry = { readonly embed_key: string } & (
  | PassageVector
  | { readonly stored: StoredVector }
);

export interface KeyedVector {
  readonly embed_key: string;
  /** null for a chunk that has none yet. */
  readonly vector: StoredVector | null;
}

export interface VectorState {
  /** The fingerprint that searches use; null before the first vector. */
  readonly active: string | null;
  readonly dimensions: number;
  /** Chunks in the library, and how many have a vector, by fingerprint. */
  readonly chunks: number;
  readonly embedded: Readonly<Record<string, number>>;
}
