import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairedDifference } from './bootstrap.js';

describe('the paired bootstrap', () => {
  it('B7 is sure of what nearly every question says, and not of what a few say', () => {
    const base = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 0.4 : 0.8));
    const better = pairedDifference(
      base.map((value, n) => value + (n % 10 === 0 ? -0.05 : 0.1)),
      base,
    );
    expect(better.mean).toBeCloseTo(0.085);
    expect(better.low).toBeGreaterThan(0.06);
    expect(better.high).toBeLessThan(0.1);
    const luck = pairedDifference(
      base.map((value, n) => value + (n < 52 ? 0.1 : -0.1)),
      base,
    );
    expect(luck.mean).toBeCloseTo(0.004);
    expect(luck.low).toBeLessThan(0);
    expect(luck.high).toBeGreaterThan(0);
  });

  it('B7 holds the mean between its ends, and says the same every time', () => {
    const figures = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 1)),
      {
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(figures, (pairs) => {
        const [of, from] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
        const found = pairedDifference(of, from);
        expect(found.low).toBeLessThanOrEqual(found.mean + 1e-9);
        expect(found.high).toBeGreaterThanOrEqual(found.mean - 1e-9);
        expect(pairedDifference(of, from)).toEqual(found);
        expect(pairedDifference(of, of)).toEqual({ mean: 0, low: 0, high: 0 });
      }),
      { numRuns: 30 },
    );
  });
});
