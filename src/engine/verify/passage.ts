import { contentHash, normaliseForHash } from '../../model/hash.js';
import type { Span } from '../../model/tree.js';
import { pause } from '../../model/turns.js';

/** What is known of a cited passage: always its hash's beginning and its length, often its text. */
export interface CitedPassage {
  readonly hash_prefix: string;
  readonly length: number;
  /** Where it stood: of several places the nearest one is meant. */
  readonly start: number;
  readonly text?: string;
  /** See text/likeness.ts; for when the text is not known. */
  readonly sketch?: string;
}

/** Scanning by hash alone looks at every line's start; beyond this a text is too long for that. */
const MOST_LINES = 50_000;
/**
 * What may still be hashed for one question, in characters. A passage's length is the caller's word: lines of a long
 * text times a long passage, and that for every document, would take hours.
 */
export interface HashBudget {
  left: number;
}

export const hashBudget = (): HashBudget => ({ left: 20_000_000 });

export const isPassage = (text: string, { hash_prefix }: CitedPassage): boolean =>
  contentHash(text).startsWith(hash_prefix);

/** Where the very same passage stands in this text now; null when it does not. */
export async function findPassage(
  text: string,
  passage: CitedPassage,
  budget: HashBudget,
  starts: readonly number[] = [],
): Promise<Span | null> {
  const found =
    passage.text === undefined
      ? await byHash(text, passage, budget, starts)
      : byText(text, passage.text, passage.start);
  return found !== null && isPassage(text.slice(found.start, found.end), passage) ? found : null;
}

function byText(text: string, wanted: string, near: number): Span | null {
  const exact = nearest(occurrences(text, wanted), near);
  if (exact !== null) return { start: exact, end: exact + wanted.length };
  // Blanks at line ends do not count (see hash.ts): compare the lines without them.
  const needle = normaliseForHash(wanted);
  const { trimmed, original } = trimmedLines(text);
  const at = nearest(occurrences(trimmed, needle), near);
  return at === null || needle === '' ? null : { start: original(at), end: original(at + needle.length) };
}

/** Without the text: any stretch of its length that starts where a passage may start, and has its hash. */
async function byHash(
  text: string,
  passage: CitedPassage,
  budget: HashBudget,
  starts: readonly number[],
): Promise<Span | null> {
  const candidates = new Set(starts);
  let lines = 0;
  // A line's start, and its first character: passages start behind the indentation of a list.
  for (const { index, 1: indent } of text.matchAll(/^([ \t]*)\S/gm)) {
    if (lines++ > MOST_LINES) break;
    candidates.add(index);
    candidates.add(index + indent!.length);
  }
  const nearestFirst = [...candidates].sort(
    (a, b) => Math.abs(a - passage.start) - Math.abs(b - passage.start),
  );
  for (const start of nearestFirst) {
    if (budget.left <= 0) break;
    await pause();
    const end = Math.min(text.length, start + passage.length);
    if (isPassage(text.slice(start, end), passage)) return { start, end };
    budget.left -= end - start;
  }
  return null;
}

/** Where sentences start: a long paragraph is cut there. */
export const sentenceStarts = (text: string): number[] =>
  Array.from(
    text.matchAll(/[.!?;:]["'”’)\]]*\s+|[。！？；：]["”’）]*\s*/g),
    (end) => end.index + end[0].length,
  );

function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  if (wanted === '') return found;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

function nearest(places: readonly number[], near: number): number | null {
  let best: number | null = null;
  for (const place of places)
    if (best === null || Math.abs(place - near) < Math.abs(best - near)) best = place;
  return best;
}

/** The text without blanks at line ends, and where its offsets stand in the original. */
function trimmedLines(text: string): { trimmed: string; original: (at: number) => number } {
  const shifts: [at: number, by: number][] = [[0, 0]];
  let removed = 0;
  const trimmed = text.replace(/(?<![ \t])[ \t]+(?=\n|$)/g, (blanks: string, at: number) => {
    shifts.push([at - removed + 1, removed + blanks.length]);
    removed += blanks.length;
    return '';
  });
  const original = (at: number): number => at + (shifts.findLast(([from]) => from <= at)?.[1] ?? 0);
  return { trimmed, original };
}
