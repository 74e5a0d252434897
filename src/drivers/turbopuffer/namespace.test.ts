import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MirrorRow } from '../../store/vector-mirror.js';
import { openClient } from './client.js';
import { TurbopufferNamespace } from './namespace.js';
import { type FakeTurbopuffer, fakeTurbopuffer, KEY } from './server.suite.js';

let fake: FakeTurbopuffer;
let space: TurbopufferNamespace;
beforeEach(async () => {
  fake = await fakeTurbopuffer();
  space = new TurbopufferNamespace(await openClient(fake.env), 'kb');
});
afterEach(async () => {
  await fake.close();
  // An undocumented field or a wrong type fails the test that sent it.
  expect(fake.violations).toEqual([]);
});

const row = (at: number, vector: readonly number[], owner = 'tool'): MirrorRow => ({
  id: `00000000-0000-8000-8000-${owner}${at}`,
  owner,
  vector: Float32Array.from(vector),
  chunk_id: `c${at}`,
  doc_id: `d${at % 3}`,
  json_pointer: `/rows/${at}/a~1b`,
  chunk_index: at,
  version: `v${at}`,
});
const idsOf = async (owner: string): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of space.rows(owner)) ids.push(id);
  return ids;
};

describe('a namespace of turbopuffer', () => {
  it('S3.2 gets rows with id, vector, json_pointer and chunk_id, in batches, compressed, and no text', async () => {
    await space.upsert(Array.from({ length: 1_203 }, (_, at) => row(at, [Math.cos(at), Math.sin(at)])));
    expect(fake.requests.map(({ kind, rows, gzip }) => ({ kind, rows, gzip }))).toEqual([
      { kind: 'upsert', rows: 500, gzip: true },
      { kind: 'upsert', rows: 500, gzip: true },
      { kind: 'upsert', rows: 203, gzip: true },
    ]);
    const [first] = fake.namespaces.get('kb')!.rows.values();
    expect(Object.keys(first!).sort()).toEqual(
      ['chunk_id', 'chunk_index', 'doc_id', 'id', 'json_pointer', 'owner', 'vector', 'version'].sort(),
    );
    expect(await idsOf('tool')).toHaveLength(1_203);
  });

  it('S3.3 gives the nearest by dot product, also of vectors that are shorter than one', async () => {
    const unit = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 });
    const short = (vector: readonly number[]): number[] => {
      const length = Math.hypot(...vector);
      return length > 1 ? vector.map((value) => value / length) : [...vector];
    };
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 20 }), unit, async (vectors, asked) => {
        fake.namespaces.clear();
        const rows = vectors.map((vector, at) => row(at, short(vector)));
        await space.upsert(rows);
        const query = Float32Array.from(short(asked));
        const found = await space.near({ owner: 'tool', vector: query, k: 5 });
        const dot = ({ vector }: MirrorRow): number => vector.reduce((sum, v, d) => sum + v * query[d]!, 0);
        const best = rows.map(dot).sort((a, b) => b - a);
        expect(found).toHaveLength(Math.min(5, rows.length));
        for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(best[at]!, 5);
      }),
      { numRuns: 25 },
    );
  });

  it('S3.2 deletes by id and by owner, and nothing of others; a namespace that does not exist is empty', async () => {
    expect(await space.near({ owner: 'tool', vector: Float32Array.of(1, 0), k: 3 })).toEqual([]);
    await space.remove(['x']);
    await space.removeOwner('tool');
    expect(await idsOf('tool')).toEqual([]);
    await space.upsert([row(1, [1, 0]), row(2, [0, 1]), row(3, [1, 0], 'othr')]);
    await space.remove([row(1, []).id, 'unknown']);
    expect(await idsOf('tool')).toEqual([row(2, []).id]);
    await space.removeOwner('tool');
    expect(await idsOf('tool')).toEqual([]);
    expect(await idsOf('othr')).toHaveLength(1);
    expect(await space.near({ owner: 'othr', vector: Float32Array.of(1, 0), k: 3, doc_ids: ['d1'] })).toEqual(
      [],
    );
  });

  it('S3.2 waits and tries again: 429 with retry-after, 5xx, a lost answer, a slow one', async () => {
    fake.faults.push(
      { status: 429, headers: { 'retry-after': '0.05' } },
      { status: 503, headers: { 'retry-after-ms': '20' } },
    );
    fake.faults.push({ status: 500, after: true, headers: { 'retry-after-ms': '20' } });
    fake.delay = 50;
    await space.upsert([row(1, [1, 0])]);
    expect(fake.requests.map(({ kind }) => kind)).toEqual(['upsert', 'upsert']);
    expect(fake.namespaces.get('kb')!.rows.size).toBe(1);
  });

  it('S3.2 says in one line what was not written, and why; the key is in no message', async () => {
    const refused = { status: 400 };
    fake.faults.push(...Array.from({ length: 1 }, () => refused));
    const rows = Array.from({ length: 700 }, (_, at) => row(at, [1, 0]));
    const error = await space.upsert(rows).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'VECTORS_UNAVAILABLE' });
    expect((error as Error).message).toMatch(
      /^turbopuffer, namespace kb: 700 of 700 rows were not written: .*400/,
    );
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(KEY);
    const wrong = new TurbopufferNamespace(
      await openClient({ ...fake.env, TURBOPUFFER_API_KEY: 'wrong' }),
      'kb',
    );
    await expect(wrong.removeOwner('x')).rejects.toThrow(/is TURBOPUFFER_API_KEY right\?$/);
  });

  it('S3.2 without a key or a region says what to set', async () => {
    await expect(openClient({})).rejects.toThrow('turbopuffer: set TURBOPUFFER_API_KEY to your key');
    await expect(openClient({ TURBOPUFFER_API_KEY: 'x' })).rejects.toThrow('set TURBOPUFFER_REGION');
  });

  it('S3.2 a caller who stops waiting is answered at once', async () => {
    fake.delay = 5_000;
    const signal = AbortSignal.timeout(50);
    await expect(space.near({ owner: 'a', vector: Float32Array.of(1), k: 1 }, signal)).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});

describe('the server of these tests', () => {
  it('S3.2 refuses what is not documented', async () => {
    const client = await openClient(fake.env);
    const ns = client.namespace('kb');
    const bad = async (work: PromiseLike<unknown>): Promise<void> => {
      await expect(work).rejects.toMatchObject({ status: 400 });
      expect(fake.violations.splice(0)).toHaveLength(1);
    };
    const base = {
      distance_metric: 'cosine_distance' as const,
      schema: { vector: { type: '[2]f32' as const, ann: true } },
    };
    await bad(ns.write({ ...base, upsert_rows: [{ id: 'x'.repeat(65), vector: [1, 0] }] }));
    await bad(ns.write({ ...base, upsert_rows: [{ id: 'x', vector: [1] }] }));
    await bad(ns.write({ ...base, upsert_rows: [{ id: 'x', vector: [1, 0], text: 'chunk text' }] }));
    await bad(ns.write({ ...base, upsert_rows: [{ id: 'x', vector: [1, 0] }], extra: 1 } as never));
    await ns.write({ ...base, upsert_rows: [{ id: 'x', vector: [1, 0] }] });
    await bad(ns.query({ rank_by: ['vector', 'ANN', [1]], top_k: 1 }));
    await bad(ns.query({ rank_by: ['vector', 'ANN', [1, 0]], top_k: 1, filters: ['nope', 'Eq', 'x'] }));
    await expect(client.namespace('none').query({ rank_by: ['id', 'asc'], top_k: 1 })).rejects.toMatchObject({
      status: 404,
    });
  });
});
