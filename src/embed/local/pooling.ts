import type { Pooling } from '../models/model-folder.js';

/** One vector from one vector a token: `hidden` is `tokens` rows of `dimensions`, one text, no padding. */
export function pool(
  hidden: Float32Array,
  tokens: number,
  dimensions: number,
  pooling: Pooling,
): Float32Array {
  if (pooling === 'cls') return hidden.slice(0, dimensions);
  if (pooling === 'last') return hidden.slice((tokens - 1) * dimensions, tokens * dimensions);
  const pooled = hidden.slice(0, dimensions);
  for (let row = 1; row < tokens; row++) {
    const at = row * dimensions;
    for (let d = 0; d < dimensions; d++) {
      const value = hidden[at + d]!;
      pooled[d] = pooling === 'mean' ? pooled[d]! + value : Math.max(pooled[d]!, value);
    }
  }
  // The sum points where the mean points; `unit` makes the length irrelevant.
  return pooled;
}

/** The vector at length 1, in place; a zero vector stays zero. */
export function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let d = 0; d < vector.length; d++) vector[d] = vector[d]! * scale;
  return vector;
}

/** The first value that is no finite number, as a reason; null when all are. */
export function badValue(vector: ArrayLike<number>): string | null {
  for (let d = 0; d < vector.length; d++) {
    if (!Number.isFinite(vector[d])) return `value ${d} is ${String(vector[d])}`;
  }
  return null;
}
