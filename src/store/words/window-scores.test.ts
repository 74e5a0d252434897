import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PostingList } from '../index/postings.js';
import { bm25Contribution, tfidfContribution } from '../index/scoring.js';
import { bm25Scorer, tfidfScorer } from './scorer.js';
import { SlotList } from './slot-list.js';
import type { UnitTable } from './unit-table.js';
import { WindowScores } from './window-scores.js';

const SLOTS = 4000;
/** Only the number of slots and the order of equal scores are asked for; ids run the other way than slots. */
const table = { size: SLOTS, compareIds: (a: number, b: number) => b - a } as UnitTable;
const saturations = Float64Array.from({ length: SLOTS }, (_, slot) => 0.3 + (slot % 11) / 5);
const norms = Float32Array.from({ length: SLOTS }, (_, slot) => 1 + (slot % 13) / 3);

/** The counts of a slot: whole numbers that repeat, so that scores are often equal, and now and then a large one. */
const bodyOf = (slot: number): number => (slot % 997 === 3 ? 300 : slot % 5);
const titleOf = (slot: number): number => (slot % 5 === 0 ? 1 + (slot % 2) : slot % 3 === 0 ? 1 : 0);

function listOf(slots: readonly number[]): SlotList {
  const list = new PostingList(slots.length);
  for (const slot of slots) list.push(slot, bodyOf(slot), titleOf(slot));
  return new SlotList(list, SLOTS);
}

const slot = fc.integer({ min: 0, max: SLOTS - 1 });
/** Short ones have no table of windows, long ones (every second or third slot, in some stretches) do. */
const short = fc.array(slot, { minLength: 1, maxLength: 50 });
const long = fc
  .tuple(fc.integer({ min: 2, max: 9 }), fc.array(fc.tuple(slot, fc.nat(900)), { maxLength: 5 }))
  .map(([step, stretches]) =>
    stretches.flatMap(([from, length]) =>
      Array.from({ length }, (_, i) => from + i * step).filter((at) => at < SLOTS),
    ),
  );
const units = fc
  .oneof(short, long)
  .map((slots) => [...new Set(slots)].sort((a, b) => a - b))
  .filter((slots) => slots.length > 0);
const lists = fc.array(units, { minLength: 1, maxLength: 5 });

describe('the best k', () => {
  it('are those of scoring everything, to the last bit, equal scores and all', () => {
    const scores = new WindowScores();
    fc.assert(
      fc.property(
        lists,
        fc.array(fc.array(units, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
        fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 5, maxLength: 5 }),
        fc.constantFrom(1, 2, 10, 100, Number.POSITIVE_INFINITY),
        fc.constantFrom(0, 1, 2),
        fc.boolean(),
        fc.constantFrom(null, (at: number) => at % 3 !== 1),
        (terms, gates, factors, k, titleWeight, isBm25, passes) => {
          const contribution = (factor: number, at: number): number =>
            isBm25
              ? bm25Contribution(factor, bodyOf(at) + titleWeight * titleOf(at), saturations[at]!)
              : tfidfContribution(factor, bodyOf(at) + titleOf(at), norms[at]!);
          const held = terms.map((own) => new Set(own));
          const gateSets = gates.map((gate) => new Set(gate.flat()));
          const expected = [];
          for (let at = 0; at < SLOTS; at++) {
            const matches =
              gates.length === 0 ? held.some((own) => own.has(at)) : gateSets.every((gate) => gate.has(at));
            if (!matches || passes?.(at) === false) continue;
            let score = 0;
            for (const [i, own] of held.entries()) if (own.has(at)) score += contribution(factors[i]!, at);
            expected.push({ slot: at, score });
          }
          expected.sort((a, b) => b.score - a.score || b.slot - a.slot);
          const found = scores.best(
            k,
            terms.map((own, i) => ({ list: listOf(own), factor: factors[i]! })),
            gates.map((gate) => gate.map(listOf)),
            isBm25 ? bm25Scorer(saturations, titleWeight) : tfidfScorer(norms),
            table,
            passes,
          );
          expect(found).toEqual(expected.slice(0, k));
        },
      ),
      { numRuns: 300 },
    );
  });
});
