import type { Backend } from '../store/backend.js';
import type { WeightedTerm } from '../store/lexical.js';
import { BM25_K1, bm25Idf } from '../store/scoring.js';
import type { Query } from '../text/query.js';
import type { ScoredId } from './fuse.js';
import type { SearchRequest } from './options.js';
import { prefixTerms } from './prefix.js';

/** What a word in the titles above a passage counts against one in it: docs/decisions/ranking-words.md. */
export const TITLE_WEIGHT = 2;

/** The query's terms, with what an unfinished word may become. */
export async function searchedTerms({ words }: Backend, query: Query): Promise<WeightedTerm[]> {
  return query.prefix === null
    ? [...query.terms]
    : [...query.terms, ...(await prefixTerms(words, query.prefix))];
}

/** The k best chunks by words. */
export async function matchWords(
  { words }: Backend,
  terms: readonly WeightedTerm[],
  query: Query,
  { mode, filter }: SearchRequest,
  k: number,
): Promise<readonly ScoredId[]> {
  if (terms.length === 0) return [];
  return words.match({
    terms,
    k,
    kind: 'chunk',
    scorer: mode === 'tfidf' ? 'tfidf' : 'bm25',
    title_weight: TITLE_WEIGHT,
    ...(query.required.length > 0 ? { required: query.required } : {}),
    ...(filter ? { filter } : {}),
  });
}

/** The BM25 score of a passage that holds all these terms as often as one likes: no passage has more. */
export async function wordsCeiling({ words }: Backend, terms: readonly WeightedTerm[]): Promise<number> {
  const { units, df } = await words.frequencies(terms.map(({ term }) => term));
  return terms.reduce((sum, { weight }, at) => sum + weight * bm25Idf(units, df[at]!) * (BM25_K1 + 1), 0);
}
