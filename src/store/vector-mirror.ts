/**
 * VectorMirror: vectors that are kept in a service too, which is asked for the nearest. The library's own vectors stay the
 * truth; this is a copy that outbox notes (outbox.ts) keep in step. No text is sent.
 *
 * Promises: `upsert` and `remove` may be repeated; when one throws, some of the rows may be there and the error says how
 * many are not; a place that does not exist yet is empty.
 */
export interface VectorMirror {
  readonly namespace: string;
  upsert(rows: readonly MirrorRow[], signal?: AbortSignal): Promise<void>;
  remove(ids: readonly string[], signal?: AbortSignal): Promise<void>;
  /** All rows of one owner. */
  removeOwner(owner: string, signal?: AbortSignal): Promise<void>;
  /** The k rows with the largest dot product. */
  near(query: MirrorQuery, signal?: AbortSignal): Promise<readonly MirrorMatch[]>;
  /** Every row of an owner, with what it was made of. */
  rows(owner: string, signal?: AbortSignal): AsyncIterable<{ readonly id: string; readonly version: string }>;
}

export interface MirrorRow {
  /** At most 64 bytes. */
  readonly id: string;
  /** Whose row it is: a tool's id, or the library's. */
  readonly owner: string;
  readonly vector: Float32Array;
  readonly chunk_id: string;
  readonly doc_id: string;
  readonly json_pointer: string;
  readonly chunk_index: number;
  /** Changes when the vector does: the model and the text it was made of. */
  readonly version: string;
}

export interface MirrorQuery {
  readonly owner: string;
  readonly vector: Float32Array;
  readonly k: number;
  /** Only rows of these documents. */
  readonly doc_ids?: readonly string[];
}

export interface MirrorMatch {
  readonly chunk_id: string;
  readonly score: number;
}
