/**
 * The canonical stored form of a vector: int8 with a scale a vector. It is what moves between stores and what is
 * compared, so every driver gets it here.
 */
export interface StoredVector {
  /** A float32; 0 for the zero vector. */
  readonly scale: number;
  readonly codes: Int8Array;
}

export function quantise(vector: Float32Array): StoredVector {
  let peak = 0;
  for (const value of vector) peak = Math.max(peak, Math.abs(value));
  const scale = Math.fround(peak / 127);
  const codes = new Int8Array(vector.length);
  if (scale > 0) for (let i = 0; i < vector.length; i++) codes[i] = Math.round(vector[i]! / scale);
  return { scale, codes };
}

export function dequantise({ scale, codes }: StoredVector): Float32Array {
  return Float32Array.from(codes, (code) => code * scale);
}

/** The score every driver reports: the float query against the stored vector. */
export function dot(query: Float32Array, { scale, codes }: StoredVector): number {
  let sum = 0;
  for (let i = 0; i < codes.length; i++) sum += query[i]! * codes[i]!;
  return sum * scale;
}
