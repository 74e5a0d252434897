import type { PassageVector } from '../model/passage-vector.js';

/**
 * Embedder: what does this text mean? One vector a text, of unit length (of at most 1 where two models share it).
 *
 * `fingerprint` names everything that changes the vectors (weights, pooling, prefixes, dimensions): vectors of
 * different fingerprints are never compared. `embed` gives one vector a text, in order, or throws a StrataError
 * (EMBEDDER_FAILED, EMBEDDER_UNAVAILABLE, ABORTED); it never gives a vector of the wrong length or with NaN.
 */
export interface Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly fingerprint: string;
  embed(texts: readonly string[], role: EmbedRole, signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** Passages in parts, by an embedder that costs no more so; see passages.ts. */
  embedPassages?(texts: readonly string[], signal?: AbortSignal): Promise<readonly PassageVector[]>;
  close(): Promise<void>;
}

/** Some models want to know: `query:` and `passage:` (e5), or an instruction before a question (bge). */
export type EmbedRole = 'query' | 'passage';
