import { classOf, DIGIT, LOWER, OTHER, UPPER } from './characters.js';
import { stem } from './lexicon/stem.js';
import { STOP_WORDS } from './lexicon/stopwords.js';
import { onTrim, type Term, termFor } from './terms.js';

/** One run of letters and digits, as it was written, and what it stands for in the index. */
export interface Word {
  readonly raw: string;
  /** Folded and stemmed. */
  readonly term: Term;
  /** Folded only: for phrases and for joining. */
  readonly surface: string;
  readonly stop: boolean;
  /** Of `getUserById`: its words with their offsets in the run; null for a plain word. */
  readonly parts: readonly WordPart[] | null;
}

export interface WordPart {
  readonly term: Term;
  readonly stop: boolean;
  readonly start: number;
  readonly end: number;
}

/** A corpus has few distinct words (Heaps): remembering them makes folding and stemming free. */
let memo = new Map<string, Word>();

/**
 * The words met last, by a hash of their characters: finds most of them without cutting a string out of the text.
 * A collision only means the longer way.
 */
const RECENT = 1 << 14;
let recent: (Word | undefined)[] = new Array(RECENT);
onTrim(() => {
  memo = new Map();
  stems = new Map();
  recent = new Array(RECENT);
});

/** The word at `text.slice(start, end)`. */
export function wordAt(text: string, start: number, end: number): Word {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  const place = (hash ^ (hash >>> 15)) & (RECENT - 1);
  const last = recent[place];
  if (last !== undefined && last.raw.length === end - start && text.startsWith(last.raw, start)) return last;
  const word = wordOf(text.slice(start, end));
  recent[place] = word;
  return word;
}

function wordOf(raw: string): Word {
  const known = memo.get(raw);
  if (known) return known;
  const surface = foldWord(raw);
  const word = { raw, ...termOf(surface), surface, parts: camelParts(raw) };
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

/** The terms of surfaces, compounds among them. */
let stems = new Map<string, StemmedTerm>();

interface StemmedTerm {
  readonly term: Term;
  readonly stop: boolean;
}

export function termOf(surface: string): StemmedTerm {
  let known = stems.get(surface);
  if (known === undefined) {
    known = stemmed(surface);
    stems.set(surface, known);
  }
  return known;
}

function stemmed(surface: string): StemmedTerm {
  if (STOP_WORDS.has(surface)) return { term: termFor(surface), stop: true };
  return { term: termFor(/^[a-z]+$/.test(surface) ? stem(surface) : surface), stop: false };
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
