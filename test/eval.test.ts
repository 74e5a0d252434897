import { describe, expect, it } from 'vitest';
import { folder } from './strata.js';

const lines = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('strata eval', () => {
  it('B7 --no-titles leaves the titles out, also of a library that was kept with them', async () => {
    // A name that no dictionary translates: only a title can give the answer away.
    const here = folder({
      'set/corpus.jsonl': lines(
        { _id: 'a', title: 'Vyrdonix', text: '蒸汽机把热能变成机械能。' },
        { _id: 'b', title: 'Telescope', text: '望远镜用来观察远处的物体。' },
      ),
      'set/queries.jsonl': lines({ _id: 'q', text: 'vyrdonix' }),
      'set/qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq\ta\t1\n',
    });
    const rows = async (...flags: string[]) =>
      (await here.strata('eval', 'set', '--mode', 'keyword', '--library', 'kept', '--json', ...flags)).json();
    expect(await rows()).toMatchObject([{ set: 'set', mode: 'keyword', queries: 1, hit_1: 1 }]);
    expect(await rows('--no-titles')).toMatchObject([{ queries: 1, documents: 2, hit_1: 0 }]);
    expect(await rows()).toMatchObject([{ hit_1: 1 }]);
  });
});
