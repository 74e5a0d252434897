import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PostingList } from '../index/postings.js';
import { bm25Contribution } from '../index/scoring.js';
import { Accumulator } from './accumulator.js';
import type { UnitTable } from './unit-table.js';

const SLOTS = 4000;

function listOf(slots: readonly number[]): PostingList {
  const list = new PostingList(slots.length);
  for (const slot of [...new Set(slots)].sort((a, b) => a - b)) list.push(slot, 1 + (slot % 7), slot % 3);
  return list;
}

/** Only the order of equal scores asks the table. */
const table = { compareIds: (a: number, b: number) => a - b } as UnitTable;
const saturations = Float64Array.from({ length: SLOTS }, (_, slot) => 0.3 + (slot % 11) / 5);
const slot = fc.integer({ min: 0, max: SLOTS - 1 });

describe('scores of a few candidates in long lists', () => {
  it('are those of reading every list, to the last bit', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(slot, { minLength: 1, maxLength: 40 }),
        fc.array(fc.array(slot, { minLength: 1, maxLength: 2500 }), { minLength: 1, maxLength: 4 }),
        (wanted, lists) => {
          const admitted = listOf(wanted);
          const long = lists.map(listOf);
          const scores = new Accumulator().start(SLOTS);
          scores.admit([admitted], null);
          for (const [at, list] of long.entries()) scores.addBm25(list, 1 + at / 3, saturations, 1);
          const expected = wanted.map((one) => {
            let sum = 0;
            for (const [at, list] of long.entries()) {
              const place = list.units.subarray(0, list.length).indexOf(one);
              if (place === -1) continue;
              const tf = list.body[place]! + list.title[place]!;
              sum += bm25Contribution(1 + at / 3, tf, saturations[one]!);
            }
            return { slot: one, score: sum };
          });
          const order = (a: { slot: number; score: number }, b: { slot: number; score: number }) =>
            b.score - a.score || a.slot - b.slot;
          expect(scores.best(wanted.length, table, null)).toEqual(expected.sort(order));
        },
      ),
    );
  });
});
