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

/** Whether nothing would change: most passages are so, and this one look is far cheaper than the four changes. */
function isNormal(text: string): boolean {
  let before = 10;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 ? before === 32 || before === 9 || at === 0 : code === 13) return false;
    // NFC leaves Latin-1, Greek and Cyrillic letters, punctuation, kana and Han as they are unless a mark follows.
    if (code >= 0x300 && !(code >= 0x4e00 && code <= 0x9fff) && !isStable(code)) return false;
    before = code;
  }
  return before !== 10 && before !== 32 && before !== 9;
}

const isStable = (code: number): boolean =>
  (code >= 0x2010 && code <= 0x2027) ||
  (code >= 0x3001 && code <= 0x3029) ||
  (code >= 0x3041 && code <= 0x3096) ||
  (code >= 0x30a1 && code <= 0x30fa) ||
  (code >= 0xff01 && code <= 0xff5e) ||
  (code >= 0x400 && code <= 0x481);

export const contentHash = (text: string): string => sha256(normaliseForHash(text));

/** The same text a second time in one document gets its own hash, so that `(doc_id, chunk_hash)` is unique. */
export const repeatedHash = (hash: string, repeat: number): string =>
  repeat === 0 ? hash : sha256(`${hash}#${repeat}`);
