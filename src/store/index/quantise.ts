import type { PassageVector } from '../../model/passage-vector.js';

/**
 * The canonical stored form of a vector: int8 with one scale per vector. It is what moves between stores and what is
 * compared, so every driver gets it here.
 */
export interface StoredVector {
  /** A float32; 0 for the zero vector. */
  readonly scale: number;
  readonly codes: Int8Array;
  /** The vectors of the passage's parts, where it was read in parts. They have none of their own. */
  readonly parts?: readonly StoredVector[];
}

export function quantisePassage(passage: PassageVector | { readonly stored: StoredVector }): StoredVector {
  if ('stored' in passage) return passage.stored;
  const { vector, parts = [] } = passage;
  const whole = quantise(vector);
  return parts.length === 0 ? whole : { ...whole, parts: parts.map(quantise) };
}

export function quantise(vector: Float32Array): StoredVector {
  let peak = 0;
  for (const value of vector) peak = Math.max(peak, Math.abs(value));
  const scale = Math.fround(peak / 127);
  const codes = new Int8Array(vector.length);
  if (scale > 0) for (let i = 0; i < vector.length; i++) codes[i] = Math.round(vector[i]! / scale);
  return { scale, codes };
}

/** `dimensions` where the codes may end before it: what is missing is zero. */
export function dequantise({ scale, codes }: StoredVector, dimensions = codes.length): Float32Array {
  const vector = new Float32Array(dimensions);
  for (let d = 0; d < codes.length; d++) vector[d] = codes[d]! * scale;
  return vector;
}

/** The float query against the stored vector of a passage or of one of its parts. */
export function dot(query: Float32Array, { scale, codes }: StoredVector): number {
  let sum = 0;
  for (let i = 0; i < codes.length; i++) sum += query[i]! * codes[i]!;
  return sum * scale;
}

/**
 * How much the part nearest to a query counts against the whole passage. With 1 topics were found a little less well,
 * with .7 sentences (docs/decisions/hybrid.md).
 */
const BEST_PART = 0.85;

/** The score every driver reports. `whole` is what `dot` gives for the passage's own vector, if it is known already. */
export function similarity(query: Float32Array, stored: StoredVector, whole = dot(query, stored)): number {
  if (stored.parts === undefined) return whole;
  let best = Number.NEGATIVE_INFINITY;
  for (const part of stored.parts) best = Math.max(best, dot(query, part));
  return BEST_PART * best + (1 - BEST_PART) * whole;
}
