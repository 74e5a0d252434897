import type { StoredVector } from './quantise.js';

/**
 * A vector in an eighth of its codes: one sign bit a dimension and, for each group of 512 dimensions, the mean of the
 * absolute values. Two sketches give an estimate of the dot product. The weight by group is what makes signs work for
 * joined vectors: a Chinese passage has no English half, and the random-looking signs of nothing must not count.
 * (Plain Hamming distance stopped at recall .955 on such vectors, however many candidates it was allowed.)
 */
export interface Sketch {
  /** Whole blocks of 16 bytes: 128 dimensions each. */
  readonly bits: Uint8Array;
  /** One per group. */
  readonly weights: Float32Array;
}

/** Several sketches, one after the other. */
export interface SketchBlock {
  readonly bits: Uint8Array;
  readonly weights: Float32Array;
}

/** The default model's first half has as many; the kernel counts on it. */
export const GROUP_DIMENSIONS = 512;
export const sketchBytes = (dimensions: number): number => Math.ceil(dimensions / 128) * 16;
export const sketchGroups = (dimensions: number): number => Math.ceil(dimensions / GROUP_DIMENSIONS);

export function sketchOf(values: ArrayLike<number>, scale: number): Sketch {
  const dimensions = values.length;
  const bits = new Uint8Array(sketchBytes(dimensions));
  const weights = new Float32Array(sketchGroups(dimensions));
  for (let group = 0; group < weights.length; group++) {
    const start = group * GROUP_DIMENSIONS;
    const end = Math.min(start + GROUP_DIMENSIONS, dimensions);
    let sum = 0;
    for (let d = start; d < end; d++) {
      const value = values[d]!;
      if (value > 0) bits[d >> 3]! |= 1 << (d & 7);
      sum += value < 0 ? -value : value;
    }
    weights[group] = (sum / (end - start)) * scale;
  }
  return { bits, weights };
}

export const sketchStored = ({ scale, codes }: StoredVector): Sketch => sketchOf(codes, scale);
