import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../embed/embedder.js';
import { SEARCH_MODES } from '../../model/result.js';
import type { Backend } from '../../store/backend.js';
import { analyze } from '../../text/analyze.js';
import { checkOptions } from '../options.js';
import { understand } from '../recall/understand.js';
import { scout } from '../scout.js';
import { search } from '../search.js';
import { embedAll, meaningEmbedder, smallLibrary } from '../small-library.suite.js';
import { type Evidence, verdictOf, wordEvidence } from './evidence.js';

const DIMENSIONS = 4_096;

/** Beside the few meanings that it knows, a text is what its words are: texts without a word in common are far apart. */
const wordEmbedder: Embedder = {
  ...meaningEmbedder,
  id: 'test:words',
  dimensions: meaningEmbedder.dimensions + DIMENSIONS,
  fingerprint: 'test:words:1',
  embed: async (texts, ...rest) => {
    const meanings = await meaningEmbedder.embed(texts, ...rest);
    return texts.map((text, at) => {
      const vector = new Float32Array(meaningEmbedder.dimensions + DIMENSIONS);
      vector.set(meanings[at]!.subarray(0, -1).map((value) => value * 2));
      for (const { term, kind } of analyze(text)) {
        if (kind === 'stop') continue;
        let hash = 7;
        for (const unit of term) hash = (hash * 31 + unit.codePointAt(0)!) % 65_521;
        vector[meaningEmbedder.dimensions + (hash % DIMENSIONS)]! += 0.5;
      }
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    });
  },
};

const note = (name: string, text: string) => ({ name: `${name}.md`, text: `# ${name}\n\n${text}\n` });
const DOCUMENTS = [
  note('Volumes', 'A persistent volume keeps its files when the pod that wrote them is gone.'),
  note('Pods', 'A pod is terminated when its grace period is over. Termination sends a signal first.'),
  note('Copyright', 'A work is protected from the day on which its author has written it down.'),
  note('Engines', 'The automobile has four wheels and a combustion engine under the hood.'),
  note('Clinic', 'A physician sees patients on weekdays from nine to five in the old building.'),
  note('Ports', 'The server listens on port 5432 and refuses connections from elsewhere.'),
  note('运维', '数据库每天夜里备份一次，备份保存三十天。恢复之前先停止写入。'),
  note('基金', '投资者按份额分配收益，请准备好身份证件。'),
  note('监控', '指标由系统收集，告警规则放在文件夹中，每五分钟抓取一次。'),
  note('网络', '浏览器拒绝跨域请求时，检查反向代理的响应头。'),
];

let backend: Backend;
beforeAll(async () => {
  backend = await smallLibrary(DOCUMENTS);
  await embedAll(backend, wordEmbedder);
});
const ask = (query: string, more: object = {}) =>
  search({ backend, embedder: wordEmbedder }, { query, ...more });
const titles = async (query: string, more: object = {}) =>
  (await ask(query, more)).results.map(({ item }) => item.title);

