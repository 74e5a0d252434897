import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedId } from '../../model/id.js';
import { readAllBelow, sampleIds } from './sample-ids.js';

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => derivedId(`${i}`));

describe('the sample of a library', () => {
  it('B8 depends on the ids alone, is in their order, and has as many as there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 60 }), (chunks, count) => {
        const ids = idsOf(chunks);
        const sample = sampleIds(ids, count);
        expect(sampleIds([...ids].reverse(), count)).toEqual(sample);
        expect([...new Set(sample)].sort()).toEqual(sample);
        expect(sample.every((id) => ids.includes(id))).toBe(true);
        if (chunks <= readAllBelow(count)) expect(sample).toHaveLength(Math.min(chunks, count));
      }),
    );
  });

  it('B8 is spread over a large library: few places have no chunk of their own', () => {
    expect(sampleIds(idsOf(9000), 1000).length).toBeGreaterThan(900);
  });
});
