import { classOf, DIGIT, LOWER, OTHER, UPPER } from './characters.js';
import { stem } from './stem.js';
import { STOP_WORDS } from './stopwords.js';

/** One run of letters and digits, as it was written, and what it stands for in the index. */
export interface Word {
  /** Folded and stemmed. */
  readonly term: string;
  /** Folded only: for phrases and for joining. */
  readonly surface: string;
  /** Of the run as written, which folding may change. */
  readonly length: number;
  readonly stop: boolean;
  /** Of `getUserById`: its words with their offsets in the run; null for a plain word. */
  readonly parts: readonly WordPart[] | null;
}

export interface WordPart {
  readonly term: string;
  readonly stop: boolean;
  readonly start: number;
  readonly end: number;
}

// A corpus has few distinct words (Heaps): remembering them makes stemming free. Cleared when it grows too large.
const MEMO_LIMIT = 200_000;
const memo = new Map<string, Word>();

export function wordOf(raw: string): Word {
  const known = memo.get(raw);
  if (known) return known;
  if (memo.size >= MEMO_LIMIT) memo.clear();
  const surface = foldWord(raw);
  const word = { ...termOf(surface), surface, length: raw.length, parts: camelParts(raw) };
  memo.set(raw, word);
  return word;
}

/** Lower case; Latin letters without their accents (café is found as cafe). Other scripts keep their marks. */
export function foldWord(raw: string): string {
  const lower = raw.toLowerCase();
  if (!/[^\x00-\x7f]/.test(lower)) return lower;
  const bare = /\p{Script=Latin}/u.test(lower) ? lower.normalize('NFD').replace(/\p{M}+/gu, '') : lower;
  return bare.replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}

export function termOf(surface: string): { term: string; stop: boolean } {
  if (STOP_WORDS.has(surface)) return { term: surface, stop: true };
  return { term: /^[a-z]+$/.test(surface) ? stem(surface) : surface, stop: false };
}

function camelParts(raw: string): WordPart[] | null {
  const starts = [0];
  for (let index = 1; index < raw.length; index++) {
    const before = classOf(raw.charCodeAt(index - 1));
    const here = classOf(raw.charCodeAt(index));
    const next = index + 1 < raw.length ? classOf(raw.charCodeAt(index + 1)) : OTHER;
    const rises = here === UPPER && (before === LOWER || before === DIGIT);
    const acronymEnds = here === UPPER && before === UPPER && next === LOWER;
    // "URLs", "PDFs": the plural of an acronym is no second word.
    const plural = acronymEnds && index + 2 === raw.length && raw[index + 1] === 's';
    if (rises || (acronymEnds && !plural)) starts.push(index);
  }
  if (starts.length === 1) return null;
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? raw.length;
    return { ...termOf(foldWord(raw.slice(start, end))), start, end };
  });
}
