import { cjkShare } from './language.js';

/**
 * The default embedder is two small models side by side, one that reads Chinese (and some English) and one that reads
 * English: a passage's vector is `[bge ; MiniLM]`, each half of unit length times a weight. The score of a query and
 * a passage is then a weighted sum of two cosines.
 */
export interface PairWeights {
  readonly first: number;
  readonly second: number;
}

/** Above this share of Chinese letters the English model sees noise only, and is not asked (it is half the cost). */
const CHINESE = 0.8;
/** Bge's part in the score against MiniLM's 1, measured on public sets (EVIDENCE, docs/decisions/embedding.md). */
const FIRST = 0.6;
/** So that no joined vector is longer than 1. */
const LENGTH = 1 / Math.sqrt(FIRST + 1);

export function passageWeights(text: string): PairWeights {
  const cjk = cjkShare(text);
  return { first: LENGTH * Math.sqrt(FIRST), second: cjk >= CHINESE ? 0 : LENGTH * Math.sqrt(1 - cjk) };
}

/**
 * A question's language decides how much each model's opinion counts. √(1−cjk) would leave the English model .4 for a
 * mostly Chinese question, and its noise there halves what is found in English passages: so it fades out faster.
 */
export function queryWeights(text: string): PairWeights {
  const cjk = cjkShare(text);
  return { first: LENGTH * Math.sqrt(FIRST), second: LENGTH * Math.max(0, 1 - cjk / 0.5) };
}

export function join(
  first: Float32Array,
  second: Float32Array | null,
  weights: PairWeights,
  dimensions: number,
): Float32Array {
  const joined = new Float32Array(dimensions);
  for (let d = 0; d < first.length; d++) joined[d] = first[d]! * weights.first;
  if (second !== null)
    for (let d = 0; d < second.length; d++) joined[first.length + d] = second[d]! * weights.second;
  return joined;
}
