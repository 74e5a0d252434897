import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluate, type QueryRow } from './evaluate.js';
import { scoreHits, scoreRanking } from './metrics.js';

let folder: string;
const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-eval-test-'));
  await mkdir(join(folder, 'graded'));
  await writeFile(
    join(folder, 'graded', 'corpus.jsonl'),
    lines([
      { _id: 'd1', title: 'Wings', text: 'Lift of a wing in supersonic flow.' },
      { _id: 'd2', title: 'Heat', text: 'Heat transfer to a flat plate.' },
      { _id: 'd3', title: '', text: '机翼的升力与阻力。' },
    ]),
  );
  await writeFile(
    join(folder, 'graded', 'queries.jsonl'),
    lines([
      { _id: 'q1', text: 'supersonic wing' },
      { _id: 'q2', text: '升力' },
      { _id: 'q3', text: 'never judged' },
    ]),
  );
  await writeFile(
    join(folder, 'graded', 'qrels.tsv'),
    'query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td3\t1\nq2\td1\t0\n',
  );
  await mkdir(join(folder, 'spans'));
  const paragraph = (text: string): string => `${text} ${'Nothing of interest stands here. '.repeat(30)}`;
  await writeFile(
    join(folder, 'spans', 'docs.jsonl'),
    lines([
      {
        _id: 'x/a',
        title: 'A',
        text: `${paragraph('The red key opens the gate.')}\n\n${paragraph('The blue key opens the box.')}`,
      },
      { _id: 'x/b', title: 'B', text: 'The green key opens the box.' },
      { _id: 'y/c', title: 'C', text: 'The blue key is lost.' },
    ]),
  );
  const query = { _id: 's1', text: 'What opens the box?', article_id: 'a', answer_texts: ['blue key opens'] };
  await writeFile(join(folder, 'spans', 'queries.jsonl'), lines([{ ...query, article_id: 'x/a' }]));
  await writeFile(join(folder, 'spans', 'others.jsonl'), lines([query]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const words = { modes: ['keyword', 'tfidf'], library: { embedder: 'none' } } as const;

describe('evaluate', () => {
  it('B7 measures a set in BEIR form, a row a mode, judged queries only', async () => {
    const asked: QueryRow[] = [];
    const rows = await evaluate([join(folder, 'graded')], { ...words, onQuery: (row) => asked.push(row) });
    expect(rows.map(({ set, mode, queries }) => [set, mode, queries])).toEqual([
      ['graded', 'keyword', 2],
      ['graded', 'tfidf', 2],
    ]);
    expect(rows[0]!.difference).toBeUndefined();
    expect(rows[1]!.difference).toMatchObject({
      metric: 'ndcg_10',
      mode: 'keyword',
      mean: 0,
      low: 0,
      high: 0,
    });
    expect(rows[0]).toMatchObject({
      ndcg_10: 1,
      recall_10: 1,
      mrr_10: 1,
      hit_1: 1,
      hit_5: 1,
      documents: 3,
      chunks: 3,
    });
    expect(asked.map(({ query_id, ranking }) => [query_id, ranking[0]])).toContainEqual(['q2', 'd3']);
  });

  it('B7 measures a set in answer-span form: a passage of the right document that holds the answer', async () => {
    const [everywhere] = await evaluate([join(folder, 'spans')], { ...words, modes: ['keyword'] });
    expect(everywhere).toMatchObject({ hit_1: 0, hit_5: 1, recall_100: 1 });
    const [inside] = await evaluate([join(folder, 'spans')], { ...words, modes: ['keyword'], inside: true });
    expect(inside).toMatchObject({ hit_1: 1, mrr_10: 1 });
    expect(inside!.mean_chunk_length).toBeGreaterThan(100);
  });

  it('B7 an empty question counts as not answered, and the rest is measured', async () => {
    const set = join(folder, 'spans-with-empty');
    await mkdir(set);
    const queries = (await readFile(join(folder, 'spans', 'queries.jsonl'), 'utf8')).trim();
    const [first] = queries.split('\n');
    const empty = JSON.stringify({ ...JSON.parse(first!), _id: 'empty', text: ' ' });
    await writeFile(join(set, 'queries.jsonl'), `${queries}\n${empty}\n`);
    await copyFile(join(folder, 'spans', 'docs.jsonl'), join(set, 'docs.jsonl'));
    const [measured] = await evaluate([set], { ...words, modes: ['keyword'] });
    const [without] = await evaluate([join(folder, 'spans')], { ...words, modes: ['keyword'] });
    expect(measured!.queries).toBe(without!.queries + 1);
    expect(measured!.hit_5 * measured!.queries).toBeCloseTo(without!.hit_5 * without!.queries);
  });

  it('B7 takes questions and documents from other files, and part of the documents', async () => {
    const [row] = await evaluate([folder], {
      ...words,
      modes: ['keyword'],
      queries: join(folder, 'spans', 'others.jsonl'),
      docs: join(folder, 'spans', 'docs.jsonl'),
      doc_prefix: 'x/',
      titles: false,
    });
    expect(row).toMatchObject({ set: 'others', documents: 2, hit_5: 1 });
  });

  it('B7 the standard BEIR layout is read: qrels/test.tsv with its heading line', async () => {
    const set = join(folder, 'standard');
    await mkdir(join(set, 'qrels'), { recursive: true });
    for (const name of ['corpus.jsonl', 'queries.jsonl'])
      await copyFile(join(folder, 'graded', name), join(set, name));
    await copyFile(join(folder, 'graded', 'qrels.tsv'), join(set, 'qrels', 'test.tsv'));
    const measured = await evaluate([set], { ...words, modes: ['keyword'] });
    expect(measured).toMatchObject([{ set: 'standard', queries: 2, documents: 3, ndcg_10: 1 }]);
  });

  it('B7 says what is wrong with a set', async () => {
    await expect(evaluate([join(folder, 'nowhere')], words)).rejects.toMatchObject({ code: 'FILE_MISSING' });
    await mkdir(join(folder, 'broken'), { recursive: true });
    await writeFile(join(folder, 'broken', 'docs.jsonl'), '{"_id": 1,\n');
    await writeFile(join(folder, 'broken', 'queries.jsonl'), '');
    await expect(evaluate([join(folder, 'broken')], words)).rejects.toThrow(/line 1/);
  });
});

describe('metrics', () => {
  it('B7 nDCG uses the grades and the ideal order of what was judged', () => {
    const grades = new Map([
      ['a', 3],
      ['b', 1],
      ['c', 0],
    ]);
    const ideal = 3 + 1 / Math.log2(3);
    expect(scoreRanking(['a', 'b'], grades).ndcg_10).toBeCloseTo(1, 12);
    expect(scoreRanking(['b', 'c', 'a'], grades).ndcg_10).toBeCloseTo((1 + 3 / 2) / ideal, 12);
    expect(scoreRanking(['c', 'x', 'b'], grades)).toMatchObject({
      hit_1: 0,
      hit_5: 1,
      recall_10: 0.5,
      mrr_10: 1 / 3,
    });
    expect(scoreRanking([], grades)).toMatchObject({ ndcg_10: 0, recall_100: 0, mrr_10: 0 });
  });

  it('B7 hits count the first passage that holds the answer', () => {
    expect(scoreHits([false, false, true, true])).toMatchObject({
      hit_1: 0,
      hit_5: 1,
      mrr_10: 1 / 3,
      ndcg_10: 0.5,
    });
    expect(scoreHits([...Array(20).fill(false), true])).toMatchObject({
      recall_10: 0,
      recall_100: 1,
      ndcg_10: 0,
    });
    expect(scoreHits([])).toMatchObject({ recall_100: 0, mrr_10: 0 });
  });
});
