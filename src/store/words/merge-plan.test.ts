import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesOf, planMerge } from './merge-plan.js';
import { type Segment, STAGE } from './segment.js';

const KILOBYTES = 1024;

const segmentOf = (bytes: number, first_unit: number): Segment => ({
  ...{ segment: first_unit, stage: STAGE.live, first_unit, last_unit: first_unit },
  ...{ units: 1, dead: 0, bytes },
});

/** Commits one after the other, with all merges that become due: what is left, and how much was written. */
function grown(sizes: Iterable<number>) {
  let segments: Segment[] = [];
  let [taken, written, most] = [0, 0, 0];
  for (const size of sizes) {
    segments.push(segmentOf(size, taken));
    taken += size;
    written += size;
    for (let due = planMerge(segments); due !== null; due = planMerge(segments)) {
      const merged = segmentOf(bytesOf(due), due[0]!.first_unit);
      segments = [...segments.slice(0, segments.indexOf(due[0]!)), merged];
      written += merged.bytes;
    }
    most = Math.max(most, segments.length);
  }
  return { most, perByte: written / taken, segments };
}

it('each byte is written a few times more in a library ten times as large, and a search looks into a dozen segments', () => {
  for (const size of [15 * KILOBYTES, 100 * KILOBYTES]) {
    const commits = (count: number) => Array.from({ length: count }, () => size);
    const [small, large] = [grown(commits(400)), grown(commits(4000))];
    expect(large.perByte).toBeLessThan(16);
    expect(large.perByte - small.perByte).toBeLessThan(8);
    expect(large.most).toBeLessThan(16);
  }
});

it('commits of any size leave few segments', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 4_000_000 }));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 200 }), (sizes) => {
      const { most, segments } = grown(sizes);
      expect(most).toBeLessThan(40);
      expect(planMerge(segments)).toBeNull();
    }),
  );
});

it('what has half died is merged whatever its size; only a thorough merge takes a large one for three small ones', () => {
  const large = { ...segmentOf(200_000 * KILOBYTES, 0), units: 10, dead: 6 };
  expect(planMerge([large])).toEqual([large]);
  const segments = [200_000, 1000, 1000, 1000].map((size, first) => segmentOf(size * KILOBYTES, first));
  expect(planMerge(segments)).toBeNull();
  expect(planMerge(segments, true)).toEqual(segments.slice(1));
  expect(planMerge(segments.slice(0, 2), true)).toEqual(segments.slice(0, 2));
});
