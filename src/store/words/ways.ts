import { countsOfWay, mostOf } from '../index/scoring.js';
import { advance, type Postings, SlotList } from './slot-list.js';

export interface WayLists {
  readonly lists: readonly Postings[];
  readonly share: number;
}

/** The posting list of a term and the other ways to say it, as if they were one word. */
export function unitedPostings(own: Postings, ways: readonly WayLists[], slots: number): SlotList {
  let united = own;
  for (const way of ways) united = union(united, intersection(way));
  return new SlotList(united, slots);
}

/** A list under construction, of at most so many entries. */
class Growing implements Postings {
  readonly units: Uint32Array;
  readonly body: Float64Array;
  readonly title: Float64Array;
  length = 0;

  constructor(capacity: number) {
    this.units = new Uint32Array(capacity);
    this.body = new Float64Array(capacity);
    this.title = new Float64Array(capacity);
  }

  push(unit: number, body: number, title: number): void {
    this.units[this.length] = unit;
    this.body[this.length] = body;
    this.title[this.length] = title;
    this.length++;
  }
}

/** The units that stand in all of the lists, with what the way counts there. */
function intersection({ lists, share }: WayLists): Postings {
  const [shortest, ...others] = [...lists].sort((a, b) => a.length - b.length);
  const found = new Growing(shortest!.length);
  const places = others.map(() => 0);
  for (let at = 0; at < shortest!.length; at++) {
    const unit = shortest!.units[at]!;
    let isInAll = true;
    for (let which = 0; which < others.length && isInAll; which++) {
      const { units, length } = others[which]!;
      places[which] = advance(units, length, places[which]!, unit);
      isInAll = places[which]! < length && units[places[which]!] === unit;
    }
    if (!isInAll) continue;
    const counts = [shortest!, ...others].map((list, which) => {
      const place = which === 0 ? at : places[which - 1]!;
      return { body: list.body[place]!, title: list.title[place]! };
    });
    const { body, title } = countsOfWay(counts, share);
    found.push(unit, body, title);
  }
  return found;
}

/** The units of both lists, with the most that one of them counts. */
function union(a: Postings, b: Postings): Postings {
  const all = new Growing(a.length + b.length);
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const order = i === a.length ? 1 : j === b.length ? -1 : a.units[i]! - b.units[j]!;
    if (order < 0) {
      all.push(a.units[i]!, a.body[i]!, a.title[i]!);
    } else if (order > 0) {
      all.push(b.units[j]!, b.body[j]!, b.title[j]!);
    } else {
      const { body, title } = mostOf(
        { body: a.body[i]!, title: a.title[i]! },
        { body: b.body[j]!, title: b.title[j]! },
      );
      all.push(a.units[i]!, body, title);
    }
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return all;
}
