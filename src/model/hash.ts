import { hash } from 'node:crypto';

export const sha256 = (data: string | Uint8Array): string => hash('sha256', data);

/**
 * What two texts must share to count as the same: NFC, `\n` newlines, no spaces at line ends, no blank lines
 * at either end. Indentation and inner blank lines count: in code and Markdown they mean something.
 */
export function normaliseForHash(text: string): string {
  if (isNormal(text)) return text;
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/**
 * Whether nothing would change: no other newlines, no spaces at line ends, no newlines at either end, no characters that
 * NFC may compose. Most passages are so, and these looks are far cheaper than the four changes; apart from each other
 * they take half the time of one pattern for all.
 */
function isNormal(text: string): boolean {
  if (text.startsWith('\n') || EDGES.some((edge) => text.endsWith(edge))) return false;
  return !(text.includes('\r') || LINE_END.test(text) || MAY_COMPOSE.test(text));
}

const EDGES = ['\n', ' ', '\t'];
const LINE_END = /[ \t]\n/;
/** NFC leaves Latin-1, Cyrillic letters, punctuation, kana and Han as they are unless a mark follows. */
const MAY_COMPOSE =
  /[\u0300-\u03ff\u0482-\u200f\u2028-\u3000\u302a-\u3040\u3097-\u30a0\u30fb-\u4dff\ua000-\uff00\uff5f-\uffff]/;

export const contentHash = (text: string): string => sha256(normaliseForHash(text));

/** The same text a second time in one document gets its own hash, so that `(doc_id, chunk_hash)` is unique. */
export const repeatedHash = (hash: string, repeat: number): string =>
  repeat === 0 ? hash : sha256(`${hash}#${repeat}`);
