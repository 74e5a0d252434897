import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { markdownDocuments } from '../../chunk/documents.suite.js';
import { normaliseText } from '../decode.js';
import { frontMatter, readFrontMatter } from './front-matter.js';
import { markdownStructure, markdownTree } from './markdown.js';

const FRONT: ('yaml' | 'toml')[] = ['yaml', 'toml'];

/** What mdast-util-from-markdown finds at the top level: [level, start] of headings, [start] of code and tables. */
function oracle(text: string) {
  const { children } = fromMarkdown(text, {
    extensions: [gfm(), frontmatter(FRONT)],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(FRONT)],
  });
  return {
    headings: children.flatMap((node) =>
      node.type === 'heading' ? [[node.depth, node.position!.start.offset!]] : [],
    ),
    code: children.flatMap((node) => (node.type === 'code' ? [node.position!.start.offset!] : [])),
    tables: children.flatMap((node) => (node.type === 'table' ? [node.position!.start.offset!] : [])),
  };
}

function own(text: string) {
  const { sections, blocks } = markdownStructure(text);
  return {
    headings: sections.map(({ level, heading }) => [level, heading.start]),
    code: blocks.flatMap(({ type, start }) => (type === 'code' ? [start] : [])),
    tables: blocks.flatMap(({ type, start }) => (type === 'table' ? [start] : [])),
  };
}

describe('Markdown', () => {
  it('S4.1 headings, code and tables are those of mdast on random documents', () => {
    fc.assert(
      fc.property(markdownDocuments, (source) => {
        // Micromark reads an unclosed front matter, and a list after indented code, in ways of its own.
        fc.pre(!source.startsWith('---\nopen') && !/^ {4}/m.test(source) && !source.includes('\0'));
        const text = normaliseText(source);
        expect(own(text)).toEqual(oracle(text));
      }),
      { numRuns: 120 },
    );
  });

  it.each([
    ['# a\n## b ##\n####### c\n#d\n'],
    ['a\n===\n\nb\n---\n\nc\nd\n===\n'],
    ['> # quoted\n\n- # listed\n\n# real\n'],
    ['```\n# a\n```\n# b\n~~~~\n# c\n~~~\n~~~~\n'],
    ['<!--\n# a\n-->\n# b\n<div>\n# c\n\n# d\n'],
    ['[x]: /u\nbar\n===\n\n[y]: /u\n---\n'],
    ['a | b\n- | -\n\nc | d\n--|--\n1 | 2\n# h\n'],
    ['- a\n\n  ```\n  # no\n  ```\n\n      code\n# h\n'],
    ['[^1]: note\n\n    # in note\n\n# h\n'],
    ['1. a\n2. b\n\n   c\n\n\td\n***\n# h\n'],
  ])('S4.1 agrees with mdast: %j', (text) => {
    expect(own(text)).toEqual(oracle(text));
  });

  it('titles are plain text', () => {
    const title = (source: string) => markdownStructure(source).sections[0]!.title;
    expect(title('# The `code` and **bold** [link](http://x "t") &amp; \\* ##\n')).toBe(
      'The code and bold link & *',
    );
    expect(title('## 节点控制器 {#node-controller}\n')).toBe('节点控制器 {#node-controller}');
    expect(title('# snake_case_name\n')).toBe('snake_case_name');
    expect(title('# [1.2.0]\n\n[1.2.0]: http://x\n')).toBe('1.2.0');
    expect(title(`# ${'long '.repeat(1000)}\n`).length).toBeLessThanOrEqual(400);
  });

  it('comments outside code are excluded, unclosed ones hide nothing', () => {
    const excluded = (text: string) =>
      markdownStructure(text).excluded.map(({ start, end }) => text.slice(start, end));
    expect(
      excluded('a <!-- b --> c\n\n<!--\nd\n-->\n\n- e <!-- f -->\n\n`<!-- g -->`\n\n```\n<!-- h -->\n```\n'),
    ).toEqual(['<!-- b -->', '<!--\nd\n-->', '<!-- f -->']);
    expect(excluded('text\n\n<!-- open\n\nmore\n')).toEqual([]);
  });

  it('front matter becomes metadata, whatever it is written in; broken front matter is a warning', async () => {
    const yaml = await markdownTree(
      '---\ntitle: 标题\ntags: [a, "b"]\nweight: 10\nnested:\n  key: {x: 1}\n---\n\ntext\n',
    );
    expect(yaml).toMatchObject({
      title: '标题',
      metadata: { title: '标题', tags: ['a', 'b'], weight: 10, nested: { key: { x: 1 } } },
    });
    expect(yaml.excluded).toEqual([{ start: 0, end: yaml.text.indexOf('\n\ntext') }]);
    const toml = await markdownTree('+++\ntitle = "T"\ntags = ["a", "b"]\ndraft = true\n+++\n\ntext\n');
    expect(toml).toMatchObject({ title: 'T', metadata: { tags: ['a', 'b'], draft: true } });
    const broken = await markdownTree('---\na: [1\n---\n\ntext\n');
    expect(broken.metadata).toEqual({});
    expect(broken.warnings[0]).toContain('front matter');
    expect(frontMatter('---\nno end\n')).toBeNull();
    expect(await readFrontMatter({ kind: 'yaml', value: '- just\n- a list\n', end: 0 })).toEqual({});
  });

  it('front matter full of errors or of equal keys takes time in proportion, and a longer one is not read', async () => {
    for (const value of [`a: [${','.repeat(60_000)}]`, 'a: b\n'.repeat(12_000)])
      expect((await markdownTree(`---\n${value}\n---\n\ntext\n`)).text).toContain('text');
    const long = await markdownTree(`---\na: ${'x'.repeat(70_000)}\n---\n\ntext\n`);
    expect(long).toMatchObject({ metadata: {}, warnings: [expect.stringContaining('longer than')] });
  });
});
