/** How good one query's ranking was. All from 0 to 1. */
export interface QueryScores {
  readonly ndcg_10: number;
  readonly recall_10: number;
  readonly recall_100: number;
  readonly mrr_10: number;
  readonly hit_1: number;
  readonly hit_5: number;
}

/**
 * A ranking of ids against graded judgements (BEIR form). nDCG as trec_eval has it: the gain is the grade, the
 * discount log2(rank + 1), the ideal is the best order of what was judged.
 */
export function scoreRanking(ranking: readonly string[], grades: ReadonlyMap<string, number>): QueryScores {
  const gains = ranking.map((id) => Math.max(0, grades.get(id) ?? 0));
  const ideal = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  const found = (k: number): number => gains.slice(0, k).filter((gain) => gain > 0).length;
  const best = discounted(ideal.slice(0, 10));
  return {
    ndcg_10: best === 0 ? 0 : discounted(gains.slice(0, 10)) / best,
    recall_10: ideal.length === 0 ? 0 : found(10) / ideal.length,
    recall_100: ideal.length === 0 ? 0 : found(100) / ideal.length,
    mrr_10: reciprocalRank(gains),
    hit_1: found(1) > 0 ? 1 : 0,
    hit_5: found(5) > 0 ? 1 : 0,
  };
}

/**
 * Passages that hold the answer or not, best first (answer-span form). One such passage is all that is wanted, so
 * recall is whether there is one, and the ideal is to have it first.
 */
export function scoreHits(hits: readonly boolean[]): QueryScores {
  const first = hits.indexOf(true);
  const within = (k: number): number => (first >= 0 && first < k ? 1 : 0);
  return {
    ndcg_10: within(10) / Math.log2(Math.max(0, first) + 2),
    recall_10: within(10),
    recall_100: within(100),
    mrr_10: within(10) / (Math.max(0, first) + 1),
    hit_1: within(1),
    hit_5: within(5),
  };
}

const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);

function reciprocalRank(gains: readonly number[]): number {
  const first = gains.slice(0, 10).findIndex((gain) => gain > 0);
  return first < 0 ? 0 : 1 / (first + 1);
}

export function meanScores(all: readonly QueryScores[]): QueryScores {
  const mean = (key: keyof QueryScores): number =>
    all.length === 0 ? 0 : all.reduce((sum, scores) => sum + scores[key], 0) / all.length;
  return {
    ndcg_10: mean('ndcg_10'),
    recall_10: mean('recall_10'),
    recall_100: mean('recall_100'),
    mrr_10: mean('mrr_10'),
    hit_1: mean('hit_1'),
    hit_5: mean('hit_5'),
  };
}

/** `p` of 0.5 is the median. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? 0;
}
