import { hash } from 'node:crypto';

export const sha256 = (data: string | Uint8Array): string => hash('sha256', data);

/**
 * What two texts must share to count as the same: NFC, `\n` newlines, no spaces at line ends, no blank lines
 * at either end. Indentation and inner blank lines count: in code and Markdown they mean something.
 */
export function normaliseForHash(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/**
 * Anything that would change: other newlines, spaces at line ends, newlines at either end, characters that NFC may
 * compose. (It leaves Latin-1, Cyrillic letters, punctuation, kana and Han as they are unless a mark follows.) Most
 * passages have none of it, and this one look is far cheaper than the four changes.
 */
const UNUSUAL =
  /\r|[ \t](?:\n|$)|^\n|\n$|[\u0300-\u03ff\u0482-\u200f\u2028-\u3000\u302a-\u3040\u3097-\u30a0\u30fb-\u4dff\ua000-\uff00\uff5f-\uffff]/;

export const contentHash = (text: string): string => sha256(normaliseForHash(text));

/** The same text a second time in one document gets its own hash, so that `(doc_id, chunk_hash)` is unique. */
export const repeatedHash = (hash: string, repeat: number): string =>
  repeat === 0 ? hash : sha256(`${hash}#${repeat}`);
