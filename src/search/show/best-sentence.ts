import type { Chunk } from '../../model/chunk.js';
import { lineOf } from '../../model/line-marks.js';
import type { BestSentence } from '../../model/result.js';
import { visitTerms } from '../../text/analyze.js';
import type { Query } from '../../text/query.js';
import { sentenceStarts } from '../../text/sentences.js';

/**
 * The sentence of a passage that holds most of what the question asks for. A word counts the less the oftener the passage
 * says it: what it says everywhere tells no sentence from another. Headings are chosen only where nothing else matches.
 */
export function bestSentence(chunk: Chunk, query: Query): BestSentence | undefined {
  const best = bestSpan(withoutExcluded(chunk), isByLine(chunk), query);
  if (best === null) return undefined;
  const [start, end] = best;
  const line = lineOf(chunk, start);
  return {
    start_position: chunk.start_position + start,
    end_position: chunk.start_position + end,
    ...(line === undefined ? {} : { line }),
  };
}

/** Code and tables have lines, not sentences. */
export const isByLine = ({ content_type }: Pick<Chunk, 'content_type'>): boolean =>
  content_type === 'code' || content_type === 'table';

/** Comments are nobody's best sentence: blanks stand in their place, so that offsets stay. */
function withoutExcluded({ content, metadata }: Chunk): string {
  let shown = content;
  for (const [start, end] of metadata.excluded ?? [])
    shown = shown.slice(0, start) + ' '.repeat(end - start) + shown.slice(end);
  return shown;
}

export function bestSpan(content: string, byLine: boolean, query: Query): readonly [number, number] | null {
  const starts = sentencesOf(content, byLine);
  const found = termsBySentence(content, starts, query);
  const counts = new Map<string, number>();
  for (const terms of found.values()) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weights = new Map(query.terms.map(({ term, weight }) => [term, weight]));
  let best = -1;
  let most = 0;
  for (const [index, terms] of found) {
    let worth = 0;
    for (const term of terms) worth += (weights.get(term) ?? 1) / counts.get(term)!;
    if (HEADING.test(content.slice(starts[index], starts[index]! + 8))) worth /= 1_000;
    if (worth > most) [best, most] = [index, worth];
  }
  if (best < 0) return null;
  const start = starts[best]!;
  return [start, start + content.slice(start, starts[best + 1]).trimEnd().length];
}

const HEADING = /^#{1,6} /;
/** A line that is no continuation of the one before: after a blank line, a list's item, a table's row, a heading. */
const OWN_LINE = /\n(?:\s*\n|(?=[ \t]*(?:[-*+|>]|#{1,6} |\d+[.)] )))/g;

/** Where sentences begin, the first at 0; in code and tables, lines. */
export function sentencesOf(text: string, byLine: boolean): number[] {
  const starts = new Set([0]);
  for (const match of text.matchAll(byLine ? /\n/g : OWN_LINE)) starts.add(match.index + match[0].length);
  if (!byLine) for (const start of sentenceStarts(text, 0, text.length)) starts.add(start);
  return [...starts].filter((start) => start < text.length).sort((a, b) => a - b);
}

function termsBySentence(text: string, starts: readonly number[], query: Query): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  let at = 0;
  visitTerms(text, query.evidence, (term, start) => {
    while (at + 1 < starts.length && starts[at + 1]! <= start) at++;
    while (at > 0 && starts[at]! > start) at--;
    const terms = found.get(at);
    if (terms === undefined) found.set(at, new Set([term]));
    else terms.add(term);
  });
  return found;
}
