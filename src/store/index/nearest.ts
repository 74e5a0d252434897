import { StrataError } from '../../model/errors.js';
import type { VectorMatch } from '../vectors.js';
import { byScore } from './order.js';
import { dot, type StoredVector, similarity } from './quantise.js';

/** What every driver's vector index refuses, and the order in which it answers. */

/** Vectors of two embedders have nothing to say to each other, also where their dimensions agree. */
export function refuseAnother(asked: string | undefined, active: string): void {
  if (asked === undefined || asked === active) return;
  const message = `The query was embedded by ${asked}, the library's vectors by ${active}.`;
  throw new StrataError('INVALID_ARGUMENT', message);
}

export function refuseDimensions(query: Float32Array, dimensions: number | undefined): void {
  if (query.length === dimensions) return;
  const message = `The query has ${query.length} dimensions, the library's vectors ${dimensions}.`;
  throw new StrataError('INVALID_ARGUMENT', message);
}

/** Which are near is decided by their whole vectors, in which order they stand by their best parts. */
export function nearest(
  query: Float32Array,
  k: number,
  candidates: Iterable<readonly [id: string, stored: StoredVector]>,
): VectorMatch[] {
  return Array.from(candidates, ([id, stored]) => ({ id, stored, score: dot(query, stored) }))
    .sort(byScore)
    .slice(0, k)
    .map(({ id, stored, score }) => ({ id, score: similarity(query, stored, score) }))
    .sort(byScore);
}
