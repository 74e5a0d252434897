import type { SearchMode } from '../../model/result.js';

/**
 * One scale for every mode, 0 to 1, shown as a percentage: the modes count in units of their own (the part of the
 * question that a passage holds; that plus deviations of meaning; two kinds of cosine), so each is measured by what its
 * best passage for a question with an answer usually has. That much is 78 %, half of it 53 %, none of it 0. The order
 * of passages stays as it is. docs/decisions/scores.md has the figures.
 */
const USUAL_BEST: Readonly<Record<SearchMode, number>> = {
  hybrid: 0.65,
  keyword: 0.84,
  tfidf: 0.48,
  vector: 0.71,
};

/** 1 − e^−1.5 is 78 %. */
const STEEPNESS = 1.5;

export const relevanceOf = (mode: SearchMode, score: number): number =>
  1 - Math.exp((-STEEPNESS * Math.max(0, score)) / USUAL_BEST[mode]);
