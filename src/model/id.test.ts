import { describe, expect, it } from 'vitest';
import { mintId } from './id.js';

describe('mintId', () => {
  it('gives UUIDs of version 7 that grow in the order of minting, also within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, mintId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});
