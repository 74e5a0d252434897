import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../store/backend.js';
import { memoryBackend } from '../../../store/memory/memory.js';
import type { StoredDocument } from '../../../store/records.js';
import { sampleWrite } from '../../../store/sample.js';
import { sqliteBackend } from '../backend.js';

const DIMENSIONS = 160;

/** A vector that depends on the text alone. */
function vectorOf(text: string, salt = 0): Float32Array {
  let state = salt + 1;
  for (const character of text) state = (Math.imul(state, 31) + character.charCodeAt(0)) >>> 0;
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, d) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.4 + (d % 7) / 20;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const document = (name: string, count: number, folder = 'a'): StoredDocument =>
  sampleWrite({
    source: `file:${folder}/${name}.md`,
    title: name,
    parts: Array.from({ length: count }, (_, i) => ({ heading: `H${i}`, body: `${name} text ${i}` })),
  });

describe('vectors in the SQLite file', () => {
  let folder: string;
  let path: string;
  let one: Backend;
  let two: Backend;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'strata-vectors-'));
    path = join(folder, 'library.db');
    one = await sqliteBackend({ path });
    two = await sqliteBackend({ path });
  });
  afterEach(async () => {
    await Promise.all([one.close(), two.close()]);
    rmSync(folder, { recursive: true });
  });

  const fill = async (backend: Backend, size: number, fingerprint = 'm', salt = 0): Promise<void> => {
    for (;;) {
      const texts = await backend.vectors.pending(fingerprint, size);
      if (texts.length === 0) return;
      const entries = texts.map(({ embed_key }) => ({ embed_key, vector: vectorOf(embed_key, salt) }));
      await backend.vectors.put({ fingerprint, dimensions: DIMENSIONS, entries });
    }
  };
  const keyOf = (write: StoredDocument, index: number): string => write.chunks[index]!.embed_key;
  const idOf = (write: StoredDocument, index: number): string => write.chunks[index]!.chunk.id;
  const nearest = async (backend: Backend, key: string, salt = 0): Promise<string | undefined> =>
    (await backend.vectors.near({ vector: vectorOf(key, salt), k: 1 }))[0]?.id;

  it('B6 another process’s vectors, removals and switch are seen at once', async () => {
    const a = document('a', 30);
    const b = document('b', 30);
    await one.commit({ put: [a, b] });
    expect(await nearest(two, keyOf(a, 3))).toBeUndefined();
    await fill(one, 7);
    expect(await nearest(two, keyOf(a, 3))).toBe(idOf(a, 3));
    expect((await two.vectors.state()).embedded).toEqual({ m: 60 });
    await one.commit({ remove: [a.document.id] });
    expect(await nearest(two, keyOf(a, 3))).not.toBe(idOf(a, 3));
    expect((await two.vectors.near({ vector: vectorOf('x'), k: 100 })).length).toBe(30);
    await one.commit({ put: [a] });
    await fill(two, 50);
    expect(await nearest(one, keyOf(a, 3))).toBe(idOf(a, 3));

    await fill(one, 50, 'n', 5);
    expect(await nearest(two, keyOf(b, 3))).toBe(idOf(b, 3));
    await one.vectors.activate('n', DIMENSIONS);
    expect(await nearest(two, keyOf(b, 3), 5)).toBe(idOf(b, 3));
    const stale = two.vectors.near({ vector: vectorOf(keyOf(b, 3)), k: 1, fingerprint: 'm' });
    await expect(stale).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('answers as the plain model does, after many small puts, removals and a rewrite, with and without a filter', async () => {
    const model = memoryBackend();
    const write = (change: Parameters<Backend['commit']>[0]) =>
      Promise.all([one.commit(change), model.commit(change)]);
    const documents = Array.from({ length: 40 }, (_, i) => document(`d${i}`, 100, i < 39 ? 'most' : 'rare'));
    await write({ put: documents });
    await fill(one, 50);
    await fill(model, 5000);
    const compare = async (backend: Backend): Promise<void> => {
      for (const filter of [undefined, { path: 'most' }, { path: 'rare' }, { path: 'none' }]) {
        for (let i = 0; i < 4; i++) {
          const query = { vector: vectorOf(`query ${i}`), k: 10, ...(filter ? { filter } : {}) };
          const expected = await model.vectors.near(query);
          const found = await backend.vectors.near(query);
          const known = new Set(expected.map(({ id }) => id));
          expect(found).toHaveLength(expected.length);
          // 4,000 random vectors are no easy case for signs; real ones lie in clusters.
          const shared = found.filter(({ id }) => known.has(id)).length;
          if (filter?.path === 'rare') expect(found).toEqual(expected);
          else expect(shared).toBeGreaterThanOrEqual(Math.min(9, expected.length));
        }
      }
    };
    await compare(one);
    await compare(two);
    // A third of the documents go: more than a fifth of the vectors.
    await write({ remove: documents.filter((_, i) => i % 3 === 0).map((write) => write.document.id) });
    await compare(two);
    await write({ put: [document('late', 60)] });
    await fill(two, 20);
    await fill(model, 100);
    await compare(one);
    await compare(two);
    const three = await sqliteBackend({ path });
    await compare(three);
    expect(await three.vectors.state()).toEqual(await model.vectors.state());
    await three.close();
  });

  it('does without damaged sketches and vectors', async () => {
    const a = document('a', 40);
    await one.commit({ put: [a] });
    await fill(one, 40);
    await one.close();
    await two.close();
    const file = new DatabaseSync(path);
    file.exec("UPDATE vector_sketches SET data = x'00112233445566'");
    file.exec("UPDATE vectors SET data = x'0011223344556677' WHERE slot = 5");
    file.close();
    one = await sqliteBackend({ path });
    two = await sqliteBackend({ path });
    const found = await one.vectors.near({ vector: vectorOf('x'), k: 100 });
    expect(found).toHaveLength(39);
  });
});
