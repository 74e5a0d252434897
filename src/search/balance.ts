import { byScore } from '../store/index/order.js';
import type { Channel, ScoredId } from './fuse.js';

/**
 * How words and meaning are weighed against each other (docs/decisions/hybrid.md has the figures and what lost).
 *
 * Words count by how much of the question a passage holds: its BM25 score over the highest any passage could have. A
 * question whose words are rare or missing in the library thus leaves the decision to meaning by itself, and so does
 * a question in another language. Meaning counts by how far a passage stands out among the candidates: cosines of
 * different models spread differently, their deviations do not.
 *
 * Meaning knows best which document a question is about, words which of its passages: a passage's meaning is for the
 * larger part that of its document's best, and of its words those count once more that stand together.
 */
const STRENGTH = 0.27;

/**
 * How much meaning counts follows from the question, not from the model: the more the further the nearest passage stands
 * out (a model that tells passages apart has one that does), and the wider the scores by words lie apart, so that it is
 * weighed in their own measure. One that stands out by more than this is no clearer.
 */
const MOST_DEVIATION = 5;
/** Where words find nothing, or all the same, meaning still orders what it finds. */
const LEAST_WORD_SPREAD = 0.04;

/**
 * Where one passage holds clearly more of the question's words than any other, that is seldom chance: meaning counts
 * half when the best is ahead of the second by this part of the question.
 */
const CLEAR_LEAD = 0.3;

/** How much of a passage's meaning is that of the nearest passage of its document. */
const DOCUMENT_SHARE = 0.6;

/** What a deviation in words that stand together counts, where no passage leads by words. */
const TOGETHER = 0.043;

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

/**
 * Meaning as two channels: a passage's own, and that of the best of its document. `words` are what `wordsChannel` gave:
 * how clear their answer is decides how much meaning counts. `documentIdOf` says which document a candidate belongs to.
 */
export function meaningChannels(
  matches: readonly ScoredId[],
  words: Channel,
  documentIdOf: (id: string) => string | null,
  trust = 1,
): Channel[] {
  const compared = comparedOf(matches, words.matches);
  const scores = compared.map(({ score }) => score);
  const { mean, spread: own } = spreadOf(scores);
  const spread = Math.max(own, Math.max(0, ...scores) * LEAST_SPREAD) || 1;
  const best = Math.min(MOST_DEVIATION, (Math.max(mean, ...scores) - mean) / spread);
  const weight = (trust * STRENGTH * best * Math.sqrt(wordSpread(words))) / leadDivisor(words) / spread;
  // From the worst candidate up, so that no score is below zero.
  const least = matches.reduce((lowest, { score }) => Math.min(lowest, score), Infinity);
  const base = Number.isFinite(least) ? least : 0;
  const unknown = Number.isFinite(least) ? mean + UNKNOWN_DEVIATION * spread - base : 0;
  const channel = (name: string, share: number, found: readonly ScoredId[]): Channel => ({
    name,
    matches: found,
    weight: share * weight,
    base,
    absent: share * weight * unknown,
  });
  return [
    channel('meaning', 1 - DOCUMENT_SHARE, matches),
    channel('document', DOCUMENT_SHARE, bestOfDocuments([compared, matches], words.matches, documentIdOf)),
  ];
}

/**
 * For every candidate: how near the question the best of its document is. `lists` are asked in turn: a document is known
 * by those that are always compared, and by others only where it has none of them.
 */
function bestOfDocuments(
  lists: readonly (readonly ScoredId[])[],
  words: readonly ScoredId[],
  documentIdOf: (id: string) => string | null,
): ScoredId[] {
  const known = new Map<string, number>();
  for (const list of lists) {
    const found = new Map<string, number>();
    for (const { id, score } of list) {
      const documentId = documentIdOf(id);
      if (documentId !== null && !known.has(documentId))
        found.set(documentId, Math.max(found.get(documentId) ?? -Infinity, score));
    }
    for (const [documentId, score] of found) known.set(documentId, score);
  }
  const ids = new Set([...lists.flat(), ...words].map(({ id }) => id));
  return [...ids]
    .flatMap((id) => {
      const score = known.get(documentIdOf(id) ?? '');
      return score === undefined ? [] : [{ id, score }];
    })
    .sort(byScore);
}

/**
 * How much of the question stands together in each of the best candidates; the others count as their mean. null where
 * that tells them not apart.
 */
export function togetherChannel(shares: readonly ScoredId[], words: Channel, trust = 1): Channel | null {
  const { mean, spread } = spreadOf(shares.map(({ score }) => score));
  if (spread === 0 || trust === 0) return null;
  const weight = (trust * TOGETHER) / leadDivisor(words) / spread;
  const base = Math.min(...shares.map(({ score }) => score));
  return {
    name: 'together',
    matches: [...shares].sort(byScore),
    weight,
    base,
    absent: weight * (mean - base),
  };
}

/** The best by meaning, and the best by words where they have a vector. */
function comparedOf(matches: readonly ScoredId[], words: readonly ScoredId[]): ScoredId[] {
  const best = new Set(words.slice(0, COMPARED).map(({ id }) => id));
  return matches.filter(({ id }, index) => index < COMPARED || best.has(id));
}

/** Mean and standard deviation. */
function spreadOf(scores: readonly number[]): { mean: number; spread: number } {
  const count = Math.max(1, scores.length);
  const mean = scores.reduce((sum, score) => sum + score, 0) / count;
  return { mean, spread: Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / count) };
}

const leadDivisor = (words: Channel): number => 1 + leadOf(words) / CLEAR_LEAD;

/** How far the scores by words lie apart, as a part of the whole question. */
const wordSpread = ({ matches, weight }: Channel): number =>
  Math.max(LEAST_WORD_SPREAD, weight * spreadOf(matches.slice(0, COMPARED).map(({ score }) => score)).spread);

/** How many of the best by words are asked. Of random vectors' questions 2 in 100 agree to .62, of good models' 2 to .6. */
const ASKED = 30;
const NO_TRUST = 0.6;
const FULL_TRUST = 0.7;

/**
 * Whether these vectors mean anything here: passages that share the question's words should be nearer than passages at
 * random. `background` are scores of such; 1 where there are none to compare with.
 */
export function trustIn(
  meaning: readonly ScoredId[],
  words: readonly ScoredId[],
  background: readonly number[],
): number {
  const scores = new Map(meaning.map(({ id, score }) => [id, score]));
  const asked = words.slice(0, ASKED).flatMap(({ id }) => scores.get(id) ?? []);
  if (asked.length < ASKED / 3 || background.length < ASKED / 3) return 1;
  const nearer = asked.map((score) => background.filter((other) => other < score).length / background.length);
  const agreement = nearer.reduce((sum, part) => sum + part, 0) / nearer.length;
  return Math.max(0, Math.min(1, (agreement - NO_TRUST) / (FULL_TRUST - NO_TRUST)));
}

/** How far the best by words is ahead of the second, as a part of the whole question. */
const leadOf = ({ matches, weight }: Channel): number =>
  ((matches[0]?.score ?? 0) - (matches[1]?.score ?? 0)) * weight;
