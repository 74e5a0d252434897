import { crc32 } from 'node:zlib';
import { isStrataError } from '../model/errors.js';
import { seal, unseal } from './bytes.js';
import type { StoredVector } from './index/quantise.js';

/** The scale as a float32, then the codes; sealed with the key, so that a vector is never taken for another's. */
export function packVector(key: string, { scale, codes }: StoredVector): Uint8Array {
  const bytes = new Uint8Array(4 + codes.length);
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), 4);
  return seal(bytes, crc32(key));
}

/** null for one that is damaged: the chunk is then found by its words. */
export function unpackVector(key: string, data: unknown): StoredVector | null {
  try {
    const bytes = unseal(data, crc32(key), 'A vector');
    const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
    return { scale, codes: new Int8Array(bytes.buffer, bytes.byteOffset + 4, bytes.length - 4) };
  } catch (error) {
    if (isStrataError(error, 'STORE_DAMAGED')) return null;
    throw error;
  }
}

/** A vector with its parts, which are kept beside it where there are some. null where the vector itself is damaged. */
export function unpackPassage(key: string, data: unknown, packedParts: unknown): StoredVector | null {
  const whole = unpackVector(key, data);
  const parts = whole === null || packedParts === null ? null : unpackParts(key, packedParts);
  return whole === null || parts === null ? whole : { ...whole, parts };
}

/** Scale, length and codes of each part; zeros at the end (the half of a model that was not asked) are left out. */
export function packParts(key: string, parts: readonly StoredVector[]): Uint8Array {
  const lengths = parts.map(({ codes }) => codes.findLastIndex((code) => code !== 0) + 1);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + 6 + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [index, { scale, codes }] of parts.entries()) {
    const length = lengths[index]!;
    view.setFloat32(at, scale, true);
    view.setUint16(at + 4, length, true);
    bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, length), at + 6);
    at += 6 + length;
  }
  return seal(bytes, crc32(key));
}

/** The codes are as long as they were packed: what is missing is zero. null for damaged ones: the whole then counts. */
export function unpackParts(key: string, data: unknown): readonly StoredVector[] | null {
  try {
    const bytes = unseal(data, crc32(key), 'parts of a vector');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const parts: StoredVector[] = [];
    for (let at = 0; at < bytes.length; ) {
      const scale = view.getFloat32(at, true);
      const length = view.getUint16(at + 4, true);
      parts.push({ scale, codes: new Int8Array(bytes.buffer, bytes.byteOffset + at + 6, length) });
      at += 6 + length;
    }
    return parts;
  } catch (error) {
    if (isStrataError(error, 'STORE_DAMAGED')) return null;
    throw error;
  }
}
