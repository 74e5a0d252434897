import type { Channel, ScoredId } from './fuse.js';

/**
 * How words and meaning are weighed against each other (docs/decisions/hybrid.md has the figures and what lost).
 *
 * Words count by how much of the question a passage holds: its BM25 score over the highest any passage could have. A
 * question whose words are rare or missing in the library thus leaves the decision to meaning by itself, and so does
 * a question in another language. Meaning counts by how far a passage stands out among the candidates: cosines of
 * different models spread differently, their deviations do not.
 */
const MEANING_WEIGHT = 0.09;

/**
 * Where one passage holds clearly more of the question's words than any other, that is seldom chance: meaning counts
 * half when the best is ahead of the second by this part of the question.
 */
const CLEAR_LEAD = 0.2;

/**
 * Words count a little by how far a passage stands out among them too: where all candidates hold about as much of the
 * question, a small difference says more than it does otherwise. A part of what meaning's deviation counts.
 */
const WORDS_DEVIATION = 0.05;

/** Deviations are taken among this many of each channel's best, however many are asked for: a ranking has one order. */
const COMPARED = 100;

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

/** The same, with what its deviation adds. A passage that words did not find is neither ahead nor behind by it. */
export function standingOut(words: Channel): Channel {
  const { mean, spread } = spreadOf(words.matches.slice(0, COMPARED).map(({ score }) => score));
  const least = words.matches.at(-1)?.score;
  if (spread === 0 || least === undefined) return words;
  const added = (WORDS_DEVIATION * meaningWeight(words)) / spread;
  const weight = words.weight + added;
  // From the weakest match up, so that no score is below zero.
  return { ...words, weight, base: (added * least) / weight, absent: added * (mean - least) };
}

/** `words` are what `wordsChannel` gave: how clear their answer is decides how much meaning counts. */
export function meaningChannel(matches: readonly ScoredId[], words: Channel): Channel {
  const scores = comparedScores(matches, words.matches);
  const { mean, spread: own } = spreadOf(scores);
  const spread = Math.max(own, Math.max(0, ...scores) * LEAST_SPREAD) || 1;
  const weight = meaningWeight(words) / spread;
  // From the worst candidate up, so that no score is below zero.
  const base = matches.reduce((least, { score }) => Math.min(least, score), Infinity);
  return {
    name: 'meaning',
    matches,
    weight,
    base: Number.isFinite(base) ? base : 0,
    absent: Number.isFinite(base) ? weight * (mean + UNKNOWN_DEVIATION * spread - base) : 0,
  };
}

/** The scores of the best by meaning, and of the best by words where they have a vector. */
function comparedScores(matches: readonly ScoredId[], words: readonly ScoredId[]): number[] {
  const best = new Set(words.slice(0, COMPARED).map(({ id }) => id));
  return matches.filter(({ id }, index) => index < COMPARED || best.has(id)).map(({ score }) => score);
}

/** Mean and standard deviation. */
function spreadOf(scores: readonly number[]): { mean: number; spread: number } {
  const count = Math.max(1, scores.length);
  const mean = scores.reduce((sum, score) => sum + score, 0) / count;
  return { mean, spread: Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / count) };
}

const meaningWeight = (words: Channel): number => MEANING_WEIGHT / (1 + leadOf(words) / CLEAR_LEAD);

/** How far the best by words is ahead of the second, as a part of the whole question. */
const leadOf = ({ matches, weight }: Channel): number =>
  ((matches[0]?.score ?? 0) - (matches[1]?.score ?? 0)) * weight;
