import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { expectSoundTree } from '../tree.suite.js';
import { csvParser } from './csv.js';

const parse = async (text: string, name = 'a.csv'): Promise<Tree> => {
  const tree = await csvParser({ bytes: Buffer.from(text), name, limits: DEFAULT_LIMITS });
  expectSoundTree(tree);
  expect(tree.text).toBe(text.replace(/\r\n?/g, '\n'));
  return tree;
};

/** The table's rows as it may be cut: the first with the header and the first row below it. */
const parts = (tree: Tree): string[] => {
  const block = tree.blocks[0]!;
  const edges = [block.start, ...(block.cuts ?? []), block.end];
  return edges.slice(1).map((end, at) => tree.text.slice(edges[at], end).trimEnd());
};

describe('csv', () => {
  it('is one table that may be cut between rows, with its header', async () => {
    const tree = await parse('name,note\nweb,"two\nlines, and ""quotes"""\n\ndb,x\n缓存,y\n');
    const block = tree.blocks[0]!;
    expect(block.type).toBe('table');
    expect(tree.text.slice(block.header!.start, block.header!.end)).toBe('name,note');
    expect(parts(tree)).toEqual(['name,note\nweb,"two\nlines, and ""quotes"""', 'db,x', '缓存,y']);
    expect(tree.metadata).toEqual({ rows: 3 });
  });

  it('finds the delimiter, and has no header where the first row is data', async () => {
    expect(parts(await parse('a;b\n1;2\n3;4\n'))).toEqual(['a;b\n1;2', '3;4']);
    expect(parts(await parse('a\tb\n1\t2\n3\t4\n', 'a.tsv'))).toEqual(['a\tb\n1\t2', '3\t4']);
    const data = await parse('1,2\n3,4\n');
    expect(data.blocks[0]!.header).toBeUndefined();
    expect(parts(data)).toEqual(['1,2', '3,4']);
  });

  it('never cuts inside a quoted cell', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '词', ' '), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 2, maxLength: 8 }), async (rows) => {
        const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const lines = rows.map((row) => row.map(quote).join(','));
        const tree = await parse(`${lines.join('\n')}\n`);
        const starts = lines.map((_, at) => lines.slice(0, at).join('\n').length + (at > 0 ? 1 : 0));
        for (const cut of tree.blocks[0]?.cuts ?? []) expect(starts).toContain(cut);
      }),
    );
  });

  it('is no table without columns', async () => {
    await expect(parse('one\ntwo\nthree\n')).rejects.toMatchObject({ code: 'CORRUPT' });
    expect((await parse('')).blocks).toEqual([]);
  });
});
