import { hash, randomUUID } from 'node:crypto';

/** A fresh id for a document. */
export const mintId = (): string => randomUUID();

/**
 * An id that depends on its parts alone (UUID, version 8). Chunks and sections get theirs this way, so the
 * same text in the same document has the same id in every store and after every rebuild, with no look-up.
 */
export function derivedId(...parts: readonly string[]): string {
  const hex = hash('sha256', parts.join('\u0000'));
  // Version 8 and the variant bits stand at fixed places.
  const variant = VARIANT[Number.parseInt(hex[16]!, 16) & 3]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const VARIANT = '89ab';

export const chunkId = (docId: string, chunkHash: string): string => derivedId('chunk', docId, chunkHash);

/** `occurrence` counts sections of one document with the same path, from 0. */
export const sectionId = (docId: string, path: readonly string[], occurrence: number): string =>
  derivedId('section', docId, String(occurrence), ...path);
