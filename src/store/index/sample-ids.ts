import { byCodePoint } from './order.js';

/**
 * Which chunks stand for a library: chosen by their ids, which are hashes and the same in every store. Chosen by the
 * order of writing, a library that was moved had another sample, and one hybrid search in twelve another answer.
 */

/** With more chunks than this times the sample, a chunk is looked for at each place; gaps then cost at most 6 %. */
const READ_ALL_BELOW = 8;

/** A library with at most so many chunks has all its ids read to choose from. */
export const readAllBelow = (count: number): number => READ_ALL_BELOW * count;

/** Ids at equal distances: the sample are the first chunks from each of them on. */
export const samplePlaces = (count: number): string[] =>
  Array.from({ length: count }, (_, place) => {
    const start = Math.floor((place * 2 ** 32) / count);
    return `${start.toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`;
  });

/** The sample of a store that has all ids at hand. */
export function sampleIds(ids: Iterable<string>, count: number): string[] {
  const sorted = [...ids].sort(byCodePoint);
  if (sorted.length <= readAllBelow(count)) {
    const step = Math.max(1, sorted.length / count);
    return Array.from(
      { length: Math.min(count, sorted.length) },
      (_, place) => sorted[Math.floor(place * step)]!,
    );
  }
  const found = new Set<string>();
  let at = 0;
  for (const place of samplePlaces(count)) {
    while (at < sorted.length && byCodePoint(sorted[at]!, place) < 0) at++;
    if (at < sorted.length) found.add(sorted[at]!);
  }
  return [...found];
}
