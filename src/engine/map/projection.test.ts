import { describe, expect, it } from 'vitest';
import { FOLDED, folder, project } from './projection.js';

/** Vectors around a few directions far from each other, as passages of a few subjects. */
function clusters(groups: number, each: number, dimensions: number): { rows: Float32Array; of: number[] } {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648 - 0.5;
  };
  const centres = Array.from({ length: groups }, () =>
    Array.from({ length: dimensions }, () => 100 * random()),
  );
  const rows = new Float32Array(groups * each * FOLDED);
  const of: number[] = [];
  const fold = folder(dimensions);
  for (let at = 0; at < groups * each; at++) {
    of.push(at % groups);
    const codes = Int8Array.from(centres[at % groups]!, (value) => value + 20 * random());
    fold(codes, 0.01, rows.subarray(at * FOLDED, (at + 1) * FOLDED));
  }
  return { rows, of };
}

describe('the map', () => {
  it('S4.8 puts what is near in meaning near each other', async () => {
    const { rows, of } = clusters(5, 80, 384);
    const { points } = await project(rows);
    const distance = (a: number, b: number): number =>
      Math.hypot(points[2 * a]! - points[2 * b]!, points[2 * a + 1]! - points[2 * b + 1]!);
    let right = 0;
    for (let at = 0; at < of.length; at++) {
      let nearest = at === 0 ? 1 : 0;
      for (let other = 0; other < of.length; other++)
        if (other !== at && distance(at, other) < distance(at, nearest)) nearest = other;
      if (of[nearest] === of[at]) right++;
    }
    expect(right / of.length).toBeGreaterThan(0.95);
  });

  it('S4.8 is the same every time, and fills the square', async () => {
    const { rows } = clusters(3, 40, 64);
    const [first, second] = [await project(rows), await project(rows)];
    expect(first.points).toEqual(second.points);
    expect(Math.max(...first.points)).toBeGreaterThan(60_000);
    expect((await project(rows.subarray(0, FOLDED))).points).toHaveLength(2);
  });
});
