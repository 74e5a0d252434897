import type { UnitWords } from '../../model/words.js';
import type { LexicalQuery, WeightedTerm } from '../lexical.js';

/**
 * BM25 and TF-IDF cosine over the same postings, once for all drivers.
 *
 * Drivers must agree to the last bit, since equal scores are ordered by id: every driver adds a unit's
 * contributions in the order `planTerms` gives (rarest first), with the functions below.
 */

/** Robertson's usual values; 0.9/0.4 lost up to 8 points of nDCG@10 on our evaluation sets. */
export const BM25_K1 = 1.2;
export const BM25_B = 0.75;
export const DEFAULT_TITLE_WEIGHT = 1;

/** Sums over the live units of one kind. */
export interface CollectionStats {
  readonly units: number;
  readonly body_length: number;
  readonly title_length: number;
}

/** A query term that some live unit holds, with all that does not depend on the unit. */
export interface PlannedTerm {
  readonly term: string;
  readonly df: number;
  /** BM25: weight × idf × (k1 + 1). TF-IDF: weight × idf ÷ length of the query's vector. */
  readonly factor: number;
}

/** Length of a unit, and of the mean unit, with a title's word counting `titleWeight` times (as BM25F does). */
export const weightedLength = (body: number, title: number, titleWeight: number): number =>
  body + titleWeight * title;

export function meanLength(stats: CollectionStats, titleWeight: number): number {
  const total = weightedLength(stats.body_length, stats.title_length, titleWeight);
  return stats.units === 0 || total === 0 ? 1 : total / stats.units;
}

/** The same logarithm as Lucene's: never negative, so a word in every unit still counts a little. */
export const bm25Idf = (units: number, df: number): number => Math.log(1 + (units - df + 0.5) / (df + 0.5));

/** The unit's part of BM25's denominator. */
export const bm25Saturation = (length: number, mean: number): number =>
  BM25_K1 * (1 - BM25_B + BM25_B * (length / mean));

export const bm25Contribution = (factor: number, tf: number, saturation: number): number =>
  (factor * tf) / (tf + saturation);

/**
 * TF-IDF cosine in its lnc.ltc form: the unit's vector is 1 + ln tf, of length one; the query's carries the idf.
 * With the idf on one side, a unit's length depends on the unit alone and stays exact while the library changes.
 */
export const tfidfIdf = (units: number, df: number): number => Math.log((1 + units) / (1 + df)) + 1;

export const tfidfContribution = (factor: number, tf: number, norm: number): number =>
  (factor * (1 + Math.log(tf))) / norm;

/** Length of the unit's vector for TF-IDF (a title's word counts as one in the body). Kept as a float32. */
export function unitNorm(words: UnitWords): number {
  let sum = 0;
  for (let i = 0; i < words.terms.length; i++) {
    const weight = 1 + Math.log(words.body[i]! + words.title[i]!);
    sum += weight * weight;
  }
  return Math.fround(Math.sqrt(sum));
}

/** The same term twice counts with the sum of its weights, and in all its ways. */
export function mergeTerms(terms: readonly WeightedTerm[]): readonly WeightedTerm[] {
  const merged = new Map<string, WeightedTerm>();
  for (const added of terms) {
    const known = merged.get(added.term);
    const also = [...(known?.also ?? []), ...(added.also ?? [])];
    const weight = (known?.weight ?? 0) + added.weight;
    merged.set(added.term, { term: added.term, weight, ...(also.length > 0 && { also }) });
  }
  return [...merged.values()];
}

/** How often a unit says something, in its body and in its titles. */
export interface Counts {
  readonly body: number;
  readonly title: number;
}

/** A way of several terms is said as often as the rarest of them, in a title as often as all of them stand in titles. */
export function countsOfWay(terms: readonly Counts[], share: number): Counts {
  const all = Math.min(...terms.map(({ body, title }) => body + title));
  const title = Math.min(...terms.map((counts) => counts.title));
  return { body: share * (all - title), title: share * title };
}

/** Of several ways each field counts by the one that is said most in it. */
export const mostOf = (a: Counts, b: Counts): Counts => ({
  body: Math.max(a.body, b.body),
  title: Math.max(a.title, b.title),
});

/** Terms in the order in which their contributions are added: rarest first, then by term. `df` is parallel to `terms`. */
export function planTerms(
  scorer: LexicalQuery['scorer'],
  terms: readonly WeightedTerm[],
  df: readonly number[],
  stats: CollectionStats,
): readonly PlannedTerm[] {
  let scale = BM25_K1 + 1;
  if (scorer === 'tfidf') {
    // Words that no unit holds lengthen the query too: a cosine of 1 means all of it is there.
    const squares = terms.map(({ weight }, i) => (weight * tfidfIdf(stats.units, df[i]!)) ** 2);
    const length = Math.sqrt(squares.sort((a, b) => a - b).reduce((sum, square) => sum + square, 0));
    scale = length === 0 ? 0 : 1 / length;
  }
  const idf = scorer === 'bm25' ? bm25Idf : tfidfIdf;
  return terms
    .map(({ term, weight }, i) => ({ term, df: df[i]!, factor: weight * idf(stats.units, df[i]!) * scale }))
    .filter((planned) => planned.df > 0)
    .sort((a, b) => a.df - b.df || (a.term < b.term ? -1 : 1));
}
