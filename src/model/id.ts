import { hash, randomBytes } from 'node:crypto';

let lastTick = 0;

/**
 * A fresh id for a document (UUID, version 8): random in front, since people write an id's beginning, and the time of
 * minting behind, so that documents can be put in the order they were added (`mintedOrder`). Twelve bits count within a
 * millisecond.
 */
export function mintId(): string {
  lastTick = Math.max(lastTick + 1, Date.now() * 4096);
  const time = Math.floor(lastTick / 4096)
    .toString(16)
    .padStart(12, '0');
  const count = (lastTick % 4096).toString(16).padStart(3, '0');
  const random = randomBytes(8).toString('hex');
  const variant = VARIANT[Number.parseInt(random[12]!, 16) & 3]!;
  return `${random.slice(0, 8)}-${random.slice(8, 12)}-8${count}-${variant}${random.slice(13)}-${time}`;
}

/** Sorts minted ids by when they were minted; any other id has some order of its own. */
export const mintedOrder = (id: string): string => `${id.slice(24)}${id.slice(15, 18)}${id}`;

/**
 * An id that depends on its parts alone (UUID, version 8). Chunks and sections get theirs this way, so the
 * same text in the same document has the same id in every store and after every rebuild, with no look-up.
 */
export function derivedId(...parts: readonly string[]): string {
  const hex = hash('sha256', parts.join('\u0000'));
  let at = 0;
  for (let digit = 0; digit < 32; digit++) {
    if (digit === 8 || digit === 12 || digit === 16 || digit === 20) ID[at++] = HYPHEN;
    ID[at++] = hex.charCodeAt(digit);
  }
  // Version 8 and the variant bits stand at fixed places.
  ID[14] = VERSION;
  ID[19] = VARIANT.charCodeAt(Number.parseInt(hex[16]!, 16) & 3);
  return ID.toString('latin1');
}

/** Written as bytes, an id is one string; joined, it would be a tree of its parts, ten times as large for as long as it is kept. */
const ID = Buffer.alloc(36);
const HYPHEN = 0x2d;
const VERSION = 0x38;
const VARIANT = '89ab';

export const chunkId = (docId: string, chunkHash: string): string => derivedId('chunk', docId, chunkHash);

/** `occurrence` counts sections of one document with the same path, from 0. */
export const sectionId = (docId: string, path: readonly string[], occurrence: number): string =>
  derivedId('section', docId, String(occurrence), ...path);
