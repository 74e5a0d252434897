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
const STRENGTH = 0.75;

/**
 * How much meaning counts follows from the question, not from the model: the more the further the nearest passage stands
 * out (a model that tells passages apart has one that does), and the wider the scores by words lie apart, so that it is
 * weighed in their own measure. One that stands out by more than this is no clearer.
 */
const MOST_DEVIATION = 5;
/** Scores count from the worst candidate up, which lies so far below the mean. */
const BELOW_THE_MEAN = 1.5;
/** Where words find nothing, or all the same, meaning still orders what it finds. */
const LEAST_WORD_SPREAD = 0.04;

/**
 * Where one passage holds clearly more of the question's words than any other, that is seldom chance: meaning counts
 * half when the best is ahead of the second by this part of the question.
 */
const CLEAR_LEAD = 0.3;

/**
 * Where the best by words is near by meaning, too, both speak of the same matter, and meaning tells its passages apart.
 * Where they disagree, words are right more often: meaning counts less by this part per deviation between them.
 */
const DISAGREEMENT = 0.4;

/** The more words a question has, the more they say: meaning counts as much as here for one of so many terms. */
const USUAL_TERMS = 8;
const TERMS_POWER = 0.4;

/**
 * Where one passage holds this many of the question's words, that is seldom chance: beyond, meaning counts the less the more
 * of them it holds. (Four words of rgb's news questions are all they have; pairs of Chinese characters are ten and more.)
 */
const MANY_HELD = 4;
const HELD_POWER = 1.5;

/** How much of a passage's meaning is that of the nearest passage of its document. */
const DOCUMENT_SHARE = 0.6;

/** What a deviation in words that stand together counts against one in meaning. */
const TOGETHER = 0.17;

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

/** How meaning is weighed for one question. */
export interface Balance {
  /** The candidates that are always compared, whose mean and spread these are. */
  readonly compared: readonly ScoredId[];
  readonly mean: number;
  readonly spread: number;
  /** What a deviation in meaning counts. */
  readonly strength: number;
  /** What it would count if the best by words held few of them: words that stand together are still words. */
  readonly byFewWords: number;
}

/** `words` are what `wordsChannel` gave, `terms` how many were searched for. */
export function balance(
  matches: readonly ScoredId[],
  words: Channel,
  { terms = USUAL_TERMS, trust = 1 }: { readonly terms?: number; readonly trust?: number } = {},
): Balance {
  const compared = comparedOf(matches, words.matches);
  const scores = compared.map(({ score }) => score);
  const { mean, spread: own } = spreadOf(scores);
  const spread = Math.max(own, Math.max(0, ...scores) * LEAST_SPREAD) || 1;
  const deviationOf = (score: number): number => (score - mean) / spread;
  const best = Math.min(MOST_DEVIATION, deviationOf(Math.max(mean, ...scores)));
  const first = compared.find(({ id }) => id === words.matches[0]?.id);
  const apart = first === undefined ? 0 : Math.max(0, best - deviationOf(first.score));
  const byFewWords =
    (trust * STRENGTH * best * Math.sqrt(wordSpread(words)) * Math.exp(-DISAGREEMENT * apart)) /
    (1 + leadOf(words) / CLEAR_LEAD) /
    (Math.max(1, terms) / USUAL_TERMS) ** TERMS_POWER;
  const held = terms * bestOf(words);
  const strength = byFewWords / Math.max(1, held / MANY_HELD) ** HELD_POWER;
  return { compared, mean, spread, strength, byFewWords };
}

/**
 * Meaning as two channels: a passage's own, and that of the best of its document. `documentIdOf` says which document a
 * candidate belongs to.
 */
export function meaningChannels(
  matches: readonly ScoredId[],
  words: Channel,
  documentIdOf: (id: string) => string | null,
  { compared, mean, spread, strength }: Balance = balance(matches, words),
): Channel[] {
  const weight = strength / spread;
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
export function togetherChannel(shares: readonly ScoredId[], { byFewWords }: Balance): Channel | null {
  const { mean, spread } = spreadOf(shares.map(({ score }) => score));
  if (spread === 0) return null;
  const weight = (TOGETHER * byFewWords) / spread;
  const base = Math.min(...shares.map(({ score }) => score));
  return {
    name: 'together',
    matches: [...shares].sort(byScore),
    weight,
    base,
    absent: weight * (mean - base),
  };
}

/**
 * So that scores of different questions can be compared: as a part of what a passage would have that holds the whole
 * question and stands out as far as any. The order stays as it is.
 */
export const ofTheMost = (channels: readonly Channel[], { strength }: Balance): Channel[] => {
  const most = 1 + strength * (MOST_DEVIATION + BELOW_THE_MEAN);
  return channels.map(({ weight, absent, ...channel }) => ({
    ...channel,
    weight: weight / most,
    absent: absent / most,
  }));
};

/** The best by meaning, and the best by words where they have a vector. */
function comparedOf(matches: readonly ScoredId[], words: readonly ScoredId[]): ScoredId[] {
  const best = new Set(words.slice(0, COMPARED).map(({ id }) => id));
  return matches.filter(({ id }, index) => index < COMPARED || best.has(id));
}

/** Mean and standard deviation. */
export function spreadOf(scores: readonly number[]): { mean: number; spread: number } {
  const count = Math.max(1, scores.length);
  const mean = scores.reduce((sum, score) => sum + score, 0) / count;
  return { mean, spread: Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / count) };
}

/** How far the scores by words lie apart, as a part of the whole question. */
const wordSpread = ({ matches, weight }: Channel): number =>
  Math.max(LEAST_WORD_SPREAD, weight * spreadOf(matches.slice(0, COMPARED).map(({ score }) => score)).spread);

/** What the best by words holds, as a part of the whole question. */
const bestOf = ({ matches, weight }: Channel): number => (matches[0]?.score ?? 0) * weight;

/** How far the best by words is ahead of the second, as a part of the whole question. */
const leadOf = ({ matches, weight }: Channel): number =>
  ((matches[0]?.score ?? 0) - (matches[1]?.score ?? 0)) * weight;
