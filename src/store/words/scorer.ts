import type { Postings } from './slot-list.js';

/** How a list's entries become scores. Each is a loop without calls: it runs for every entry that a search reads. */
export interface Scorer {
  /** The same for scorers that give the same scores. */
  readonly key: string;
  /** The highest contribution of the entries from `from` to `to`, for a factor of one. */
  most(list: Postings, from: number, to: number): number;
  /** Adds the contributions of these entries, all of one window, to its scores, and marks whom they belong to. */
  add(
    list: Postings,
    from: number,
    to: number,
    factor: number,
    scores: Float64Array,
    marks: Uint8Array,
  ): void;
}

const IN_WINDOW = 63;

/** The same arithmetic as `bm25Contribution`. */
export function bm25Scorer(saturations: Float64Array, titleWeight: number): Scorer {
  return {
    key: `bm25 ${titleWeight}`,
    most({ units, body, title }, from, to) {
      let most = 0;
      for (let i = from; i < to; i++) {
        const tf = body[i]! + titleWeight * title[i]!;
        const score = tf / (tf + saturations[units[i]!]!);
        if (score > most) most = score;
      }
      return most;
    },
    add({ units, body, title }, from, to, factor, scores, marks) {
      for (let i = from; i < to; i++) {
        const slot = units[i]!;
        const tf = body[i]! + titleWeight * title[i]!;
        scores[slot & IN_WINDOW]! += (factor * tf) / (tf + saturations[slot]!);
        marks[slot & IN_WINDOW] = 1;
      }
    },
  };
}

/** The same arithmetic as `tfidfContribution`. */
export function tfidfScorer(norms: Float32Array): Scorer {
  return {
    key: 'tfidf',
    most({ units, body, title }, from, to) {
      let most = 0;
      for (let i = from; i < to; i++) {
        const score = (1 + Math.log(body[i]! + title[i]!)) / norms[units[i]!]!;
        if (score > most) most = score;
      }
      return most;
    },
    add({ units, body, title }, from, to, factor, scores, marks) {
      for (let i = from; i < to; i++) {
        const slot = units[i]!;
        scores[slot & IN_WINDOW]! += (factor * (1 + Math.log(body[i]! + title[i]!))) / norms[slot]!;
        marks[slot & IN_WINDOW] = 1;
      }
    },
  };
}
