import { beforeEach, describe, expect, it } from 'vitest';
import { embeddedText } from '../model/indexed.js';
import type { Backend } from './backend.js';
import { sampleIds } from './index/sample-ids.js';
import type { StoredDocument } from './records.js';
import { sampleWrite } from './sample.js';

const vector = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};

/** The promises of vectors.ts. */
export function describeVectors(current: () => Backend): void {
  describe('VectorIndex', () => {
    const shared = { heading: 'Shared', body: 'the same text' };
    const a = sampleWrite({
      source: 'file:a.md',
      title: 'T',
      parts: [shared, { heading: 'Own', body: 'only a' }],
    });
    const b = sampleWrite({
      source: 'file:b.md',
      title: 'T',
      parts: [shared, { heading: 'Own', body: 'only b', types: ['code', 'list'] }],
    });
    const key = (write: StoredDocument, index: number) => write.chunks[index]!.embed_key;
    const id = (write: StoredDocument, index: number) => write.chunks[index]!.chunk.id;
    const batch = (fingerprint: string, entries: readonly (readonly [string, Float32Array])[]) => ({
      fingerprint,
      dimensions: 3,
      entries: entries.map(([embed_key, value]) => ({ embed_key, vector: value })),
    });
    const fill = (fingerprint: string) =>
      current().vectors.put(
        batch(fingerprint, [
          [key(a, 0), vector(1, 0, 0)],
          [key(a, 1), vector(0.8, 0.6, 0)],
          [key(b, 1), vector(0, 0.6, 0.8)],
        ]),
      );
    const near = async (value: Float32Array, more = {}) =>
      (await current().vectors.near({ vector: value, k: 10, ...more })).map((match) => match.id);

    beforeEach(async () => {
      await current().commit({ put: [a, b] });
    });

    it('asks for each text once', async () => {
      const pending = await current().vectors.pending('m', 10);
      expect(pending.map(({ embed_key }) => embed_key).sort()).toEqual(
        [key(a, 0), key(a, 1), key(b, 1)].sort(),
      );
      const first = pending.find(({ embed_key }) => embed_key === key(a, 1));
      expect(first!.text).toBe(embeddedText(a.chunks[1]!.chunk));
      expect(await current().vectors.pending('m', 2)).toHaveLength(2);
      expect(await fill('m')).toEqual({ stored: 3 });
      expect(await current().vectors.pending('m', 10)).toEqual([]);
      expect(await current().vectors.pending('other', 10)).toHaveLength(3);
    });

    it('finds all chunks of a near text, by score then id', async () => {
      expect(await near(vector(1, 0, 0))).toEqual([]);
      await fill('m');
      const found = await current().vectors.near({ vector: vector(1, 0, 0), k: 10 });
      const twins = [id(a, 0), id(b, 0)].sort();
      expect(found.map((match) => match.id)).toEqual([...twins, id(a, 1), id(b, 1)]);
      for (const [i, score] of [1, 1, 0.8, 0].entries()) expect(found[i]!.score).toBeCloseTo(score, 2);
      expect(await near(vector(0, 0, 1), { k: 1 })).toEqual([id(b, 1)]);
    });

    it('S4.7 a passage read in parts scores by its best part, and goes with its parts', async () => {
      const { vectors } = current();
      const entries = [
        { embed_key: key(a, 0), vector: vector(1, 1, 0) },
        {
          embed_key: key(a, 1),
          vector: vector(1, 0, 0),
          parts: [vector(1, 0, 0), vector(0, 0.1, 1), vector(0, 1, 0)],
        },
      ];
      expect(await vectors.put({ fingerprint: 'm', dimensions: 3, entries })).toEqual({ stored: 2 });
      const found = await vectors.near({ vector: vector(0, 0, 1), k: 10 });
      expect(found[0]!.id).toBe(id(a, 1));
      expect(found[0]!.score).toBeCloseTo(0.85 * 0.995, 2);
      const scores = await vectors.scores([id(a, 1), id(a, 0)], { vector: vector(1, 0, 0) });
      expect(scores.get(id(a, 1))).toBeCloseTo(1, 2);
      expect(scores.get(id(a, 0))).toBeCloseTo(0.71, 2);
      // Which passages are near is a matter of their whole vectors.
      expect(await near(vector(0, 1, 0), { k: 1 })).toEqual([[id(a, 0), id(b, 0)].sort()[0]]);
      expect(await near(vector(0, 1, 0), { k: 3 })).toEqual([id(a, 1), ...[id(a, 0), id(b, 0)].sort()]);
      // Written again without parts, it has none.
      await vectors.put({ fingerprint: 'm', dimensions: 3, entries: [{ ...entries[1]!, parts: [] }] });
      const again = await vectors.scores([id(a, 1)], { vector: vector(0, 0, 1) });
      expect(again.get(id(a, 1))).toBeCloseTo(0, 2);
      expect(await current().check()).toEqual([]);
    });

    it('B8 gives canonical vectors out, and takes them as they are', async () => {
      await fill('m');
      const { vectors } = current();
      const ids = [id(a, 0), id(a, 1), 'unknown'];
      const before = await vectors.stored(ids);
      expect([...before.keys()].sort()).toEqual(ids.slice(0, 2).sort());
      const { embed_key, vector: stored } = before.get(id(a, 1))!;
      expect(embed_key).toBe(key(a, 1));
      // A scale that no float of ours would give back: it must not be made again.
      const other = { scale: Math.fround(stored!.scale * 1.0000002), codes: stored!.codes };
      await vectors.put({ fingerprint: 'm', dimensions: 3, entries: [{ embed_key, stored: other }] });
      const after = (await vectors.stored(ids)).get(id(a, 1))!.vector!;
      expect({ scale: after.scale, codes: [...after.codes] }).toEqual({
        scale: other.scale,
        codes: [...other.codes],
      });
      const short = { scale: 1, codes: new Int8Array(2) };
      const wrong = { fingerprint: 'm', dimensions: 3, entries: [{ embed_key, stored: short }] };
      await expect(vectors.put(wrong)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });

    it('filters exactly', async () => {
      await fill('m');
      const inB = { doc_ids: [b.document.id] };
      expect(await near(vector(1, 0, 0), { k: 2, filter: inB })).toEqual([id(b, 0), id(b, 1)]);
      expect(await near(vector(1, 0, 0), { k: 1, filter: { content_types: ['list'] } })).toEqual([id(b, 1)]);
      expect(await near(vector(1, 0, 0), { filter: { path: 'none' } })).toEqual([]);
    });

    it('stores only what some chunk still wants', async () => {
      await current().commit({ remove: [b.document.id] });
      expect(await fill('m')).toEqual({ stored: 2 });
      expect(await current().vectors.state()).toEqual({
        active: 'm',
        dimensions: 3,
        chunks: 2,
        embedded: { m: 2 },
      });
    });

    it('drops a vector with the last chunk that has its key', async () => {
      await fill('m');
      await current().commit({ remove: [a.document.id] });
      expect(await near(vector(1, 0, 0))).toEqual([id(b, 0), id(b, 1)]);
      await current().commit({ remove: [b.document.id] });
      await current().commit({ put: [b] });
      expect(await near(vector(1, 0, 0))).toEqual([]);
      expect(await current().vectors.pending('m', 10)).toHaveLength(2);
    });

    it('B4 everything is pending again for a model whose vectors another one replaced', async () => {
      await current().commit({ put: [a, b] });
      const all = await current().vectors.pending('m', 10);
      const [first] = all;
      await current().vectors.put(batch('m', [[first!.embed_key, vector(1, 0, 0)]]));
      expect(await current().vectors.pending('m', 10)).toEqual(all.slice(1));
      await current().vectors.activate('new', 2);
      expect(await current().vectors.pending('m', 10)).toEqual(all);
    });

    it('S4.4 keeps the vectors of unchanged chunks of a replaced document', async () => {
      await fill('m');
      const next = sampleWrite({
        source: 'file:a.md',
        title: 'T',
        parts: [
          { heading: 'Own', body: 'only a' },
          { heading: 'New', body: 'new' },
        ],
      });
      await current().commit({ put: [next] });
      expect((await current().vectors.pending('m', 10)).map(({ embed_key }) => embed_key)).toEqual([
        key(next, 1),
      ]);
      const asked = [id(next, 0), id(next, 1), id(b, 0), 'unknown'];
      const found = await current().vectors.scores(asked, { vector: vector(0, 1, 0) });
      expect([...found.keys()].sort()).toEqual([id(next, 0), id(b, 0)].sort());
      expect(found.get(id(next, 0))).toBeCloseTo(0.6, 2);
      expect(found.get(id(b, 0))).toBeCloseTo(0, 2);
    });

    it('B4 searches the active fingerprint until the switch, and never mixes', async () => {
      await fill('old');
      await current().vectors.put({
        fingerprint: 'new',
        dimensions: 2,
        entries: [{ embed_key: key(a, 1), vector: vector(0, 1) }],
      });
      expect(await current().vectors.state()).toEqual({
        active: 'old',
        dimensions: 3,
        chunks: 4,
        embedded: { old: 4, new: 1 },
      });
      expect(await near(vector(1, 0, 0))).toHaveLength(4);
      await expect(near(vector(1, 0))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      await current().vectors.activate('new', 2);
      expect(await near(vector(0, 1))).toEqual([id(a, 1)]);
      const state = { active: 'new', dimensions: 2, chunks: 4, embedded: { new: 1 } };
      expect(await current().vectors.state()).toEqual(state);
      expect(await current().vectors.pending('old', 10)).toHaveLength(3);
    });

    it('refuses vectors of a wrong length or with NaN', async () => {
      await fill('m');
      const wrong = [
        { fingerprint: 'm', dimensions: 2, entries: [{ embed_key: key(a, 0), vector: vector(1, 0) }] },
        { fingerprint: 'm', dimensions: 3, entries: [{ embed_key: key(a, 0), vector: vector(1, 0) }] },
        batch('m', [[key(a, 0), Float32Array.of(Number.NaN, 0, 0)]]),
      ];
      for (const bad of wrong) {
        await expect(current().vectors.put(bad)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      }
      expect((await current().vectors.near({ vector: vector(1, 0, 0), k: 1 }))[0]!.score).toBeCloseTo(1, 2);
    });

    it('B8 samples the same chunks in every store, whatever was written first', async () => {
      const parts = Array.from({ length: 60 }, (_, i) => ({ heading: `Part ${i}`, body: `text ${i}` }));
      const many = sampleWrite({ source: 'file:many.md', title: 'Many', parts });
      await current().commit({ put: [many] });
      const ids = [...many.chunks, ...a.chunks, ...b.chunks].map(({ chunk }) => chunk.id);
      for (const count of [2, 3, 40, 1000])
        expect(await current().vectors.sample(count)).toEqual(sampleIds(ids, count));
    });

    it('replaces a vector that is put again', async () => {
      await fill('m');
      await current().vectors.put(batch('m', [[key(a, 1), vector(0, 0, 1)]]));
      expect((await near(vector(0, 0, 1)))[0]).toBe(id(a, 1));
    });
  });
}
