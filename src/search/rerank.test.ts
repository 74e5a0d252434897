import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reranker } from '../embed/rerank/reranker.js';
import type { Backend } from '../store/backend.js';
import type { Fused } from './fuse.js';
import { RERANKED, rerank } from './rerank.js';
import { search } from './search.js';
import { smallLibrary } from './small-library.suite.js';

const note = (at: number) => ({
  name: `note${at}.md`,
  text: `# Note ${at}\n\nThe backup of machine ${at} is made at night${' and kept'.repeat(at % 5)}.\n`,
});
let backend: Backend;
let ids: string[];
beforeAll(async () => {
  backend = await smallLibrary(Array.from({ length: 40 }, (_, at) => note(at)));
  const { results } = await search({ backend, embedder: null }, { query: 'backup', limit: 40 });
  ids = results.map(({ matched_chunks }) => matched_chunks[0]!.chunk_id);
  expect(ids).toHaveLength(40);
});

const of = (score: (text: string, at: number) => number | null): Reranker => ({
  id: 'test',
  score: async (_, texts) => texts.map(score),
  close: async () => {},
});
const rankingOf = (chunks: readonly string[]): Fused[] =>
  chunks.map((id, at) => ({ id, score: 1 - at / 100, evidence: [] }));

describe('the best read again', () => {
  it('B17 those that were scored share their places anew; all others, and all scores of places, stay', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.double({ noNaN: true }), { nil: null }), { minLength: 40, maxLength: 40 }),
        async (scores) => {
          const before = rankingOf(ids);
          const { ranking } = await rerank(
            of((_, at) => scores[at]!),
            backend,
            'backup',
            before,
            {},
          );
          ranking.forEach(({ score }, place) => {
            expect(score).toBeCloseTo(before[place]!.score, 6);
            expect(score).toBeLessThanOrEqual(ranking[place - 1]?.score ?? 1);
          });
          expect([...ranking.map(({ id }) => id)].sort()).toEqual([...ids].sort());
          const isScored = (at: number): boolean => at < RERANKED && scores[at] !== null;
          ranking.forEach(({ id, evidence }, place) => {
            if (!isScored(place)) expect([id, evidence]).toEqual([ids[place], []]);
          });
          const order = ranking
            .filter((_, place) => isScored(place))
            .map(({ id }) => scores[ids.indexOf(id)]!);
          expect(order).toEqual([...order].sort((a, b) => b - a));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('B17 it orders an answer and says so; without it the answer is the same as ever', async () => {
    const reranker = of((text) => Number(/machine (\d+)/.exec(text)![1]));
    const first = async (more: object) =>
      (await search({ backend, embedder: null, ...more }, { query: 'machine backup', explain: true }))
        .results[0]!;
    const plain = await first({});
    const read = await first({ reranker });
    const { explain = [] } = read.matched_chunks[0]!;
    expect(explain.find(({ channel }) => channel === 'rerank')).toMatchObject({ rank: 1, weight: 0 });
    expect(read.matched_chunks[0]!.chunk_id).not.toBe(plain.matched_chunks[0]!.chunk_id);
    expect(plain.matched_chunks[0]!.explain!.map(({ channel }) => channel)).not.toContain('rerank');
  });

  it('B17 one that fails, is late or is missing costs no answer, and a line says so', async () => {
    const plain = await search({ backend, embedder: null }, { query: 'backup' });
    const broken: Reranker = { ...of(() => 0), score: () => Promise.reject(new Error('it is on fire.')) };
    for (const reranker of [broken, { missing: 'it is on fire' }]) {
      const answer = await search({ backend, embedder: null, reranker }, { query: 'backup' });
      expect(answer.notices).toContain('Ranked without the reranker: it is on fire.');
      expect(answer.results).toEqual(plain.results);
    }
    const slow: Reranker = {
      ...of(() => 0),
      score: (_, texts, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve(texts.map((_text, at) => (at < 2 ? at : null)))),
        ),
    };
    const before = rankingOf(ids);
    const { ranking, notices } = await rerank(slow, backend, 'backup', before, { budget_ms: 20 });
    expect(notices).toEqual([`The reranker has read 2 of ${RERANKED} passages within 0.02 s.`]);
    expect(ranking.map(({ id }) => id)).toEqual([ids[1], ids[0], ...ids.slice(2)]);
    const stop = new AbortController();
    stop.abort();
    await expect(
      rerank(slow, backend, 'backup', before, { signal: stop.signal, budget_ms: 20 }),
    ).rejects.toThrow();
  });
});
