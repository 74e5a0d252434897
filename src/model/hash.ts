import { createHash } from 'node:crypto';

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/**
 * What two texts must share to count as the same: NFC, `\n` newlines, no spaces at line ends, no blank lines
 * at either end. Indentation and inner blank lines count: in code and Markdown they mean something.
 */
export function normaliseForHash(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

export const contentHash = (text: string): string => sha256(normaliseForHash(text));

/** The same text a second time in one document gets its own hash, so that `(doc_id, chunk_hash)` is unique. */
export const repeatedHash = (hash: string, repeat: number): string =>
  repeat === 0 ? hash : sha256(`${hash}#${repeat}`);
