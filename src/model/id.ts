import { createHash, randomUUID } from 'node:crypto';

/** A fresh id for a document. */
export const mintId = (): string => randomUUID();

/**
 * An id that depends on its parts alone (UUID, version 8). Chunks and sections get theirs this way, so the
 * same text in the same document has the same id in every store and after every rebuild, with no look-up.
 */
export function derivedId(...parts: readonly string[]): string {
  const bytes = createHash('sha256').update(parts.join('\u0000')).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const chunkId = (docId: string, chunkHash: string): string => derivedId('chunk', docId, chunkHash);

/** `occurrence` counts sections of one document with the same path, from 0. */
export const sectionId = (docId: string, path: readonly string[], occurrence: number): string =>
  derivedId('section', docId, String(occurrence), ...path);
