import type { StoredVector } from './quantise.js';

/**
 * A vector in an eighth of its codes: one sign bit a dimension and, for each block of 128 dimensions, the mean of the
 * absolute values. Two sketches give an estimate of the dot product. The weight by block is what makes signs work for
 * joined vectors: a Chinese passage has no English half, and the random-looking signs of nothing must not count.
 * (Plain Hamming distance stopped at recall .955 on such vectors, however many candidates it was allowed.)
 */
export interface Sketch {
  /** `sketchBlocks(dimensions)` blocks of 16 bytes. */
  readonly bits: Uint8Array;
  /** One a block. */
  readonly weights: Float32Array;
}

export const BLOCK_DIMENSIONS = 128;
export const sketchBlocks = (dimensions: number): number => Math.ceil(dimensions / BLOCK_DIMENSIONS);

export function sketchOf(values: ArrayLike<number>, scale: number): Sketch {
  const dimensions = values.length;
  const blocks = sketchBlocks(dimensions);
  const bits = new Uint8Array(blocks * 16);
  const weights = new Float32Array(blocks);
  for (let block = 0; block < blocks; block++) {
    const start = block * BLOCK_DIMENSIONS;
    const end = Math.min(start + BLOCK_DIMENSIONS, dimensions);
    let sum = 0;
    for (let d = start; d < end; d++) {
      const value = values[d]!;
      if (value > 0) bits[d >> 3]! |= 1 << (d & 7);
      sum += value < 0 ? -value : value;
    }
    weights[block] = (sum / (end - start)) * scale;
  }
  return { bits, weights };
}

export const sketchStored = ({ scale, codes }: StoredVector): Sketch => sketchOf(codes, scale);
