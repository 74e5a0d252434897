import { describe, expect, it } from 'vitest';
import { mintedOrder, mintId } from './id.js';

describe('mintId', () => {
  const ids = Array.from({ length: 10_000 }, mintId);

  it('gives UUIDs that can be put in the order of minting, also within a millisecond', () => {
    expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
    const byOrder = [...ids].reverse().sort((a, b) => (mintedOrder(a) < mintedOrder(b) ? -1 : 1));
    expect(byOrder).toEqual(ids);
  });

  it('tells documents that were added together apart by the beginning of their ids', () => {
    const beginnings = new Set(ids.slice(0, 100).map((id) => id.slice(0, 8)));
    expect(beginnings.size).toBe(100);
  });
});
