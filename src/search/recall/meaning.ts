import type { Backend } from '../../store/backend.js';
import { byScore } from '../../store/index/order.js';
import type { ScoredId } from '../fuse.js';
import type { SearchRequest } from '../options.js';

/** Everything is near to some degree: "all matches" means all by words, and this many by meaning. */
const NEAREST = 100;
/** Of how many candidates by words the meaning is looked up, where all matches were asked for. */
const MOST_COMPARED = 1_000;

/** A question as a vector, and who made it: only that embedder's vectors can be compared with it. */
export interface Meaning {
  readonly vector: Float32Array;
  readonly fingerprint: string;
}

/** The k nearest chunks by meaning. */
export const nearest = (
  { vectors }: Backend,
  { vector, fingerprint }: Meaning,
  { filter }: SearchRequest,
  k: number,
): Promise<readonly ScoredId[]> =>
  vectors.near({ vector, fingerprint, k: Number.isFinite(k) ? k : NEAREST, ...(filter ? { filter } : {}) });

/** The meaning of chunks that words found, where they have a vector. */
export async function compared(
  { vectors }: Backend,
  { vector, fingerprint }: Meaning,
  ids: readonly string[],
): Promise<ScoredId[]> {
  if (ids.length === 0) return [];
  const known = await vectors.scores(ids.slice(0, MOST_COMPARED), { vector, fingerprint });
  return [...known].map(([id, score]) => ({ id, score }));
}

/** Several lists of different chunks as one, best first. */
export const merged = (...lists: readonly (readonly ScoredId[])[]): ScoredId[] => lists.flat().sort(byScore);
