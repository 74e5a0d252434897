import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from './backend.js';
import type { LexicalQuery } from './lexical.js';
import { sampleWrite } from './sample.js';

const query = (words: string, more: Partial<LexicalQuery> = {}): LexicalQuery => ({
  terms: words
    .split(' ')
    .filter(Boolean)
    .map((term) => ({ term, weight: 1 })),
  k: Number.POSITIVE_INFINITY,
  kind: 'chunk',
  scorer: 'bm25',
  ...more,
});

/** The promises of lexical.ts. */
export function describeWords(current: () => Backend): void {
  describe('LexicalIndex', () => {
    const fruit = sampleWrite({
      source: 'file:fruit/all.md',
      title: 'Fruit',
      parts: [
        { heading: 'Apple', body: 'red apple green apple sweet' },
        { heading: 'Pear', body: 'green pear' },
        { heading: 'Code', body: 'peel apple', type: 'code' },
      ],
      metadata: { format: 'markdown', tags: ['food'] },
    });
    const tools = sampleWrite({
      source: 'file:tools.md',
      title: 'Tools for apple',
      parts: [{ heading: 'Knife', body: 'sharp knife for pear and 苹果' }],
    });
    const [apple, pear, code] = fruit.chunks.map(({ chunk }) => chunk.id);
    const knife = tools.chunks[0]!.chunk.id;
    const match = async (asked: LexicalQuery) => (await current().words.match(asked)).map(({ id }) => id);

    beforeEach(async () => {
      await current().commit({ put: [fruit, tools] });
    });

    it('scores BM25 over body and title', async () => {
      const idf = (df: number) => Math.log(1 + (4 - df + 0.5) / (df + 0.5));
      // Lengths: apple 5+2, pear 2+2, code 2+2, knife 6+4.
      const mean = (5 + 2 + 2 + 6 + 1 * (2 + 2 + 2 + 4)) / 4;
      const score = (df: number, tf: number, length: number) =>
        (idf(df) * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / mean));
      const found = await current().words.match(query('pear sweet'));
      const expected = [
        { id: apple, score: score(1, 1, 7) },
        { id: pear, score: score(2, 2, 4) },
        { id: knife, score: score(2, 1, 10) },
      ].sort((a, b) => b.score - a.score);
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const [i, { score: value }] of found.entries()) expect(value).toBeCloseTo(expected[i]!.score, 9);
    });

    it('lets the title count more or not at all', async () => {
      expect((await match(query('apple', { title_weight: 10 })))[0]).toBe(apple);
      const scores = await current().words.match(query('tools', { title_weight: 0 }));
      expect(scores).toEqual([{ id: knife, score: 0 }]);
    });

    it('S2.5 scores TF-IDF cosine over the same postings', async () => {
      const found = await current().words.match(query('green pear', { scorer: 'tfidf' }));
      expect(found.map(({ id }) => id)).toEqual([pear, apple, knife]);
      const idf = (df: number) => Math.log(5 / (1 + df)) + 1;
      const queryLength = Math.hypot(idf(2), idf(2));
      // pear holds: green 1, pear 2 (body and title), fruit 1.
      const weight = 1 + Math.log(2);
      const cosine = (idf(2) * 1 + idf(2) * weight) / (queryLength * Math.hypot(1, weight, 1));
      expect(found[0]!.score).toBeCloseTo(cosine, 6);
      const all = await current().words.match(query('fruit green pear pear', { scorer: 'tfidf' }));
      expect(all[0]!.score).toBeLessThanOrEqual(1 + 1e-9);
    });

    it('weighs terms, and adds the weights of a repeated one', async () => {
      const one = await current().words.match(query('', { terms: [{ term: 'pear', weight: 3 }] }));
      const three = await current().words.match(query('pear pear pear'));
      const plain = await current().words.match(query('pear'));
      expect(three).toEqual(one);
      expect(one[0]!.score).toBeCloseTo(3 * plain[0]!.score, 9);
    });

    it('S4.7 takes a term that may be said in several ways as one word, of which the best way counts', async () => {
      const terms = [
        {
          term: 'peeler',
          weight: 1,
          also: [
            { terms: ['peel', 'apple'], share: 1 },
            { terms: ['苹果'], share: 1 },
            { terms: ['苹果', 'nowhere'], share: 1 },
            { terms: ['sharp'], share: 0.5 },
          ],
        },
      ];
      // Two of four units say it, whichever way; knife (10 words) says it once for certain, sharp adds nothing.
      const mean = (5 + 2 + 2 + 6 + 1 * (2 + 2 + 2 + 4)) / 4;
      const score = (tf: number, length: number) =>
        (Math.log(1 + 2.5 / 2.5) * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / mean));
      const found = await current().words.match(query('', { terms }));
      expect(found.map(({ id }) => id)).toEqual([code, knife]);
      expect(found[0]!.score).toBeCloseTo(score(1, 4), 9);
      expect(found[1]!.score).toBeCloseTo(score(1, 10), 9);
      const unsure = [{ ...terms[0]!, also: [{ terms: ['sharp'], share: 0.5 }] }];
      const half = await current().words.match(query('', { terms: unsure }));
      const tf = 0.5 / (0.5 + 1.2 * (0.25 + (0.75 * 10) / mean));
      expect(half).toEqual([{ id: knife, score: expect.closeTo(Math.log(1 + 3.5 / 1.5) * 2.2 * tf, 9) }]);
      const named = { terms, any: ['peeler'], required: ['fruit'] };
      expect(await match(query('', named))).toEqual([code]);
      for (const scorer of ['bm25', 'tfidf'] as const) {
        const all = await current().words.match(query('', { terms, scorer, k: 1 }));
        expect(all[0]!.score).toBeGreaterThan(0);
      }
      const wrong = [{ term: 'x', weight: 1, also: [{ terms: ['y'], share: 2 }] }];
      await expect(match(query('', { terms: wrong }))).rejects.toThrow(/share/);
    });

    it('gives the best k, and all of them for Infinity', async () => {
      const all = await match(query('apple green'));
      expect(all).toHaveLength(4);
      expect(await match(query('apple green', { k: 2 }))).toEqual(all.slice(0, 2));
      expect(await match(query('apple green', { k: 0 }))).toEqual([]);
      expect(await match(query('nothing'))).toEqual([]);
      expect(await match(query(''))).toEqual([]);
    });

    it('matches by `any` alone where it is given; the other terms only add to the score', async () => {
      const both = await current().words.match(query('apple green'));
      const one = await current().words.match(query('apple green', { any: ['apple'] }));
      const apples = new Set(await match(query('apple')));
      expect(apples.size).toBeLessThan(both.length);
      expect(one).toEqual(both.filter(({ id }) => apples.has(id)));
      expect((await match(query('apple', { any: ['pear'] }))).sort()).toEqual(
        (await match(query('pear'))).sort(),
      );
      expect(await match(query('apple', { any: ['apple', 'pear'], required: ['unknown'] }))).toEqual([]);
      expect(await match(query('apple', { any: ['unknown'] }))).toEqual([]);
    });

    it('asks for all required terms, with or without others', async () => {
      expect(await match(query('apple', { required: ['green'] }))).toEqual([apple]);
      expect(await match(query('pear', { required: ['green', 'sweet'] }))).toEqual([]);
      expect((await match(query('', { required: ['green'] }))).sort()).toEqual([apple, pear].sort());
      expect(await match(query('apple', { required: ['unknown'] }))).toEqual([]);
    });

    it('S0.5 finds documents by their own title and summary, not only by their chunks', async () => {
      const asked = query('fruit', { kind: 'document' });
      expect(await match(asked)).toEqual([fruit.document.id]);
      expect(await match(query('tools', { kind: 'document' }))).toEqual([tools.document.id]);
      expect(await match(query('knife', { kind: 'document', scorer: 'tfidf' }))).toEqual([tools.document.id]);
    });

    it('filters exactly, and keeps the scores', async () => {
      const all = new Map((await current().words.match(query('apple'))).map(({ id, score }) => [id, score]));
      for (const filter of [{ path: 'fruit' }, { tags: ['food'] }, { content_types: ['code'] as const }]) {
        const found = await current().words.match(query('apple', { filter, k: 1 }));
        expect(found).toHaveLength(1);
        expect(found[0]!.score).toBe(all.get(found[0]!.id));
      }
      expect(await match(query('apple', { filter: { content_types: ['code'] } }))).toEqual([code]);
      expect(await match(query('apple', { filter: { doc_ids: [tools.document.id] } }))).toEqual([knife]);
      expect(await match(query('apple', { filter: { doc_ids: [] } }))).toEqual([]);
      const documents = query('apple', { kind: 'document', filter: { content_types: ['code'] } });
      expect(await match(documents)).toEqual([fruit.document.id]);
    });

    it('S4.3 finds a chunk by every type that it holds, and follows when they change', async () => {
      const typed = (types: readonly ('text' | 'code' | 'table')[]) =>
        sampleWrite({
          source: 'file:ports.md',
          title: 'Ports',
          parts: [{ heading: 'P', body: 'port 5432', types }],
        });
      const found = (type: 'text' | 'code' | 'table', kind: 'chunk' | 'document' = 'chunk') =>
        match(query('port', { kind, filter: { content_types: [type] } }));
      const both = typed(['text', 'table']);
      await current().commit({ put: [both] });
      const port = both.chunks[0]!.chunk;
      expect((await current().chunk(port.id))!.content_types).toEqual(['text', 'table']);
      expect(await found('table')).toEqual([port.id]);
      expect(await found('text')).toEqual([port.id]);
      expect(await found('code')).toEqual([]);
      await current().commit({ put: [typed(['text', 'code'])] });
      expect(await found('code')).toEqual([port.id]);
      expect(await found('table')).toEqual([]);
      expect(
        (await current().documents({ filter: { content_types: ['code'] } })).map(({ id }) => id),
      ).toContain(both.document.id);
      expect(await current().check()).toEqual([]);
    });

    it('orders equal scores by id', async () => {
      const twins = Array.from({ length: 30 }, (_, i) =>
        sampleWrite({
          source: `file:twin${i}`,
          title: 'twin',
          parts: [{ heading: 'same', body: 'twin words' }],
        }),
      );
      await current().commit({ put: twins });
      const ids = twins.map(({ chunks }) => chunks[0]!.chunk.id).sort();
      expect(await match(query('twin words'))).toEqual(ids);
      expect(await match(query('twin words', { k: 7 }))).toEqual(ids.slice(0, 7));
      expect(await match(query('twin', { k: 7, scorer: 'tfidf' }))).toEqual(ids.slice(0, 7));
    });

    it('S2.5 follows saves and deletes, with exact statistics', async () => {
      const before = await current().words.match(query('apple pear'));
      const extra = sampleWrite({
        source: 'file:extra.md',
        title: 'Extra',
        parts: [{ heading: 'More', body: 'apple apple pear crumble' }],
      });
      await current().commit({ put: [extra] });
      expect(await match(query('crumble'))).toEqual([extra.chunks[0]!.chunk.id]);
      expect(await current().words.frequencies(['apple', 'none'])).toEqual({ units: 8, df: [7, 0] });
      const replaced = sampleWrite({
        source: 'file:extra.md',
        title: 'Extra',
        parts: [{ heading: 'More', body: 'tart' }],
      });
      await current().commit({ put: [replaced] });
      expect(await match(query('crumble'))).toEqual([]);
      expect(await match(query('tart'))).toEqual([replaced.chunks[0]!.chunk.id]);
      await current().commit({ remove: [extra.document.id] });
      expect(await match(query('tart'))).toEqual([]);
      expect(await current().words.match(query('apple pear'))).toEqual(before);
      await current().tidy();
      expect(await current().words.match(query('apple pear'))).toEqual(before);
    });

    it('lists terms by prefix, most frequent first', async () => {
      const found = await current().words.termsWithPrefix('p', 10);
      expect(found.map(({ term }) => term)).toEqual(['pear', 'peel']);
      const { df } = await current().words.frequencies(['pear', 'peel']);
      expect(found.map((entry) => entry.df)).toEqual(df);
      expect(await current().words.termsWithPrefix('苹', 10)).toEqual([{ term: '苹果', df: 2 }]);
      expect(await current().words.termsWithPrefix('p', 1)).toHaveLength(1);
      expect(await current().words.termsWithPrefix('zz', 5)).toEqual([]);
      await current().commit({ remove: [tools.document.id] });
      expect(await current().words.termsWithPrefix('苹', 10)).toEqual([]);
    });

    it('refuses weights and counts that mean nothing', async () => {
      const bad = query('', { terms: [{ term: 'apple', weight: Number.NaN }] });
      await expect(current().words.match(bad)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      const negative = query('apple', { k: -1 });
      await expect(current().words.match(negative)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });
  });
}
