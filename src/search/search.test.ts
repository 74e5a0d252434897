import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StrataError } from '../model/errors.js';
import { SEARCH_MODES, type SearchMode } from '../model/result.js';
import type { Backend } from '../store/backend.js';
import { parseQuery } from '../text/query.js';
import { unitWords } from '../text/words.js';
import { TITLE_WEIGHT } from './recall/words.js';
import { search } from './search.js';
import { embedAll, idOf, meaningEmbedder, smallLibrary } from './small-library.suite.js';

const GUIDE = {
  name: 'guide.md',
  text: `# 部署指南

## 准备

先安装依赖，再检查端口是否可用。机器需要两个核心和四千兆内存，磁盘要有足够的空间。

## Nginx

配置 Nginx 反向代理时要打开 CORS，否则浏览器会拒绝跨域请求。把 add_header 写进 location 块里。

## 监控

指标由 Prometheus 收集，告警规则放在 alerts 文件夹中。每五分钟抓取一次。
`,
};
const CARS = {
  name: 'cars.md',
  text: '# Engines\n\nThe automobile has four wheels and a combustion engine under the hood.\n',
};
const CLINIC = {
  name: 'clinic.md',
  text: '# Clinic\n\nA physician sees patients on weekdays from nine to five.\n',
};

const words = (backend: Backend) => ({ backend, embedder: null });

