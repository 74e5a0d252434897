import type { ScoredId } from './fuse.js';

/** So many of the best by words are compared. */
export const TRIED = 30;
/** With a smaller sample of the library there is nothing to compare with. */
const LEAST_BACKGROUND = 10;

/**
 * Of vectors that mean something, a passage that shares the question's words is nearer than a part p of all passages
 * with the density 4p³ (mean .8, as of good models on the public sets); of vectors that mean nothing, with any p alike.
 * A passage that is far by meaning says no more against the vectors than this.
 */
const EXPONENT = 4;
const LEAST_PART = 0.2;
/** The odds, as a logarithm, that are asked of vectors before they are believed. */
const DOUBT = 3;
/** Where words find nothing, even vectors that are not believed give an order. */
const LEAST_TRUST = 0.01;

/**
 * Whether these vectors mean anything here, from nothing to 1: passages that share the question's words should be nearer
 * than passages at random. `background` are scores of such; 1 where there are none to compare with.
 */
export function trustIn(
  meaning: readonly ScoredId[],
  words: readonly ScoredId[],
  background: readonly number[],
): number {
  if (background.length < LEAST_BACKGROUND) return 1;
  const scores = new Map(meaning.map(({ id, score }) => [id, score]));
  const tried = words.slice(0, TRIED).flatMap(({ id }) => scores.get(id) ?? []);
  let odds = -DOUBT;
  for (const score of tried) {
    const below = background.filter((other) => other < score).length;
    const part = Math.max(LEAST_PART, (below + 0.5) / (background.length + 1));
    odds += Math.log(EXPONENT) + (EXPONENT - 1) * Math.log(part);
  }
  return Math.max(LEAST_TRUST, 1 / (1 + Math.exp(-odds)));
}
