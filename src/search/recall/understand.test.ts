import { describe, expect, it } from 'vitest';
import { readGlossary } from '../../text/translate/glossary.js';
import { search } from '../search.js';
import { smallLibrary } from '../small-library.suite.js';

const WARSAW = {
  name: 'warsaw.md',
  text: '# 华沙\n\n华沙大学建于一八一六年，是波兰最大的大学，有五万名学生。\n',
};
const BRIDGE = {
  name: 'bridge.md',
  text: '# 大桥\n\n南京长江大桥在一九六八年建成通车，是长江上的一座桥。\n',
};
const BREAD = { name: 'bread.md', text: '# 面包\n\n面粉、水和盐揉成面团，放在温暖的地方发酵一个小时。\n' };
const CHINESE = [WARSAW, BRIDGE, BREAD];
const ENGLISH = [
  { name: 'oven.md', text: '# Bread\n\nThe dough of flour and water is left to rise for an hour.\n' },
  { name: 'school.md', text: '# Schools\n\nThe university of Warsaw is the largest in the country.\n' },
];
const POD = {
  name: 'pod.md',
  text: '# Cluster\n\nKubernetes restarts the container when the probe fails.\n',
};

const ask = async (
  documents: Parameters<typeof smallLibrary>[0],
  query: string,
  glossary?: ReturnType<typeof readGlossary>,
) => {
  const parts = { backend: await smallLibrary(documents), embedder: null, ...(glossary && { glossary }) };
  return search(parts, { query, mode: 'keyword', explain: true });
};

describe('words across languages', () => {
  it('B13 an English question finds the Chinese passage by words alone, and says how', async () => {
    const answer = await ask(CHINESE, 'How many students has the University of Warsaw?');
    const [best] = answer.results;
    expect(best!.item.source_path).toBe('warsaw.md');
    expect(answer.weak).toBeUndefined();
    const warsaw = answer.translations!.find(({ from }) => from === 'Warsaw');
    expect(warsaw!.to).toContain('华沙');
    const { text, matches } = best!.highlights.find(({ field }) => field === 'content')!;
    const marked = matches.map(([start, end]) => text.slice(start, end)).join(' ');
    expect(marked).toMatch(/华沙/);
    expect(marked).toMatch(/学生/);
    expect(best!.matched_chunks[0]!.best_sentence).toBeDefined();
  });

  it('B13 a Chinese question finds the English passage, in traditional characters too', async () => {
    for (const query of ['面团要发酵多久？', '麵團要發酵多久？']) {
      const answer = await ask(ENGLISH, query);
      expect(answer.results[0]!.item.source_path).toBe('oven.md');
    }
  });

  it('B13 tables and short notes without function words speak a language too', async () => {
    const ports = '# 部署\n\n| 服务 | 端口 |\n| --- | --- |\n| 数据库 | 5432 |\n| 缓存 | 6379 |\n';
    for (const query of ['database port', 'port 5432']) {
      const answer = await ask([{ name: 'ports.md', text: ports }], query);
      expect(answer.results[0]?.item.source_path).toBe('ports.md');
      expect(answer.weak).toBeUndefined();
    }
  });

  it('B13 one word in another language is no typing error', async () => {
    const answer = await ask(ENGLISH, '大学');
    expect(answer.results[0]!.item.source_path).toBe('school.md');
    expect(answer.suggestion).toBeUndefined();
  });

  it('B13 a library that answers in the question’s own language is not asked in another', async () => {
    const both = [...CHINESE, ...ENGLISH];
    const own = await ask(both, '华沙大学有多少名学生');
    expect(own.translations).toBeUndefined();
    expect(own.results[0]!.item.source_path).toBe('warsaw.md');
    const other = await ask(both, 'When was the Yangtze bridge at Nanjing finished?');
    expect(other.results[0]!.item.source_path).toBe('bridge.md');
  });

  it('B13 quotes ask for what is written', async () => {
    expect((await ask(CHINESE, '"university"')).results).toEqual([]);
  });
});

describe('a glossary', () => {
  const glossary = readGlossary('k8s\tKubernetes\n发面\t发酵\nrise\tbanana\n', 'strata.glossary.tsv');

  it('B13 makes a term found that was not, within a language and across', async () => {
    const library = [POD, ...ENGLISH];
    expect((await ask(library, 'k8s')).results).toEqual([]);
    const found = await ask(library, 'k8s', glossary);
    expect(found.results[0]!.item.source_path).toBe('pod.md');
    expect(found.translations).toEqual([{ from: 'k8s', to: ['Kubernetes'] }]);
    const chinese = await ask(CHINESE, '发面', glossary);
    expect(chinese.results[0]!.item.source_path).toBe('bread.md');
    const across = readGlossary('Nebelwerk\t温暖的地方\n', 'g.tsv');
    expect((await ask(CHINESE, 'Nebelwerk')).results).toEqual([]);
    expect((await ask(CHINESE, 'Nebelwerk', across)).results[0]!.item.source_path).toBe('bread.md');
  });

  it('B13 a wrong line does not hurt other questions', async () => {
    for (const query of ['dough of flour', 'university in the country', 'container probe']) {
      const [plain, glossed] = [
        await ask([POD, ...ENGLISH], query),
        await ask([POD, ...ENGLISH], query, glossary),
      ];
      expect(glossed).toEqual(plain);
    }
    const wrong = await ask(ENGLISH, 'how long does the dough rise', glossary);
    expect(wrong.results[0]!.item.source_path).toBe('oven.md');
  });

  it('B13 what is wrong with it stands on the answer', async () => {
    const broken = readGlossary('alone\n', 'strata.glossary.tsv');
    expect((await ask(ENGLISH, 'dough', broken)).notices).toEqual([
      'strata.glossary.tsv:1: a line is a term, a tab, and a translation or synonym',
    ]);
  });
});
