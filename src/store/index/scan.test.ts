import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { dot, quantise, type StoredVector } from './quantise.js';
import { VectorScan } from './scan.js';
import { sketchStored } from './sketch.js';

const here = (name: string): URL => new URL(name, import.meta.url);

/** Vectors as models give them: crowded around a common direction, in loose groups. */
function crowd(count: number, dimensions: number, seed: number): Float32Array[] {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const gauss = (): number => random() + random() + random();
  const vector = (): Float32Array => Float32Array.from({ length: dimensions }, gauss);
  const common = vector();
  const groups = Array.from({ length: 40 }, vector);
  return Array.from({ length: count }, () => {
    const group = groups[Math.floor((random() + 0.5) * groups.length)]!;
    const raw = Float32Array.from({ length: dimensions }, (_, d) => 1.5 * common[d]! + group[d]! + gauss());
    const length = Math.hypot(...raw);
    return raw.map((value) => value / length);
  });
}

const exact = (
  vector: Float32Array,
  stored: readonly StoredVector[],
  k: number,
  takesPart = (_: number) => true,
) =>
  stored
    .map((one, slot) => ({ slot, score: dot(vector, one) }))
    .filter(({ slot }) => takesPart(slot))
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
    .slice(0, k);

describe('the vector scan', () => {
  it('runs the kernel that its source says', async () => {
    const { parseWat } = await wabt();
    const module = parseWat('scan-kernel.wat', readFileSync(here('./scan-kernel.wat'), 'utf8'));
    expect(Buffer.from(module.toBinary({}).buffer).equals(readFileSync(here('./scan-kernel.wasm')))).toBe(
      true,
    );
  });

  it('answers as an exact search while it is small, whatever is removed, filtered or held', () => {
    const step = fc.record({
      dimensions: fc.constantFrom(1, 3, 16, 100, 128, 129, 513, 896),
      count: fc.integer({ min: 0, max: 60 }),
      removed: fc.array(fc.nat(59)),
      banned: fc.array(fc.nat(59)),
      k: fc.constantFrom(1, 3, 10, Number.POSITIVE_INFINITY),
      held: fc.boolean(),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(step, ({ dimensions, count, removed, banned, k, held, seed }) => {
        const stored = crowd(count, dimensions, seed).map(quantise);
        const [query] = crowd(1, dimensions, seed + 1);
        const scan = new VectorScan(dimensions, held ? {} : { rowBytes: 0 });
        for (const one of stored) scan.add(one);
        for (const slot of removed) scan.remove(slot);
        const allowed = Uint8Array.from(stored, (_, slot) => (banned.includes(slot) ? 0 : 1));
        const found = scan.near({
          vector: query!,
          k,
          ...(banned.length > 0 ? { allowed } : {}),
          fetch: (slots) => slots.map((slot) => stored[slot]!),
        });
        expect(scan.live).toBe(stored.filter((_, slot) => !removed.includes(slot)).length);
        expect(found).toEqual(
          exact(query!, stored, k, (slot) => !removed.includes(slot) && !banned.includes(slot)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('finds nearly all of the ten nearest of many, in memory or not, and a rare few through a filter', () => {
    const dimensions = 256;
    const vectors = crowd(10_020, dimensions, 7);
    const queries = vectors.splice(10_000);
    const stored = vectors.map(quantise);
    const scan = new VectorScan(dimensions);
    const unheld = new VectorScan(dimensions, { rowBytes: 0 });
    for (const one of stored) for (const each of [scan, unheld]) each.add(one);
    const rare = (slot: number): boolean => slot % 500 === 3;
    const allowed = Uint8Array.from(stored, (_, slot) => (rare(slot) ? 1 : 0));
    let [shared, sharedUnheld, read] = [0, 0, 0];
    const fetch = (slots: readonly number[]): StoredVector[] => {
      read = slots.length;
      return slots.map((slot) => stored[slot]!);
    };
    for (const vector of queries) {
      const truth = new Set(exact(vector, stored, 10).map(({ slot }) => slot));
      const found = scan.near({ vector, k: 10 });
      shared += found.filter(({ slot }) => truth.has(slot)).length;
      for (const { slot, score } of found) expect(score).toBe(dot(vector, stored[slot]!));
      expect(scan.near({ vector, k: 10, allowed })).toEqual(exact(vector, stored, 10, rare));
      sharedUnheld += unheld.near({ vector, k: 10, fetch }).filter(({ slot }) => truth.has(slot)).length;
      expect(read).toBeLessThan(600);
    }
    expect(shared / (10 * queries.length)).toBeGreaterThan(0.97);
    expect(sharedUnheld / (10 * queries.length)).toBeGreaterThan(0.97);
  });

  it('takes sketches in blocks of any size as it takes them one by one', () => {
    const dimensions = 600;
    const stored = crowd(9_000, dimensions, 5).map(quantise);
    const sketches = stored.map(sketchStored);
    const oneByOne = new VectorScan(dimensions);
    for (const sketch of sketches) oneByOne.addSketches(sketch);
    const blocks = new VectorScan(dimensions);
    // Some end within an area of memory, one at its end, one goes on over two.
    for (const [from, to] of [
      [0, 0],
      [0, 10],
      [10, 4096],
      [4096, 4097],
      [4097, 8999],
      [8999, 9000],
    ] as const) {
      const some = sketches.slice(from, to);
      const first = blocks.addSketches({
        bits: Uint8Array.from(some.flatMap(({ bits }) => [...bits])),
        weights: Float32Array.from(some.flatMap(({ weights }) => [...weights])),
      });
      expect(first).toBe(from);
    }
    expect([blocks.size, blocks.live]).toEqual([9_000, 9_000]);
    for (const scan of [oneByOne, blocks]) for (const slot of [3, 4096, 8998]) scan.remove(slot);
    for (const vector of crowd(5, dimensions, 6)) {
      const query = {
        vector,
        k: 50,
        fetch: (slots: readonly number[]) => slots.map((slot) => stored[slot]!),
      };
      expect(blocks.near(query)).toEqual(oneByOne.near(query));
    }
  });

  it('S4.7 is not misled by a half that is empty, as in the vectors of a Chinese passage', () => {
    const dimensions = 896;
    const vectors = crowd(3020, dimensions, 11);
    for (const [i, vector] of vectors.entries()) if (i % 2 === 0) vector.fill(0, 512);
    const queries = vectors.splice(3000);
    const stored = vectors.map(quantise);
    const scan = new VectorScan(dimensions);
    for (const one of stored) scan.add(one);
    let shared = 0;
    for (const vector of queries) {
      const truth = new Set(exact(vector, stored, 10).map(({ slot }) => slot));
      shared += scan.near({ vector, k: 10 }).filter(({ slot }) => truth.has(slot)).length;
    }
    expect(shared / (10 * queries.length)).toBeGreaterThan(0.97);
  });
});
