import type { Highlight } from '../../model/result.js';
import { termSpans } from '../../text/analyze.js';
import { phraseSpans } from '../../text/phrase.js';
import type { Query } from '../../text/query.js';

type Span = readonly [start: number, end: number];

/** How long a piece around the matches may be, in UTF-16 units: about three lines. */
const PIECE_LENGTH = 240;

/** The piece of a field with the most matches, and where they stand in it; null when nothing of the query is there. */
export function highlight(field: Highlight['field'], text: string, query: Query): Highlight | null {
  const spans = matchSpans(text, query);
  if (spans.length === 0) return null;
  const [from, to] = densest(spans);
  const { start, end } = whole(text, pieceAround(text, from, to));
  const inside = spans.filter(([s, e]) => s >= start && e <= end);
  return {
    field,
    text: text.slice(start, end),
    matches: inside.map(([s, e]) => [s - start, e - start] as const),
  };
}

/** Spans of the query's terms and phrases in a text, merged where they touch. */
export function matchSpans(text: string, query: Query): Span[] {
  const { evidence, prefix, phrases } = query;
  const spans: Span[] = phrases.flatMap((phrase) => phraseSpans(phrase, text));
  return merge([...spans, ...termSpans(text, evidence, prefix)]);
}

function merge(spans: readonly Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** The run of matches that fits into one piece and covers the most of the text. */
function densest(spans: readonly Span[]): Span {
  let best: Span = spans[0]!;
  let most = 0;
  for (let first = 0, last = 0, covered = 0; first < spans.length; first++) {
    while (last < spans.length && spans[last]![1] - spans[first]![0] <= PIECE_LENGTH) {
      covered += spans[last]![1] - spans[last]![0];
      last++;
    }
    if (last === first) {
      last++;
      continue;
    }
    if (covered > most) {
      most = covered;
      best = [spans[first]![0], spans[last - 1]![1]];
    }
    covered -= spans[first]![1] - spans[first]![0];
  }
  return best;
}

/** The match with text on both sides up to the piece's length, cut at words and never inside a character. */
function pieceAround(text: string, from: number, to: number): { start: number; end: number } {
  const spare = Math.max(0, PIECE_LENGTH - (to - from));
  let start = Math.max(0, from - Math.floor(spare / 3));
  let end = Math.min(text.length, Math.max(to, start + PIECE_LENGTH));
  while (start > 0 && start < from && !startsWord(text, start)) start++;
  while (end < text.length && end > to && !startsWord(text, end)) end--;
  // A match that is part of a longer word (`score` of `nodes_to_score`) is shown with all of it.
  for (let back = 0; back < LONGEST_WORD && start > 0 && !startsWord(text, start); back++) start--;
  for (let on = 0; on < LONGEST_WORD && end < text.length && !startsWord(text, end); on++) end++;
  return { start, end };
}

/** No half of a surrogate pair at either end. */
function whole(text: string, { start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start: isLow(text, start) ? start - 1 : start, end: isLow(text, end) ? end + 1 : end };
}

const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** What is longer without a space is no word but data: it may be cut anywhere. */
const LONGEST_WORD = 48;

const DENSE =
  /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff65]/u;

/** Whether a cut before this place harms no word: at a space, or beside a dense character. `kube-proxy` is one word. */
const startsWord = (text: string, at: number): boolean =>
  (DENSE.test(text.slice(at, at + 1)) || DENSE.test(text.slice(at - 1, at))) &&
  !/^\p{M}/u.test(text.slice(at, at + 2));
