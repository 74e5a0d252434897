import type { Span } from '../../model/tree.js';
import { countsOf, likeness, pairsOf, sketchDistance, sketchOfPairs, tokensOf } from '../../text/likeness.js';
import type { CitedPassage } from './passage.js';

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
/**
 * The same for sketches, in bits: with 120 characters inserted, passages stayed within 13 (95 of 100), unrelated ones
 * began at 20. But the best of all windows of a long document comes nearer than any two passages do.
 */
const MOST_BITS = 13;

/**
 * The stretch of this text that is most like the passage. `known` is what stood there before as
 * something else: none of that is what the passage has become.
 */
export function mostAlike(text: string, passage: CitedPassage, known: Known = NOTHING): Alike | null {
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

/** A changed passage may have grown. */
const LENGTHS = [1, 1.2];

function alikeBySketch(
  text: string,
  tokens: Tokens,
  pairs: readonly string[],
  { length, sketch }: CitedPassage,
): Alike | null {
  let best: { from: number; to: number; bits: number } | null = null;
  for (const share of LENGTHS) {
    for (let from = 0, to = 0; from < pairs.length; from += Math.max(1, (to - from) >> 4)) {
      while (to < pairs.length && tokens[to]!.end - tokens[from]!.start < length * share) to++;
      const bits = sketchDistance(sketchOfPairs(pairs.slice(from, to)), sketch!);
      if (best === null || bits < best.bits) best = { from, to, bits };
      if (to >= pairs.length) break;
    }
  }
  if (best === null || best.bits > MOST_BITS) return null;
  const span = wholeLines(text, tokens[best.from]!.start, tokens[Math.min(tokens.length - 1, best.to)]!.end);
  // A cosine from the share of equal bits (Charikar).
  return { ...span, similarity: Math.max(0, Math.cos((Math.PI * best.bits) / 64)) };
}

/** A place whose words were all replaced counts as changed when at least this share of them is there in new words. */
const LEAST_REWRITTEN = 0.3;

/** What stands in this place now that did not stand anywhere before, if it is enough to have taken the passage's place. */
export function rewritten(text: string, place: Span, before: string, known: Known): Alike | null {
  const tokens = newTokens(text, known).filter(({ start, end }) => place.start <= start && end <= place.end);
  const wanted = tokensOf(before);
  if (tokens.length === 0 || tokens.length < LEAST_REWRITTEN * wanted.length) return null;
  const span = wholeLines(text, tokens[0]!.start, tokens.at(-1)!.end);
  return { ...span, similarity: likeness(pairsOf(wanted), pairsOf(tokens)) };
}

/** Sentences (and lines without any) that a text held outside the passage. */
export type Known = ReadonlySet<string>;
const NOTHING: Known = new Set();

export function knownOutside(text: string, { start, end }: Span): Known {
  const outside = [text.slice(0, start), text.slice(end)].flatMap((part) => piecesOf(part));
  return new Set(outside.map(({ piece }) => piece));
}

function piecesOf(text: string): { piece: string; start: number; end: number }[] {
  return Array.from(text.matchAll(/[^\n.!?。！？]+/g), ({ 0: piece, index }) => ({
    piece: piece.trim(),
    start: index,
    end: index + piece.length,
  }));
}

/** Tokens of what was not there before. */
function newTokens(text: string, known: Known): Tokens {
  if (known.size === 0) return tokensOf(text);
  const fresh = piecesOf(text).filter(({ piece }) => piece !== '' && !known.has(piece));
  return fresh.flatMap(({ start, end }) =>
    tokensOf(text.slice(start, end)).map((token) => ({
      ...token,
      start: token.start + start,
      end: token.end + start,
    })),
  );
}

function wholeLines(text: string, start: number, end: number): Span {
  const next = text.indexOf('\n', end);
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: next < 0 ? text.length : next };
}