describe('search', () => {
  it('S2.6 finds the chunk, groups by document with the best chunk first, and names item, chunk, position and heading', async () => {
    const backend = await smallLibrary([GUIDE, CARS], { min: 20, max: 120 });
    const { results } = await search(words(backend), { query: '配置 Nginx CORS', mode: 'keyword' });
    const [best] = results;
    expect(best!.item.source_path).toBe('guide.md');
    expect(best!.matched_chunks[0]).toMatchObject({ heading: 'Nginx', title_path: ['部署指南', 'Nginx'] });
    expect(best!.relevance_score).toBe(Math.max(...best!.matched_chunks.map(({ score }) => score)));
    const { start_position, end_position, content, chunk_index } = best!.matched_chunks[0]!;
    const text = (await backend.content(best!.item.id))!.text;
    expect(text.slice(start_position, end_position)).toBe(content);
    expect(chunk_index).toBeGreaterThan(0);
    expect(results.map(({ item }) => item.id)).toEqual([...new Set(results.map(({ item }) => item.id))]);
  });

  it('S2.6 loads the neighbours as context, the whole document or nothing when asked', async () => {
    const backend = await smallLibrary([GUIDE], { min: 20, max: 120 });
    const ask = (context?: 'neighbours' | 'document' | 'none') =>
      search(words(backend), { query: '跨域', mode: 'keyword', ...(context && { context }) });
    const near = (await ask()).results[0]!;
    const at = near.matched_chunks[0]!.chunk_index;
    expect(near.context_chunks.map(({ chunk_index }) => chunk_index)).toEqual([at - 1, at + 1]);
    const whole = (await ask('document')).results[0]!;
    expect(whole.context_chunks).toHaveLength(whole.item.chunk_count - whole.matched_chunks.length);
    expect((await ask('none')).results[0]!.context_chunks).toEqual([]);
  });

  it('S2.6 falls back to whole documents when the chunk index is damaged, and says so', async () => {
    const backend = await smallLibrary([GUIDE, CARS]);
    const damaged: Backend = {
      ...backend,
      words: {
        ...backend.words,
        match: async () => {
          throw new StrataError('STORE_DAMAGED', 'a segment is damaged');
        },
      },
      documents: (page) => backend.documents(page),
      content: (id) => backend.content(id),
    };
    const { results, notices } = await search(words(damaged), {
      query: 'combustion engine',
      mode: 'keyword',
    });
    expect(results.map(({ item }) => item.title)).toEqual(['Engines']);
    expect(results[0]!.matched_chunks).toEqual([]);
    expect(notices).toEqual([expect.stringMatching(/whole documents.*damaged/)]);
  });

  it('S2.7 has the item-level fields only where no chunk matched', async () => {
    const backend = await smallLibrary([CARS]);
    const document = (await backend.documentBySource('file:cars.md'))!;
    const content = (await backend.content(document.id))!;
    // A document that lost its chunks is still found by its own title and summary.
    await backend.commit({
      put: [
        {
          document: { ...document, chunk_count: 0 },
          sections: [],
          content,
          chunks: [],
          words: unitWords(document.title, document.summary),
        },
      ],
    });
    const { results, notices } = await search(words(backend), { query: 'combustion', mode: 'keyword' });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ item: { title: 'Engines' }, matched_chunks: [], context_chunks: [] });
    expect(results[0]!.highlights.length).toBeGreaterThan(0);
    expect(notices.join()).toMatch(/whole documents/);
  });

  it('S2.7 gives matched fields and highlights at the places of the words', async () => {
    const backend = await smallLibrary([GUIDE], { min: 20, max: 120 });
    const { results } = await search(words(backend), { query: 'nginx 跨域', mode: 'keyword' });
    const { highlights, matched_fields } = results[0]!;
    expect(matched_fields).toEqual(expect.arrayContaining(['title', 'content']));
    const marked = highlights.flatMap(({ text, matches }) =>
      matches.map(([start, end]) => text.slice(start, end)),
    );
    expect(new Set(marked)).toEqual(new Set(['Nginx', '跨域']));
  });

  it('S0.3 finds a document by the title of its front matter, too, where it goes by its H1', async () => {
    const text =
      '---\ntitle: Storage almanac\n---\n\n# Volumes\n\nThey keep files.\n\n## Claims\n\nA pod asks.\n';
    const library = await smallLibrary([
      { name: 'volumes.md', text },
      { name: 'same.md', text: '---\ntitle: Pods\n---\n\n# Pods\n\nThey run.\n' },
    ]);
    const ask = (query: string) => search({ backend: library, embedder: null }, { query, mode: 'keyword' });
    for (const query of ['almanac', '"storage almanac"']) {
      const { results } = await ask(query);
      expect(results.map(({ item }) => item.title)).toEqual(['Volumes']);
      expect(results[0]!.matched_chunks).toMatchObject([{ chunk_index: 0, title_path: ['Volumes'] }]);
    }
    expect((await ask('almanac -almanac')).results).toEqual([]);
    // A title that stands in the document anyway is not counted twice.
    const [pods] = await library.chunksOf(idOf('same.md'));
    expect(pods!.metadata).not.toHaveProperty('other_title');
  });

  it('S2.8 ranks short documents as whole-document search does', async () => {
    const vocabulary = ['wing', 'flow', 'boundary', 'layer', 'heat', 'shock', 'plate', '流体', '边界'];
    const text = fc
      .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 20 })
      .map((list) => list.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 12 }), text, async (texts, query) => {
        const backend = await smallLibrary(texts.map((body, at) => ({ name: `d${at}.txt`, text: body })));
        const asked = { query, mode: 'keyword', limit: 0, explain: true } as const;
        const { results } = await search(words(backend), asked);
        const expected = wholeDocumentScores(texts, query);
        for (const { item, matched_chunks } of results) {
          expect(matched_chunks).toHaveLength(1);
          expect(matched_chunks[0]?.explain?.[0]?.score).toBeCloseTo(expected.get(item.id)!, 9);
        }
        expect(results).toHaveLength(expected.size);
        const scores = results.map(({ relevance_score }) => relevance_score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
      { numRuns: 40 },
    );
  });

  it('B3 scores are from 0 to 1 in every mode, best first, and min_score leaves out what is below', async () => {
    const texts = [
      'a fast car',
      'the car of a doctor',
      'a recipe for rain',
      'money and tax',
      'fast fast car',
    ];
    const backend = await smallLibrary(texts.map((text, at) => ({ name: `d${at}.txt`, text })));
    await embedAll(backend);
    const parts = { backend, embedder: meaningEmbedder };
    for (const mode of SEARCH_MODES) {
      const { results } = await search(parts, { query: 'fast car', mode });
      const scores = results.flatMap(({ matched_chunks }) => matched_chunks.map(({ score }) => score));
      expect(scores.length, mode).toBeGreaterThan(1);
      expect(
        scores.every((score) => score >= 0 && score <= 1),
        mode,
      ).toBe(true);
      expect(scores, mode).toEqual([...scores].sort((a, b) => b - a));
      const above = await search(parts, { query: 'fast car', mode, min_score: scores[0]! });
      expect(above.results.flatMap(({ matched_chunks }) => matched_chunks.map(({ score }) => score))).toEqual(
        scores.filter((score) => score >= scores[0]!),
      );
    }
    await expect(search(parts, { query: 'car', min_score: 50 })).rejects.toThrow(
      'min_score must be from 0 to 1',
    );
  });

  it('B9 a word behind a minus keeps passages out, in every mode, and the answer says so', async () => {
    const texts = [
      'a fast car',
      'a quick car with a doctor',
      'fast cars and doctors',
      '快 汽车',
      '医生 的 汽车',
    ];
    const backend = await smallLibrary(texts.map((text, at) => ({ name: `d${at}.txt`, text })));
    await embedAll(backend);
    const found = async (query: string, mode: SearchMode) => {
      const { results, notices } = await search({ backend, embedder: meaningEmbedder }, { query, mode });
      return { texts: results.map(({ matched_chunks }) => matched_chunks[0]!.content), notices };
    };
    for (const mode of SEARCH_MODES) {
      for (const query of ['car -doctor', '-doctor car', 'car -"a doctor" -doctor']) {
        const { texts: kept, notices } = await found(query, mode);
        expect(kept.length, `${mode} ${query}`).toBeGreaterThan(0);
        expect(kept.join(), `${mode} ${query}`).not.toMatch(/doctor/);
        expect(notices, query).toContain('Without passages that hold "doctor".');
      }
      expect((await found('汽车 -医生', mode)).texts.join(), mode).not.toContain('医生');
      expect((await found('car -"a doctor"', mode)).texts.join(), mode).not.toContain('with a doctor');
    }
    // An option of a command, or a minus inside a question, is no exclusion; neither is one that leaves nothing to look for.
    for (const query of ['car -d', 'what does car -doctor mean', '-doctor', 'car --doctor']) {
      expect((await found(query, 'keyword')).notices, query).toEqual([]);
    }
  });

  it('S2.5 ranks by TF-IDF cosine, and forgets a removed document', async () => {
    const backend = await smallLibrary([
      { name: 'a.txt', text: 'apple apple banana' },
      { name: 'b.txt', text: 'apple cherry cherry cherry' },
      { name: 'c.txt', text: 'durian' },
    ]);
    const ask = async () => (await search(words(backend), { query: 'apple banana', mode: 'tfidf' })).results;
    const before = await ask();
    expect(before.map(({ item }) => item.source_path)).toEqual(['a.txt', 'b.txt']);
    for (const { relevance_score } of before) expect(relevance_score).toBeLessThanOrEqual(1);
    await backend.commit({ remove: [idOf('a.txt')] });
    expect((await ask()).map(({ item }) => item.source_path)).toEqual(['b.txt']);
  });

  it('S4.7 is hybrid by default: finds by meaning what no word finds, widened within the document, each hit cited', async () => {
    const backend = await smallLibrary([GUIDE, CARS, CLINIC]);
    await embedAll(backend);
    const { mode, results } = await search(
      { backend, embedder: meaningEmbedder },
      { query: 'car', explain: true },
    );
    expect(mode).toBe('hybrid');
    expect(results[0]!.item.title).toBe('Engines');
    for (const { item, matched_chunks, context_chunks } of results) {
      const own = new Set((await backend.chunksOf(item.id)).map(({ id }) => id));
      for (const { chunk_id } of context_chunks) expect(own.has(chunk_id)).toBe(true);
      for (const { citation, title_path, loc } of matched_chunks) {
        expect(citation).toMatchObject({ doc_id: item.id, title_path, loc });
      }
    }
    expect(results[0]!.matched_chunks[0]!.explain).toEqual([
      expect.objectContaining({ channel: 'meaning', rank: 1 }),
      expect.objectContaining({ channel: 'document', rank: 1 }),
    ]);
  });

  it('S4.7 of two passages with the same words and meaning, the one that has the words together is first', async () => {
    const filler = 'Here is something else that nobody has asked about at this time of the day. ';
    const apart = `Backups need room. ${filler.repeat(9)}They are scheduled. ${filler.repeat(9)}`;
    const together = `Backups are scheduled and they need room. ${filler.repeat(18)}`;
    const backend = await smallLibrary(
      [
        { name: 'a.txt', text: apart },
        { name: 'b.txt', text: together },
      ],
      { max: 4_000 },
    );
    await embedAll(backend);
    const parts = { backend, embedder: meaningEmbedder };
    const { results } = await search(parts, { query: 'scheduled backups', explain: true });
    expect(results.map(({ item }) => item.source_path)).toEqual(['b.txt', 'a.txt']);
    const [first, second] = results.map(({ matched_chunks }) =>
      matched_chunks[0]!.explain!.find(({ channel }) => channel === 'together'),
    );
    expect(first).toMatchObject({ rank: 1, score: 1 });
    expect(second!.score).toBeLessThan(1);
  });

  it('S4.7 goes on by words where there is no model or no vector, and says so once', async () => {
    const backend = await smallLibrary([CARS]);
    for (const embedder of [null, meaningEmbedder]) {
      const parts = { backend, embedder, on_demand_ms: 0 };
      const { mode, results, notices } = await search(parts, { query: 'automobile' });
      expect(mode).toBe('keyword');
      expect(results).toHaveLength(1);
      expect(notices).toHaveLength(1);
      expect(notices[0]).toMatch(/by words only/);
    }
    await expect(search(words(backend), { query: 'automobile', mode: 'vector' })).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
    });
  });

  it('S4.7 embeds the best candidates on demand while vectors are missing, keeps them, and says so', async () => {
    const backend = await smallLibrary([
      { name: 'a.md', text: '# A\n\nA quick note on the red thing in the yard.\n' },
      { name: 'b.md', text: '# B\n\nThe automobile in the yard is a red thing.\n' },
      CLINIC,
    ]);
    const parts = { backend, embedder: meaningEmbedder };
    const { mode, results, notices } = await search(parts, {
      query: 'car: the red thing in the yard',
      explain: true,
    });
    expect(mode).toBe('hybrid');
    expect(results[0]!.item.title).toBe('B');
    expect(results[0]!.matched_chunks[0]!.explain!.map(({ channel }) => channel)).toEqual([
      'words',
      'meaning',
      'document',
    ]);
    expect(notices).toEqual([expect.stringMatching(/cover 66 %.*2 of them made for this question/)]);
    const { embedded } = await backend.vectors.state();
    expect(embedded[meaningEmbedder.fingerprint]).toBe(2);
    const again = await search(parts, { query: 'vehicle' });
    expect(again.results[0]!.item.title).toBe('B');
  });

  it('S4.7 asks the model once for the same question', async () => {
    const backend = await smallLibrary([CARS]);
    await embedAll(backend);
    let asked = 0;
    const counting = {
      ...meaningEmbedder,
      embed: (...args: Parameters<typeof meaningEmbedder.embed>) => {
        asked++;
        return meaningEmbedder.embed(...args);
      },
    };
    for (const mode of ['hybrid', 'vector', 'hybrid'] as const) {
      await search({ backend, embedder: counting }, { query: 'a fast vehicle', mode });
    }
    expect(asked).toBe(1);
  });

  it('finds every chunk that holds a one- or two-character word with limit 0', async () => {
    const backend = await smallLibrary(
      [GUIDE, { name: 'trad.md', text: '# 監控\n\n監控系統收集指標，規則很多。' }],
      {
        min: 10,
        max: 60,
      },
    );
    const chunks = (await backend.chunksOf(idOf('guide.md'))).filter(({ content }) =>
      content.includes('规则'),
    );
    for (const query of ['规则', '規則', '规']) {
      const { results } = await search(words(backend), { query, mode: 'keyword', limit: 0 });
      const found = results.flatMap(({ matched_chunks }) => matched_chunks.map(({ chunk_id }) => chunk_id));
      expect(found).toEqual(expect.arrayContaining(chunks.map(({ id }) => id)));
      expect(results.map(({ item }) => item.source_path).sort()).toEqual(['guide.md', 'trad.md']);
    }
  });

  it('refuses an empty query and unknown options by name', async () => {
    const backend = await smallLibrary([CARS]);
    await expect(search(words(backend), { query: '  ' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(search(words(backend), { query: 'x', limit: -1 })).rejects.toThrow(/limit/);
    expect((await search(words(backend), { query: '？！', mode: 'keyword' })).results).toEqual([]);
  });
});

/** BM25 over the documents themselves, written out: title and text of a document are one unit. */
function wholeDocumentScores(texts: readonly string[], query: string): Map<string, number> {
  const units = texts.map((text, at) => unitWords(`d${at}`, text));
  const length = (unit: ReturnType<typeof unitWords>) => unit.body_length + TITLE_WEIGHT * unit.title_length;
  const mean = units.reduce((sum, unit) => sum + length(unit), 0) / units.length;
  const scores = new Map<string, number>();
  for (const { term, weight } of parseQuery(query).terms) {
    const df = units.filter((unit) => unit.terms.includes(term)).length;
    for (const [at, unit] of units.entries()) {
      const slot = unit.terms.indexOf(term);
      if (slot < 0) continue;
      const tf = unit.body[slot]! + TITLE_WEIGHT * unit.title[slot]!;
      const idf = Math.log(1 + (units.length - df + 0.5) / (df + 0.5));
      const part = (weight * idf * 2.2 * tf) / (tf + 1.2 * (0.25 + (0.75 * length(unit)) / mean));
      scores.set(idOf(`d${at}.txt`), (scores.get(idOf(`d${at}.txt`)) ?? 0) + part);
    }
  }
  return scores;
}
