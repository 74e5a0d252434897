import { byScore } from '../store/index/order.js';
import { dequantise, dot, type StoredVector } from '../store/index/quantise.js';
import { spreadOf } from './balance.js';
import type { Channel, Fused } from './fuse.js';
import { LEADING, WAY_UP } from './named.js';

/**
 * What answers a question is often said in several places: a passage that means nearly what one of the best means is
 * probably wanted, too, though it holds fewer of the question's words. As one that is named, it comes a part of the way
 * up to the better one, and so never before it (docs/decisions/hybrid.md has the figures). It may be among so many.
 */
export const LIKENABLE = 50;
/** So many deviations above the usual likeness between candidates, it comes all of that way; below, less. */
const ALIKE = 3;
/** Of fewer likenesses nobody can say what is usual. */
const LEAST_PAIRS = 10;

/** A candidate beside one of the best: how much it is like that, and how far that is ahead of it. */
interface Pair {
  readonly id: string;
  readonly likeness: number;
  readonly ahead: number;
}

/**
 * `vectors` are those of the best of the ranking, `trust` says how much they mean. null where no passage stands out by
 * its likeness to a better one of another document.
 */
export function alikeChannel(
  ranking: readonly Fused[],
  vectors: ReadonlyMap<string, StoredVector>,
  documentIdOf: (id: string) => string | null,
  trust: number,
): Channel | null {
  const pairs = pairsOf(ranking.slice(0, LIKENABLE), vectors, documentIdOf);
  const { mean, spread } = spreadOf(pairs.map(({ likeness }) => likeness));
  if (pairs.length < LEAST_PAIRS || spread === 0) return null;
  const gains = new Map<string, number>();
  for (const { id, likeness, ahead } of pairs) {
    const part = Math.min(1, Math.max(0, (likeness - mean) / spread / ALIKE));
    const gain = trust * WAY_UP * part * ahead;
    if (gain > (gains.get(id) ?? 0)) gains.set(id, gain);
  }
  if (gains.size === 0) return null;
  const matches = [...gains].map(([id, score]) => ({ id, score })).sort(byScore);
  return { name: 'alike', matches, weight: 1, base: 0, absent: 0 };
}

/** Every one of the best beside every passage of another document that has a vector. */
function pairsOf(
  candidates: readonly Fused[],
  vectors: ReadonlyMap<string, StoredVector>,
  documentIdOf: (id: string) => string | null,
): Pair[] {
  return candidates.slice(0, LEADING).flatMap((better) => {
    const stored = vectors.get(better.id);
    if (stored === undefined) return [];
    const vector = dequantise(stored);
    return candidates.flatMap(({ id, score }) => {
      const other = vectors.get(id);
      if (other === undefined || documentIdOf(id) === documentIdOf(better.id)) return [];
      return [{ id, likeness: dot(vector, other), ahead: better.score - score }];
    });
  });
}
