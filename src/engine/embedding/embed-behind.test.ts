import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../embed/embedder.js';
import { writeTinyModel } from '../../embed/local/tiny-model.suite.js';
import { openEmbedder } from '../../embed/open.js';
import { embedPassages } from '../../embed/passages.js';
import { StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import { memoryBackend } from '../../store/memory/memory.js';
import type { StoredDocument } from '../../store/records.js';
import { sampleWrite } from '../../store/sample.js';
import { LibraryTrust } from '../trust/trust.js';
import { embedPending } from './embed-behind.js';
import { Embedders } from './embedders.js';

const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'nginx', 'cors', 'docker'];
const parts = (count: number, change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, i) => ({
    heading: `Part ${Math.floor(i / 10)}`,
    body: change[i] ?? `${NAMES[i % 7]} ${NAMES[(i * 3) % 7]} number ${i}`,
  }));
const guide = (more: Partial<Parameters<typeof sampleWrite>[0]> = {}): StoredDocument =>
  sampleWrite({ source: 'file:guide.md', title: 'Guide', parts: parts(200), ...more });

describe('vectors behind the words', () => {
  let folder: string;
  let first: Embedder;
  let second: Embedder;
  let backend: Backend;
  /** Every text that was embedded, in order. */
  let embedded: string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'strata-behind-'));
    first = await openEmbedder({ kind: 'local', model: writeTinyModel(join(folder, 'first')) });
    second = await openEmbedder({
      kind: 'local',
      model: writeTinyModel(join(folder, 'second'), { dimensions: 5, seed: 9 }),
    });
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    backend = memoryBackend();
    embedded = [];
  });

  /** The same embedder, watched; `before` may throw or wait. */
  const watched = (
    embedder: Embedder,
    before: (texts: readonly string[]) => void | Promise<void> = () => {},
  ): Embedder => ({
    ...embedder,
    embedPassages: async (texts, signal) => {
      await before(texts);
      const vectors = await embedPassages(embedder, texts, signal);
      embedded.push(...texts);
      return vectors;
    },
  });
  const near = async (embedder: Embedder, text: string): Promise<readonly string[]> => {
    const [vector] = await embedder.embed([text], 'query');
    return (await backend.vectors.near({ vector: vector!, k: 10 })).map(({ id }) => id);
  };

  it('B2 words can be searched while vectors fill in behind, and progress is told', async () => {
    await backend.commit({ put: [guide()] });
    const words = { terms: [{ term: 'nginx', weight: 1 }], k: 10, kind: 'chunk', scorer: 'bm25' } as const;
    expect(await backend.words.match(words)).toHaveLength(10);
    expect(await near(first, 'nginx')).toEqual([]);

    const coverage: number[] = [];
    const report = await embedPending(
      backend,
      watched(first, async () => {
        coverage.push((await backend.vectors.state()).embedded[first.fingerprint] ?? 0);
        expect(await backend.words.match(words)).toHaveLength(10);
      }),
      { onProgress: (done, total) => coverage.push(done, total) },
    );
    expect(report).toEqual({ embedded: 200, failed: [], remaining: 0, interrupted: false });
    expect(coverage.some((done) => done > 0 && done < 200)).toBe(true);
    expect(coverage.slice(-2)).toEqual([200, 200]);
    expect(await near(first, 'nginx')).toHaveLength(10);
  });

  it('S4.4 unchanged chunks are not embedded again, and no text twice, in whatever documents it stands', async () => {
    await backend.commit({ put: [guide(), guide({ source: 'file:copy.md' })] });
    expect(await embedPending(backend, watched(first))).toMatchObject({ embedded: 200, remaining: 0 });
    expect(new Set(embedded).size).toBe(200);
    const query = { vector: (await first.embed(['nginx'], 'query'))[0]! };
    const before = await backend.vectors.scores([guide().chunks[7]!.chunk.id], query);
    expect(before.size).toBe(1);

    await backend.commit({ put: [guide()] });
    expect(await embedPending(backend, watched(first))).toMatchObject({ embedded: 0 });
    await backend.commit({ put: [guide({ parts: parts(200, { 50: 'a new paragraph' }) })] });
    expect(await embedPending(backend, watched(first))).toMatchObject({ embedded: 1, remaining: 0 });
    expect(embedded).toHaveLength(201);
    expect(await backend.vectors.scores([guide().chunks[7]!.chunk.id], query)).toEqual(before);

    // A renamed title stands in what is embedded of each chunk, but not in its id.
    const renamed = guide({ title: 'Handbook' });
    expect(renamed.chunks.map(({ chunk }) => chunk.id)).toEqual(guide().chunks.map(({ chunk }) => chunk.id));
    await backend.commit({ put: [renamed] });
    expect(await embedPending(backend, watched(first))).toMatchObject({ embedded: 200, remaining: 0 });
  });

  it('B2 a slow model is stored in small steps, a fast one in large ones', async () => {
    await backend.commit({ put: [guide({ parts: parts(600) })] });
    const sizes: number[] = [];
    const slow = watched(first, async (texts) => {
      sizes.push(texts.length);
      await new Promise((resolve) => setTimeout(resolve, sizes.length <= 3 ? 1_500 : 0));
    });
    expect(await embedPending(backend, slow)).toMatchObject({ embedded: 600, remaining: 0 });
    expect(Math.min(...sizes.slice(0, 5))).toBeLessThan(16);
    expect(Math.max(...sizes)).toBeGreaterThan(64);
  });

  it('B2 interrupted work goes on where it was', async () => {
    await backend.commit({ put: [guide()] });
    const cancel = new AbortController();
    const report = await embedPending(
      backend,
      watched(first, () => {
        if (embedded.length >= 64) cancel.abort();
      }),
      { signal: cancel.signal },
    );
    expect(report).toMatchObject({ interrupted: true });
    expect(report.embedded).toBeGreaterThan(0);
    expect(report.remaining).toBe(200 - report.embedded);
    const again = await embedPending(backend, watched(first));
    expect(again).toEqual({ embedded: report.remaining, failed: [], remaining: 0, interrupted: false });
  });

  it('B2 a text that always fails is reported, the others are embedded', async () => {
    await backend.commit({ put: [guide({ parts: parts(200, { 3: 'cursed', 150: 'cursed too' }) })] });
    let cursed = 0;
    const flaky = watched(first, (texts) => {
      if (!texts.some((text) => text.includes('cursed'))) return;
      cursed++;
      throw new StrataError('EMBEDDER_FAILED', 'refused');
    });
    const report = await embedPending(backend, flaky);
    expect(report).toMatchObject({ embedded: 198, remaining: 2 });
    expect(report.failed.map(({ reason }) => reason)).toEqual(['refused', 'refused']);
    expect(cursed).toBeGreaterThanOrEqual(4);
    expect(new Set(embedded).size).toBe(embedded.length);
    expect(await embedPending(backend, first)).toMatchObject({ embedded: 2, failed: [], remaining: 0 });
  });

  it('B2 a service that is gone or fails on everything ends the run at once', async () => {
    await backend.commit({ put: [guide()] });
    for (const code of ['EMBEDDER_UNAVAILABLE', 'EMBEDDER_FAILED'] as const) {
      let asked = 0;
      const broken = watched(first, () => {
        asked++;
        throw new StrataError(code, 'no service today');
      });
      const report = await embedPending(backend, broken);
      expect(report).toMatchObject({ embedded: 0, remaining: 200, stopped: 'no service today' });
      expect(asked).toBeLessThan(50);
    }
  });

  it('B4 a new model builds beside the old one, which searches go on using, and then takes over', async () => {
    await backend.commit({ put: [guide()] });
    await embedPending(backend, first);
    const before = await near(first, 'nginx cors');
    let looked = 0;
    const change = watched(second, async () => {
      looked++;
      expect(await backend.vectors.state()).toMatchObject({ active: first.fingerprint, dimensions: 8 });
      expect(await near(first, 'nginx cors')).toEqual(before);
    });
    const cancel = new AbortController();
    const half = await embedPending(backend, change, {
      signal: cancel.signal,
      onProgress: (done) => done >= 64 && cancel.abort(),
    });
    expect(half.remaining).toBeGreaterThan(0);
    expect((await backend.vectors.state()).active).toBe(first.fingerprint);
    const rest = await embedPending(backend, change);
    expect(rest).toMatchObject({ embedded: half.remaining, remaining: 0 });
    expect(looked).toBeGreaterThan(2);
    expect(await backend.vectors.state()).toEqual({
      active: second.fingerprint,
      dimensions: 5,
      chunks: 200,
      embedded: { [second.fingerprint]: 200 },
    });
    expect(await near(second, 'nginx cors')).toHaveLength(10);
    await expect(near(first, 'nginx cors')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('B4 does not take over while texts fail', async () => {
    await backend.commit({ put: [guide()] });
    await embedPending(backend, first);
    const bad = watched(second, (texts) => {
      if (texts.some((text) => text.includes('nginx'))) throw new StrataError('EMBEDDER_FAILED', 'refused');
    });
    expect((await embedPending(backend, bad)).failed.length).toBeGreaterThan(2);
    expect((await backend.vectors.state()).active).toBe(first.fingerprint);
  });

  describe('a library’s embedders', () => {
    const spec = (name: string): string => `local:${join(folder, name)}`;

    it('B4 questions use the model that made the searched vectors, while another builds', async () => {
      await backend.commit({ put: [guide()] });
      const trust = new LibraryTrust(folder);
      const old = new Embedders(backend, { wanted: spec('first'), trust });
      // Before the first vector: the model on hand, for vectors on demand.
      expect((await old.forQueries())?.fingerprint).toBe(first.fingerprint);
      await old.drain();
      expect((await old.forQueries())?.fingerprint).toBe(first.fingerprint);

      const changed = new Embedders(backend, { wanted: spec('second'), trust });
      expect((await changed.forQueries())?.fingerprint).toBe(first.fingerprint);
      const cancel = new AbortController();
      await changed.drain({ signal: cancel.signal, onProgress: (done) => done >= 64 && cancel.abort() });
      expect((await changed.forQueries())?.fingerprint).toBe(first.fingerprint);
      await changed.drain();
      expect((await changed.forQueries())?.fingerprint).toBe(second.fingerprint);
      expect((await old.forQueries())?.fingerprint).toBe(second.fingerprint);
      await Promise.all([old.close(), changed.close()]);
    });

    it('B2 without an embedder says why, once, and searches by words', async () => {
      await backend.commit({ put: [guide()] });
      await embedPending(backend, first);
      const said: string[] = [];
      const none = new Embedders(backend, {
        wanted: 'local:/no/such/folder',
        onProblem: (line) => said.push(line),
      });
      await expect(none.drain()).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
      await expect(none.forPassages()).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
      expect(await none.forQueries()).toBeNull();
      expect(said).toHaveLength(1);
      expect(none.reason).toBe(said[0]);
      await none.close();
    });

    it('B4 vectors of a model that is not here any more are not compared with another’s', async () => {
      await backend.commit({ put: [guide()] });
      const moved = join(folder, 'moved');
      const old = new Embedders(backend, { wanted: `local:${writeTinyModel(moved, { seed: 3 })}` });
      await old.drain();
      await old.close();
      writeTinyModel(moved, { seed: 4 });
      const said: string[] = [];
      const now = new Embedders(backend, { wanted: `local:${moved}`, onProblem: (line) => said.push(line) });
      expect(await now.forQueries()).toBeNull();
      expect(said).toEqual([expect.stringContaining('strata embed')]);
      await now.drain();
      expect(await now.forQueries()).not.toBeNull();
      await now.close();
    });
  });
});
