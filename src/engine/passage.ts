import { contentHash, normaliseForHash } from '../model/hash.js';
import type { Span } from '../model/tree.js';
import { countsOf, likeness, pairsOf, sketchDistance, sketchOf, tokensOf } from '../text/likeness.js';

/** What is known of a cited passage: always its hash's beginning and its length, often its text. */
export interface Passage {
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

export const isPassage = (text: string, { hash_prefix }: Passage): boolean =>
  contentHash(text).startsWith(hash_prefix);

/** Where the very same passage stands in this text now; null when it does not. */
export function locate(text: string, passage: Passage, starts: readonly number[] = []): Span | null {
  const found =
    passage.text === undefined ? byHash(text, passage, starts) : byText(text, passage.text, passage.start);
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

/** Without the text: any stretch of its length that starts a line (or a chunk) and has its hash. */
function byHash(text: string, passage: Passage, starts: readonly number[]): Span | null {
  const candidates = new Set(starts);
  for (let at = 0, lines = 0; at >= 0 && lines < MOST_LINES; lines++) {
    // No passage starts with an empty line.
    if (text[at] !== '\n') candidates.add(at);
    const newline = text.indexOf('\n', at);
    at = newline < 0 ? -1 : newline + 1;
  }
  const found = [...candidates].filter((start) =>
    isPassage(text.slice(start, start + passage.length), passage),
  );
  const start = nearest(found, passage.start);
  return start === null ? null : { start, end: Math.min(text.length, start + passage.length) };
}

function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  if (wanted === '') return found;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) found.push(at);
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
  const trimmed = text.replace(/[ \t]+(?=\n|$)/g, (blanks: string, at: number) => {
    shifts.push([at - removed + 1, removed + blanks.length]);
    removed += blanks.length;
    return '';
  });
  const original = (at: number): number => at + (shifts.findLast(([from]) => from <= at)?.[1] ?? 0);
  return { trimmed, original };
}

export interface Alike extends Span {
  /** 0 to 1. */
  readonly similarity: number;
}

/**
 * Below this, two passages share no more than any two passages of one subject do: of 6,000 pairs of unrelated
 * 700-character passages of the Kubernetes docs, in English and Chinese, one in a thousand was above 0.16; with 120
 * characters inserted a passage stays above 0.7 of itself in 99 of 100 cases, with half of it replaced above 0.27.
 */
export const LEAST_ALIKE = 0.2;
/** The same for sketches, in bits: inserted passages stayed within 16 (99 of 100), unrelated ones began at 20. */
const MOST_BITS = 17;

/**
 * The stretch of this text that is most like the passage. `known` are stretches that stood there before, as other
 * passages: none of them is what this one has become.
 */
export function mostAlike(text: string, passage: Passage, known: readonly Span[] = []): Alike | null {
  const tokens = newTokens(text, known);
  const pairs = pairsOf(tokens);
  if (pairs.length === 0) return null;
  if (passage.text !== undefined) return alikeByText(text, tokens, pairs, pairsOf(tokensOf(passage.text)));
  return passage.sketch === undefined ? null : alikeBySketch(text, tokens, pairs, passage);
}

type Tokens = ReturnType<typeof tokensOf>;

function alikeByText(
  text: string,
  tokens: Tokens,
  pairs: readonly string[],
  wanted: readonly string[],
): Alike | null {
  const width = Math.max(1, Math.min(wanted.length, pairs.length));
  const counts = countsOf(wanted);
  // A window slides over the pairs; `shared` counts those it has in common with the passage, repeats included.
  const inside = new Map<string, number>();
  let shared = 0;
  let best = { shared: 0, from: 0 };
  for (let to = 0; to < pairs.length; to++) {
    const entering = pairs[to]!;
    const had = inside.get(entering) ?? 0;
    inside.set(entering, had + 1);
    if (had < (counts.get(entering) ?? 0)) shared++;
    if (to >= width) {
      const leaving = pairs[to - width]!;
      const left = inside.get(leaving)! - 1;
      inside.set(leaving, left);
      if (left < (counts.get(leaving) ?? 0)) shared--;
    }
    if (shared > best.shared) best = { shared, from: Math.max(0, to - width + 1) };
  }
  if (best.shared === 0) return null;
  // From the first to the last pair in common: what was inserted in between belongs to it, up to as much again.
  const reach = pairs.slice(best.from, best.from + 2 * width);
  const first = reach.findIndex((pair) => counts.has(pair));
  const last = reach.findLastIndex((pair) => counts.has(pair));
  const span = wholeLines(
    text,
    tokens[best.from + first]!.start,
    tokens[Math.min(tokens.length - 1, best.from + last + 1)]!.end,
  );
  return { ...span, similarity: likeness(wanted, reach.slice(first, last + 1)) };
}

function alikeBySketch(
  text: string,
  tokens: Tokens,
  pairs: readonly string[],
  { length, sketch }: Passage,
): Alike | null {
  let best: { from: number; to: number; bits: number } | null = null;
  for (let from = 0, to = 0; from < pairs.length; from = Math.max(from + 1, from + ((to - from) >> 3))) {
    while (to < pairs.length && tokens[to]!.end - tokens[from]!.start < length) to++;
    const bits = sketchDistance(sketchOf(pairs.slice(from, to)), sketch!);
    if (best === null || bits < best.bits) best = { from, to, bits };
    if (to >= pairs.length) break;
  }
  if (best === null || best.bits > MOST_BITS) return null;
  const span = wholeLines(text, tokens[best.from]!.start, tokens[Math.min(tokens.length - 1, best.to)]!.end);
  // A cosine from the share of equal bits (Charikar).
  return { ...span, similarity: Math.max(0, Math.cos((Math.PI * best.bits) / 64)) };
}

/** A place whose words were all replaced counts as changed when at least this share of them is there in new words. */
const LEAST_REWRITTEN = 0.3;

/** What stands in this place now that did not stand anywhere before, if it is enough to have taken the passage's place. */
export function rewritten(text: string, place: Span, before: string, known: readonly Span[]): Alike | null {
  const tokens = newTokens(text, known).filter(({ start, end }) => place.start <= start && end <= place.end);
  const wanted = tokensOf(before);
  if (tokens.length === 0 || tokens.length < LEAST_REWRITTEN * wanted.length) return null;
  const span = wholeLines(text, tokens[0]!.start, tokens.at(-1)!.end);
  return { ...span, similarity: likeness(pairsOf(wanted), pairsOf(tokens)) };
}

const newTokens = (text: string, known: readonly Span[]): Tokens =>
  tokensOf(text).filter(({ start, end }) => !known.some((span) => span.start <= start && end <= span.end));

function wholeLines(text: string, start: number, end: number): Span {
  const next = text.indexOf('\n', end);
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: next < 0 ? text.length : next };
}
