import type { Reranker } from '../embed/rerank/reranker.js';
import { reasonOf } from '../model/errors.js';
import { indexedBody, indexedPrefix } from '../model/indexed.js';
import type { Backend } from '../store/backend.js';
import type { Fused } from './fuse.js';

/** So many of the best are read again by a reranker, and so long may it take. */
export const RERANKED = 30;
export const RERANK_MS = 3_000;

export const withoutNotice = (why: string): string =>
  `Ranked without the reranker: ${why.replace(/\.$/, '')}.`;

export interface Reranking {
  readonly ranking: readonly Fused[];
  readonly notices: readonly string[];
}

/**
 * The best of a ranking in the reranker's order. Those it has scored share their places and scores out among themselves
 * anew, so that the rest of the ranking stays where it is; the others keep their own. A reranker that fails or takes too
 * long costs no answer: the order is then as far as it came, and a line says so.
 */
export async function rerank(
  reranker: Reranker,
  backend: Backend,
  question: string,
  ranking: readonly Fused[],
  {
    signal,
    budget_ms = RERANK_MS,
  }: { readonly signal?: AbortSignal | undefined; readonly budget_ms?: number },
): Promise<Reranking> {
  signal?.throwIfAborted();
  const best = ranking.slice(0, RERANKED);
  if (best.length < 2) return { ranking, notices: [] };
  const chunks = new Map(
    (await backend.chunksById(best.map(({ id }) => id))).map((chunk) => [chunk.id, chunk]),
  );
  const read = best.filter(({ id }) => chunks.has(id));
  const texts = read.map(({ id }) => indexedPrefix(chunks.get(id)!) + indexedBody(chunks.get(id)!));
  const late = AbortSignal.timeout(budget_ms);
  let scores: readonly (number | null)[];
  try {
    scores = await reranker.score(question, texts, signal ? AbortSignal.any([signal, late]) : late);
  } catch (error) {
    signal?.throwIfAborted();
    return { ranking, notices: [withoutNotice(reasonOf(error))] };
  }
  signal?.throwIfAborted();
  const scored = read.flatMap((entry, at) => {
    const score = scores[at];
    return score === null || score === undefined ? [] : [{ entry, score }];
  });
  const missing = read.length - scored.length;
  const notices =
    missing > 0 && late.aborted
      ? [`The reranker has read ${scored.length} of ${read.length} passages within ${budget_ms / 1_000} s.`]
      : [];
  return { ranking: inPlaces(ranking, scored), notices };
}

const LEAST_STEP = 1e-9;

interface Scored {
  readonly entry: Fused;
  readonly score: number;
}

function inPlaces(ranking: readonly Fused[], scored: readonly Scored[]): Fused[] {
  const ids = new Set(scored.map(({ entry }) => entry.id));
  const places = ranking.flatMap(({ id }, place) => (ids.has(id) ? [place] : []));
  const reordered = [...ranking];
  // Equal scores stay in the order they came in.
  const order = [...scored].sort((a, b) => b.score - a.score);
  for (const [at, { entry, score }] of order.entries()) {
    const place = places[at]!;
    reordered[place] = {
      id: entry.id,
      // Places with equal scores would be told apart by their documents' age.
      score: ranking[place]!.score - at * LEAST_STEP,
      // It orders and adds nothing to the sum.
      evidence: [...entry.evidence, { channel: 'rerank', rank: at + 1, score, weight: 0, base: 0 }],
    };
  }
  return reordered;
}
