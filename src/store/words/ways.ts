import type { PostingList } from '../index/postings.js';
import { countsOfWay, mostOf } from '../index/scoring.js';

/** What scoring reads of a posting list. Counts of a term that may be said in several ways are no whole numbers. */
export interface Postings {
  readonly units: Uint32Array;
  readonly body: Uint32Array | Float64Array;
  readonly title: Uint32Array | Float64Array;
  readonly length: number;
}

export interface WayLists {
  readonly lists: readonly PostingList[];
  readonly share: number;
}

/** The posting list of a term and the other ways to say it, as if they were one word. */
export function unitedPostings(own: PostingList, ways: readonly WayLists[]): Postings {
  const counts = new Map<number, { body: number; title: number }>();
  for (const { lists, share } of [{ lists: [own], share: 1 }, ...ways]) {
    for (const [unit, said] of unitsOfWay(lists, share)) {
      const known = counts.get(unit);
      counts.set(unit, known === undefined ? said : mostOf(known, said));
    }
  }
  const units = Uint32Array.from(counts.keys()).sort();
  const body = new Float64Array(units.length);
  const title = new Float64Array(units.length);
  for (const [at, unit] of units.entries()) {
    body[at] = counts.get(unit)!.body;
    title[at] = counts.get(unit)!.title;
  }
  return { units, body, title, length: units.length };
}

/** The units that stand in all of the lists. They ascend in each, so that one walk finds them. */
function* unitsOfWay(
  lists: readonly PostingList[],
  share: number,
): Generator<[unit: number, counts: { body: number; title: number }]> {
  const [shortest, ...others] = [...lists].sort((a, b) => a.length - b.length);
  const places = others.map(() => 0);
  for (let at = 0; at < shortest!.length; at++) {
    const unit = shortest!.units[at]!;
    const isInAll = others.every((list, which) => {
      while (places[which]! < list.length && list.units[places[which]!]! < unit) places[which]!++;
      return places[which]! < list.length && list.units[places[which]!] === unit;
    });
    if (!isInAll) continue;
    const found = [countsAt(shortest!, at), ...others.map((list, which) => countsAt(list, places[which]!))];
    yield [unit, countsOfWay(found, share)];
  }
}

const countsAt = ({ body, title }: PostingList, at: number): { body: number; title: number } => ({
  body: body[at]!,
  title: title[at]!,
});
