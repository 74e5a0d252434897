import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { blockTexts, expectSoundTree, outline } from '../tree.suite.js';
import { jupyterParser } from './jupyter.js';

const parse = async (notebook: unknown): Promise<Tree> => {
  const bytes = Buffer.from(typeof notebook === 'string' ? notebook : JSON.stringify(notebook));
  const tree = await jupyterParser({ bytes, name: 'a.ipynb', limits: DEFAULT_LIMITS });
  expectSoundTree(tree);
  return tree;
};

describe('jupyter', () => {
  it('reads Markdown by headings, code as code, and what was printed', async () => {
    const tree = await parse({
      metadata: { kernelspec: { language: 'python' } },
      cells: [
        {
          cell_type: 'markdown',
          source: ['# Study\n', '\n', 'Of *foxes*.\n', '\n', '```\n', '# no heading\n'],
        },
        {
          cell_type: 'code',
          source: 'import x\n\nx.run()',
          outputs: [
            { output_type: 'stream', text: ['line 1\n', '\u001b[31mline 2\u001b[0m\n'] },
            { output_type: 'execute_result', data: { 'text/plain': '42', 'text/html': '<b>42</b>' } },
            {
              output_type: 'display_data',
              data: { 'text/plain': '<Figure size 640x480 with 1 Axes>', 'image/png': 'AAAA' },
            },
            { output_type: 'error', ename: 'ValueError', evalue: 'bad', traceback: ['…'] },
          ],
        },
        { cell_type: 'markdown', source: '## 结论\nDone.' },
        { cell_type: 'raw', source: 'raw text' },
      ],
    });
    expect(tree.title).toBe('Study');
    expect(outline(tree)).toEqual(['1 Study', '2 结论']);
    expect(blockTexts(tree)).toEqual([
      'paragraph: Of *foxes*.',
      'code: ```\n# no heading',
      'code: import x\n\nx.run()',
      'code: line 1\nline 2',
      'code: 42',
      'code: ValueError: bad',
      'paragraph: Done.',
      'paragraph: raw text',
    ]);
    expect(tree.blocks[2]!.lang).toBe('python');
    expect(tree.sections[1]!.parent).toBe(0);
  });

  it('cuts long output and says so', async () => {
    const tree = await parse({
      cells: [
        { cell_type: 'code', source: 'x', outputs: [{ output_type: 'stream', text: 'y'.repeat(9_000) }] },
      ],
    });
    expect(tree.text.length).toBeLessThan(5_000);
    expect(tree.warnings).toHaveLength(1);
  });

  it('reads the worksheets of version 3', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: 'Old' },
      { cell_type: 'code', input: ['a = 1'], outputs: [] },
    ];
    expect((await parse({ worksheets: [{ cells }] })).text).toBe('## Old\n\na = 1');
  });

  it('refuses what is no notebook', async () => {
    await expect(parse({ a: 1 })).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(parse('{')).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(parse('['.repeat(100_000))).rejects.toMatchObject({ code: 'LIMIT' });
  });
});
