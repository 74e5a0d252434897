import { simplified } from '../../text/characters.js';
import { cjkShare, withoutCjk } from './language.js';

/**
 * The default embedder is two small models side by side, one that reads Chinese (and some English) and one that reads
 * English: a text's vector is `[Chinese ; English]`, each half of unit length times a weight, so that the score of a query
 * and a passage is a weighted sum of two cosines.
 *
 * The English model reads only what is not Chinese: to it a Chinese sentence is noise, which drowned the names and
 * terms between it (docs/decisions/embedding.md has the figures). Where nothing is left it is not asked at all: its
 * half is zero, and half the work is saved.
 *
 * The Chinese model learnt from simplified text, so traditional text is read to it as simplified: left as it is, such
 * passages lie near one another and near many questions, whatever they are about.
 */
export interface PairReading {
  readonly first: { readonly text: string; readonly weight: number };
  readonly second: { readonly text: string; readonly weight: number } | null;
}

/**
 * What the Chinese model's opinion of an English text counts against the English model's 1; of a Chinese text it counts 1,
 * of a mixture between. .6 cost up to 2 points of nDCG@10 in English (docs/decisions/embedding.md).
 */
const FIRST = 0.15;
/** So that no joined vector is longer than 1. */
const LENGTH = 1 / Math.sqrt(FIRST + 1);
/** Our own marks in what is embedded (model/indexed.ts): no words of the author's. */
const LABELS = /\[(?:TitlePath|SectionHint)\]/g;

/** What each model reads of a text, and how much its opinion counts. The same for questions and passages. */
export function readAsPair(text: string): PairReading {
  const words = text.replace(LABELS, ' ');
  const cjk = cjkShare(words);
  const weight = LENGTH * Math.sqrt(FIRST + (1 - FIRST) * cjk);
  if (cjk === 0) return { first: { text, weight }, second: { text, weight: LENGTH } };
  const first = { text: simplified(text), weight };
  const rest = withoutCjk(words);
  return { first, second: rest === '' ? null : { text: rest, weight: LENGTH * Math.sqrt(1 - cjk) } };
}

export function join(
  reading: PairReading,
  first: Float32Array,
  second: Float32Array | null,
  dimensions: number,
): Float32Array {
  const joined = new Float32Array(dimensions);
  for (let d = 0; d < first.length; d++) joined[d] = first[d]! * reading.first.weight;
  if (second !== null) {
    for (let d = 0; d < second.length; d++) joined[first.length + d] = second[d]! * reading.second!.weight;
  }
  return joined;
}
