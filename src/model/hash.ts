import { createHash, hash } from 'node:crypto';

export const sha256 = (data: string | Uint8Array): string => hash('sha256', data);

/**
 * What two texts must share to count as the same: NFC, `\n` newlines, no spaces at line ends, no blank lines
 * at either end. Indentation and inner blank lines count: in code and Markdown they mean something.
 */
export function normaliseForHash(text: string): string {
  return isNormal(text) ? text : normaliseLines(text).replace(/^\n+|(?<!\n)\n+$/g, '');
}

const normaliseLines = (text: string): string =>
  withoutBlankEnds(text.normalize('NFC').replace(/\r\n?/g, '\n'));

/** Without spaces and tabs at the ends of lines. */
export const withoutBlankEnds = (text: string): string =>
  mayHaveBlankEnds(text) ? text.replace(/(?<![ \t])[ \t]+$/gm, '') : text;

/** Looks at line ends only: the pattern looks at every space, and most texts have none there. */
function mayHaveBlankEnds(text: string): boolean {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (isBlank(text.charCodeAt(at - 1))) return true;
  }
  return isBlank(text.charCodeAt(text.length - 1)) || OTHER_ENDS.some((end) => text.includes(end));
}

const isBlank = (code: number): boolean => code === 32 || code === 9;
/** What else ends a line for a pattern. */
const OTHER_ENDS = ['\r', '\u2028', '\u2029'];

/**
 * Whether nothing would change: no other newlines, no spaces at line ends, no newlines at either end, no characters that
 * NFC may compose. Most passages are so, and these looks are far cheaper than the four changes; apart from each other
 * they take half the time of one pattern for all.
 */
function isNormal(text: string): boolean {
  if (text.startsWith('\n') || text.endsWith('\n')) return false;
  return !(mayHaveBlankEnds(text) || MAY_COMPOSE.test(text));
}

/** NFC leaves Latin-1, Cyrillic letters, punctuation, kana and Han as they are unless a mark follows. */
const MAY_COMPOSE =
  /[\u0300-\u03ff\u0482-\u200f\u2028-\u3000\u302a-\u3040\u3097-\u30a0\u30fb-\u4dff\ua000-\uff00\uff5f-\uffff]/;

/** In characters: a long text is normalised and hashed some lines at a time, never copied as a whole. */
const PART = 256 * 1024;

export const contentHash = (text: string): string =>
  text.length <= PART ? sha256(normaliseForHash(text)) : hashByLines(text);

/** `sha256(normaliseForHash(text))`, read in parts of at least `part` characters. */
export function hashByLines(text: string, part = PART): string {
  const sum = createHash('sha256');
  let isEmpty = true;
  /** Not yet counted: those at the end do not count. */
  let newlines = 0;
  for (let from = 0; from <= text.length; ) {
    const newline = text.indexOf('\n', from + part);
    const to = newline < 0 ? text.length : newline;
    const lines = text.slice(from, newline > from && text.charCodeAt(to - 1) === 13 ? to - 1 : to);
    const normal = isNormal(lines) ? lines : normaliseLines(lines);
    const body = normal.replace(/^\n+|(?<!\n)\n+$/g, '');
    if (body === '') newlines += normal.length;
    else {
      const before = newlines + normal.indexOf(body[0]!);
      if (!isEmpty) sum.update('\n'.repeat(before));
      sum.update(body);
      isEmpty = false;
      newlines = normal.length - body.length - normal.indexOf(body[0]!);
    }
    newlines++;
    from = to + 1;
  }
  return sum.digest('hex');
}

/** The same text a second time in one document gets its own hash, so that `(doc_id, chunk_hash)` is unique. */
export const repeatedHash = (hash: string, repeat: number): string =>
  repeat === 0 ? hash : sha256(`${hash}#${repeat}`);
