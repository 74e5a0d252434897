import type { Backend } from '../../store/backend.js';
import { BM25_K1, bm25Idf } from '../../store/index/scoring.js';
import type { LexicalQuery, WeightedTerm } from '../../store/lexical.js';
import { visitTerms } from '../../text/analyze.js';
import { HeldTerms } from '../../text/concept.js';
import { partsOfText } from '../../text/parts.js';
import type { Query } from '../../text/query.js';
import type { ScoredId } from '../fuse.js';
import type { SearchRequest } from '../options.js';
import { prefixTerms } from './prefix.js';

/** What a word in the titles above a passage counts against one in it: docs/decisions/ranking-words.md. */
export const TITLE_WEIGHT = 2;

/** The query's terms, with what an unfinished word may become. */
export async function searchedTerms({ words }: Backend, query: Query): Promise<WeightedTerm[]> {
  return query.prefix === null
    ? [...query.terms]
    : [...query.terms, ...(await prefixTerms(words, query.prefix))];
}

/**
 * Where some of the terms only add to a score (single characters of longer words): those that are a reason to match. A
 * sentence of which the library knows no word at all may still mean what it writes otherwise (五险 is 社会保险 there):
 * then characters are all there is.
 */
export async function reasons(
  { words }: Backend,
  terms: readonly WeightedTerm[],
  { terms: written, evidence, is_sentence }: Query,
): Promise<Pick<LexicalQuery, 'any'>> {
  const extra = new Set(written.map(({ term }) => term).filter((term) => !evidence.has(term)));
  if (extra.size === 0) return {};
  const any = terms.map(({ term }) => term).filter((term) => !extra.has(term));
  if (is_sentence && (await words.frequencies(any)).df.every((count) => count === 0)) return {};
  return { any };
}

/** The k best chunks by words. */
export async function matchWords(
  backend: Backend,
  terms: readonly WeightedTerm[],
  query: Query,
  { mode, filter }: SearchRequest,
  k: number,
): Promise<readonly ScoredId[]> {
  if (terms.length === 0) return [];
  return backend.words.match({
    terms,
    k,
    kind: 'chunk',
    scorer: mode === 'tfidf' ? 'tfidf' : 'bm25',
    title_weight: TITLE_WEIGHT,
    ...(await reasons(backend, terms, query)),
    ...(query.required.length > 0 ? { required: query.required } : {}),
    ...(filter ? { filter } : {}),
  });
}

/** What each term is worth in BM25: its weight times its rarity, in whichever way it is said. */
export async function termWorths(
  { words }: Backend,
  terms: readonly WeightedTerm[],
): Promise<ReadonlyMap<string, number>> {
  const names = [
    ...new Set(terms.flatMap(({ term, also = [] }) => [term, ...also.flatMap((way) => way.terms)])),
  ];
  const { units, df } = await words.frequencies(names);
  const counts = new Map(names.map((name, at) => [name, df[at]!]));
  const worths = new Map<string, number>();
  for (const { term, weight, also = [] } of terms) {
    // No more units than this say it: those that say it in two ways are counted twice.
    const said = also.map((way) => Math.min(...way.terms.map((name) => counts.get(name)!)));
    const most = said.reduce((sum, count) => sum + count, counts.get(term)!);
    worths.set(term, (worths.get(term) ?? 0) + weight * bm25Idf(units, Math.min(units, most)));
  }
  return worths;
}

/** The BM25 score of a passage that holds all these terms as often as one likes: no passage has more. */
export const wordsCeiling = (worths: ReadonlyMap<string, number>): number => total(worths) * (BM25_K1 + 1);

/** The same for a question: of what its unfinished word may become, one is enough. */
export function questionCeiling(worths: ReadonlyMap<string, number>, { terms }: Query): number {
  const written = new Set(terms.map(({ term }) => term));
  const completions = [...worths].filter(([term]) => !written.has(term)).map(([, worth]) => worth);
  const known = new Map([...worths].filter(([term]) => written.has(term)));
  return wordsCeiling(known) + Math.max(0, ...completions) * (BM25_K1 + 1);
}

/**
 * How much of a question stands together in a text: the share of its words' worth that the best of the text's parts
 * holds.
 */
export function sharesTogether(
  terms: readonly WeightedTerm[],
  worths: ReadonlyMap<string, number>,
): (text: string) => number {
  const held = new HeldTerms(terms);
  const all = total(worths) || 1;
  return (text) => {
    const parts = partsOfText(text);
    held.clear();
    let part = 0;
    let sum = 0;
    let best = 0;
    visitTerms(text, held.wanted, (name, start) => {
      while (part + 1 < parts.length && start >= parts[part]![1]) {
        part += 1;
        held.clear();
        sum = 0;
      }
      for (const term of held.meet(name)) sum += worths.get(term)!;
      best = Math.max(best, sum);
    });
    return best / all;
  };
}

function total(worths: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const worth of worths.values()) sum += worth;
  return sum;
}
