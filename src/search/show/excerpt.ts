import type { Highlight } from '../../model/result.js';
import type { Query } from '../../text/query.js';
import { bestSpan, sentencesOf } from './best-sentence.js';
import { highlight, matchSpans } from './highlight.js';

/** In UTF-16 units: some six lines of English, twelve of Chinese. */
const LONGEST = 480;

/**
 * The best sentence of a passage with as many whole sentences (or lines) behind it as there is room for, then before
 * it; line breaks are the passage's own. null when nothing of the query is there.
 */
export function excerpt(text: string, byLine: boolean, query: Query): Highlight | null {
  const best = bestSpan(text, byLine, query);
  if (best === null || best[1] - best[0] > LONGEST) return highlight('content', text, query);
  const ends = [...sentencesOf(text, byLine), text.length];
  let first = ends.findLastIndex((start) => start <= best[0]);
  let last = first + 1;
  const fits = (from: number, to: number): boolean =>
    ends[from] !== undefined && ends[to] !== undefined && ends[to] - ends[from] <= LONGEST;
  while (fits(first, last + 1)) last++;
  while (fits(first - 1, last)) first--;
  const piece = text.slice(ends[first], ends[last]);
  const start = ends[first]! + piece.length - piece.replace(/^\s*\n/, '').length;
  const end = ends[first]! + piece.trimEnd().length;
  const matches = matchSpans(text, query).filter(([from, to]) => from >= start && to <= end);
  if (matches.length === 0) return highlight('content', text, query);
  return {
    field: 'content',
    text: text.slice(start, end),
    matches: matches.map(([from, to]) => [from - start, to - start] as const),
  };
}
