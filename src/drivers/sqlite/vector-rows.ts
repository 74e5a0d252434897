import { crc32 } from 'node:zlib';
import { isStrataError } from '../../model/errors.js';
import { seal, unseal } from '../../store/bytes.js';
import type { StoredVector } from '../../store/quantise.js';
import { unpackKey } from './rows.js';
import type { Value } from './values.js';

/** The scale as a float32, then the codes; sealed with the key, so that a vector is never taken for another's. */
export function packVector(key: Value, { scale, codes }: StoredVector): Uint8Array {
  const bytes = new Uint8Array(4 + codes.length);
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), 4);
  return seal(bytes, crc32(unpackKey(key)));
}

/** null for one that is damaged: the chunk is then found by its words. */
export function unpackVector(key: Value, data: unknown): StoredVector | null {
  try {
    const bytes = unseal(data, crc32(unpackKey(key)), 'A vector');
    const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
    return { scale, codes: new Int8Array(bytes.buffer, bytes.byteOffset + 4, bytes.length - 4) };
  } catch (error) {
    if (isStrataError(error, 'STORE_DAMAGED')) return null;
    throw error;
  }
}