describe('evidence', () => {
  it.each(SEARCH_MODES)('B12 nonsense finds nothing by %s, and the answer says so', async (mode) => {
    for (const query of ['asdkfjhaskdjfh', 'zxmcnvb qpwoei', '桥绿再苹份', '魑夔耄囹']) {
      const { results, notices, suggestion } = await ask(query, { mode });
      expect([query, results]).toEqual([query, []]);
      expect(suggestion).toBeUndefined();
      if (mode === 'hybrid' || mode === 'vector') expect(notices.join()).toMatch(/Nothing here answers/);
    }
  });

  it.each(SEARCH_MODES)(
    'B12 a typing error finds nothing by %s but the word as the library writes it',
    async (mode) => {
      const cases = {
        presistent: 'persistent',
        terminatoin: 'Termination',
        phisician: 'physician',
        备粉: '备份',
        鲸份: '备份',
        数聚库: '数据库',
      };
      for (const [query, suggestion] of Object.entries(cases)) {
        expect(await ask(query, { mode })).toMatchObject({ results: [], suggestion });
      }
    },
  );

  it('B12 a Chinese word with a wrong character may be found by its others: weak, with what was meant', async () => {
    const cases = { 书据库: '数据库', 数据裤: '数据库', 数库据: '数据库', 份备: '备份' };
    for (const [query, meant] of Object.entries(cases)) {
      for (const mode of SEARCH_MODES) {
        const { results, weak, suggestion } = await ask(query, { mode });
        expect([query, mode, suggestion]).toEqual([query, mode, meant]);
        expect(results.length === 0 || weak).toBe(true);
      }
    }
    // Two words that the library writes apart are no error.
    expect(await ask('备份恢复', { mode: 'keyword' })).not.toHaveProperty('weak');
  });

  it('B12 a Chinese word is not found by one of its characters', async () => {
    expect(await titles('备份', { mode: 'keyword' })).toEqual(['运维']);
    expect(await titles('备份 策略', { mode: 'keyword' })).toEqual(['运维']);
    expect(await titles('备份 策略', { mode: 'tfidf' })).toEqual(['运维']);
    // Asked for by itself, a character is a word.
    expect((await titles('备', { mode: 'keyword' })).sort()).toEqual(['基金', '运维']);
  });

  it('B12 questions about other things are refused, in both languages; those with an answer are not', async () => {
    for (const query of ['which yarn is softest for a baby blanket', '红烧肉怎么做才不腻']) {
      expect([query, await titles(query)]).toEqual([query, []]);
    }
    const answered = {
      'when is a pod terminated': 'Pods',
      'a fast vehicle with an engine': 'Engines',
      doctor: 'Clinic',
      数据库怎么备份: '运维',
    };
    for (const [query, title] of Object.entries(answered)) {
      const answer = await ask(query);
      expect([query, answer.results[0]?.item.title, answer.weak]).toEqual([query, title, undefined]);
    }
  });

  it('B12 inside a document that the caller names, a question is answered as well as it can be, and said to be weak', async () => {
    const [engines] = await backend.documents({ limit: 1, filter: { path: 'Engines.md' } });
    const question = 'which yarn is softest for a baby blanket';
    const inside = { filter: { doc_ids: [engines!.id] } };
    for (const mode of ['hybrid', 'vector'] as const) {
      const { results, weak } = await ask(question, { mode, ...inside });
      expect([mode, results.map(({ item }) => item.title), weak]).toEqual([mode, ['Engines'], true]);
    }
    // What is no question still finds nothing.
    expect((await ask('zxmcnvb qpwoei', inside)).results).toEqual([]);
  });

  it('B12 what holds little of the question is marked weak, for people and agents', async () => {
    const query = 'wooden furniture workshop with varnish, glue, resin and sawdust in an old building';
    for (const answer of [await ask(query), await ask(query, { mode: 'keyword' })]) {
      expect(answer.weak).toBe(true);
      expect(answer.results[0]!.item.title).toBe('Clinic');
    }
    expect((await scout({ backend, embedder: wordEmbedder }, { query })).weak).toBe(true);
  });

  it.each(['hybrid', 'vector'] as const)('B12 by %s each hit has evidence of its own', async (mode) => {
    expect(await titles('恢复', { mode })).toEqual(['运维']);
    expect(await titles('doctor', { mode })).toEqual(['Clinic']);
    // A word of the question is evidence, though its passage is far; so it is in the words' own channel only.
    const both = await titles('physician or automobile', { mode });
    expect(both.sort()).toEqual(['Clinic', 'Engines']);
  });

  it('B12 a sentence of unknown words is found by characters, and said to be weak; a word is not', async () => {
    const { results, weak } = await ask('告示怎么写', { mode: 'keyword' });
    expect(results.map(({ item }) => item.title).sort()).toEqual(['监控', '运维']);
    expect(weak).toBe(true);
    expect(await titles('告示', { mode: 'keyword' })).toEqual([]);
  });

  it('B12 nonsense in the script of another language is refused; a question in that language is weak', async () => {
    const isChinese = ({ name }: { name: string }) => /\p{Script=Han}/u.test(name);
    const ofLanguage = async (chinese: boolean) => {
      const only = await smallLibrary(DOCUMENTS.filter((one) => isChinese(one) === chinese));
      await embedAll(only, wordEmbedder);
      return (query: string) => search({ backend: only, embedder: wordEmbedder }, { query });
    };
    const [askChinese, askEnglish] = [await ofLanguage(true), await ofLanguage(false)];
    expect((await askChinese('zxmcnvb qpwoei')).results).toEqual([]);
    expect((await askEnglish('米句船蓝问草足')).results).toEqual([]);
    expect((await askChinese('how are woollen sweaters washed')).weak).toBe(true);
    expect((await askEnglish('羊毛衫怎么洗')).weak).toBe(true);
  });

  it('B12 one word in common is less of an answer in a large library, and of a short question', () => {
    const standing = { lift: 0.3, is_foreign: false, floor: 0, background: [] };
    const some = { covered: 0.25, known: 1, standing, is_sentence: true, is_strange: false };
    expect(verdictOf({ ...some, words: 4, passages: 50 })).toBe('clear');
    expect(verdictOf({ ...some, words: 4, passages: 5_000 })).toBe('weak');
    expect(verdictOf({ ...some, words: 10, passages: 5_000 })).toBe('clear');
  });

  it('B12 between translated words a lone character is no evidence, but a part of the question', async () => {
    const library = await smallLibrary([
      note(
        'Tables',
        'The black table of the hall is where the book is, and it is made of the wood of an oak.',
      ),
      note('茶叶', '茶叶要密封保存，不然就会受潮；把它放在阴凉的地方，不要和别的东西放在一起。'),
    ]);
    const request = checkOptions({ query: '书黑桌茶' });
    const query = await understand({ backend: library, embedder: null }, request, 'both');
    expect(query.concepts.length).toBeGreaterThan(0);
    const documents = await library.documents({ limit: 10 });
    const passages = (await Promise.all(documents.map(({ id }) => library.chunksOf(id)))).flat();
    expect(await wordEvidence(library, query, passages)).toEqual({ covered: 0, known: 0, words: 0 });
  });

  it('B9 the beginning of a word restricts by words and meaning as it does by words', async () => {
    for (const more of [{}, { mode: 'keyword' }]) {
      expect(await titles('terminat*', more)).toEqual(['Pods']);
      expect(await titles('terminat', { prefix: true, ...more })).toEqual(['Pods']);
      expect(await titles('zzzz*', more)).toEqual([]);
    }
  });

  it('B12 more evidence never makes an answer more doubtful', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const evidence = fc.record({
      covered: share,
      known: share,
      words: fc.integer({ min: 0, max: 30 }),
      standing: fc.option(
        fc.record({
          lift: share,
          is_foreign: fc.boolean(),
          floor: share,
          background: fc.constant([]),
        }),
      ),
      is_sentence: fc.boolean(),
      is_strange: fc.boolean(),
      passages: fc.integer({ min: 1, max: 100_000 }),
    });
    const level = (one: Evidence): number => ['none', 'weak', 'clear'].indexOf(verdictOf(one));
    fc.assert(
      fc.property(evidence, share, (one, more) => {
        expect(level({ ...one, covered: one.covered + more })).toBeGreaterThanOrEqual(level(one));
        const { standing } = one;
        if (standing === null) return;
        const nearer = { ...standing, lift: standing.lift + more };
        expect(level({ ...one, standing: nearer })).toBeGreaterThanOrEqual(level(one));
      }),
    );
  });
});
