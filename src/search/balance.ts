import type { Channel, ScoredId } from './fuse.js';

/**
 * How words and meaning are weighed against each other (docs/decisions/hybrid.md has the figures and what lost).
 *
 * Words count by how much of the question a passage holds: its BM25 score over the highest any passage could have. A
 * question whose words are rare or missing in the library thus leaves the decision to meaning by itself, and so does
 * a question in another language. Meaning counts by how far a passage stands out among the candidates: cosines of
 * different models spread differently, their deviations do not.
 */
const MEANING_WEIGHT = 0.08;

/** A passage without a vector counts as a little better than the mean: it was found by words, early on. */
const UNKNOWN_DEVIATION = 0.5;

/** With few vectors there is little to deviate from: at least this part of the best score. */
const LEAST_SPREAD = 0.07;

/** `ceiling` is the score of a passage that holds all of the question's words, as often as one likes. */
export const wordsChannel = (matches: readonly ScoredId[], ceiling: number): Channel => ({
  name: 'words',
  matches,
  weight: ceiling > 0 ? 1 / ceiling : 0,
  base: 0,
  absent: 0,
});

export function meaningChannel(matches: readonly ScoredId[]): Channel {
  const scores = matches.map(({ score }) => score);
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length);
  const best = Math.max(0, ...scores);
  const spread = Math.max(Math.sqrt(variance), best * LEAST_SPREAD) || 1;
  const weight = MEANING_WEIGHT / spread;
  // From the worst candidate up, so that no score is below zero.
  const base = scores.length === 0 ? 0 : Math.min(...scores);
  return {
    name: 'meaning',
    matches,
    weight,
    base,
    absent: weight * (mean + UNKNOWN_DEVIATION * spread - base),
  };
}
