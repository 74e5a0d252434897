import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { expectSoundTree, outline } from '../tree.suite.js';
import { yamlParser } from './yaml.js';

const parse = async (text: string): Promise<Tree> => {
  const tree = await yamlParser({ bytes: Buffer.from(text), name: 'a.yaml', limits: DEFAULT_LIMITS });
  expectSoundTree(tree);
  expect(tree.text).toBe(text);
  return tree;
};
const filler = (indent: string): string =>
  Array.from({ length: 60 }, (_, at) => `${indent}key${at}: a value of some length\n`).join('');

describe('yaml', () => {
  it('keeps the text and makes its large members sections with their pointer', async () => {
    const tree = await parse(
      `# About\nname: app\njobs:\n  # The test\n  test/a:\n${filler('    ')}  small: 1\nsteps:\n  - name: first\n${filler('    ')}  - short\nend: yes\n`,
    );
    expect(outline(tree)).toEqual(['1 jobs', '2 test/a', '1 steps', '2 0 first']);
    const row = (at: number): string => tree.text.slice(at, tree.text.indexOf('\n', at)).trim();
    expect(tree.sections.map(({ span }) => row(span.start))).toEqual([
      'jobs:',
      'test/a:',
      'steps:',
      '- name: first',
    ]);
    expect(tree.blocks.map(({ pointer }) => pointer)).toEqual([
      '',
      '/jobs',
      '/jobs/test~1a',
      '/jobs',
      '/steps',
      '/steps/0',
      '/steps',
      '',
    ]);
  });

  it('reads several documents as parts', async () => {
    const tree = await parse(`kind: Service\n${filler('')}---\nkind: Deployment\n${filler('')}`);
    expect(outline(tree)).toEqual(['1 0 Service', '1 1 Deployment']);
  });

  it('expands no alias', async () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let at = 0; at < 20; at += 1) {
      const name = String.fromCharCode(98 + at);
      const before = String.fromCharCode(97 + at);
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`);
    }
    expect((await parse(bomb.join('\n'))).blocks).toHaveLength(1);
  });

  it('S2.4 keeps broken YAML as text and says so; gives LIMIT for what nests too deep', async () => {
    const broken = await parse('a: [1, 2\nb: {{ .Values.x }}\n');
    expect(broken.warnings[0]).toMatch(/^read without sections: no valid YAML: .*line 2$/);
    expect(broken.blocks).toHaveLength(1);
    await expect(parse('['.repeat(100_000))).rejects.toMatchObject({ code: 'LIMIT' });
    await expect(parse('- '.repeat(100_000))).rejects.toMatchObject({ code: 'LIMIT' });
  });
});
