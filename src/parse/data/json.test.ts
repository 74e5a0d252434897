import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkDocument } from '../../chunk/chunk.js';
import { chunkSettings } from '../../chunk/settings.js';
import type { Json } from '../../model/json/json.js';
import { resolvePointer, stringNodes } from '../../model/json/pointer.js';
import type { Tree } from '../../model/tree.js';
import { DEFAULT_LIMITS } from '../parser.js';
import { blockTexts, expectSoundTree, outline } from '../tree.suite.js';
import { jsonParser } from './json.js';
import { type JsonNode, JsonSource } from './json-read.js';
import { jsonlParser } from './jsonl.js';

const parse = async (text: string, parser = jsonParser): Promise<Tree> => {
  const tree = await parser({ bytes: Buffer.from(text), name: 'a.json', limits: DEFAULT_LIMITS });
  expectSoundTree(tree);
  return tree;
};

/** The nodes as a value again, for comparison with `JSON.parse`. */
function valueAt(text: string): Json {
  const source = new JsonSource(text, 1_000);
  const build = (node: JsonNode): Json => {
    const kind = source.kind(node);
    if (kind === 'string') return source.value(node);
    if (kind === 'other') return JSON.parse(source.value(node)) as Json;
    if (kind === 'array') return node.items.map(build);
    return Object.fromEntries(node.items.map((item) => [item.label, build(item)]));
  };
  return build(source.root);
}

/** Keys without a prototype's name, values without what decoding replaces (zero bytes, lone surrogates, `\r`). */
const json = fc
  .jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
  .filter(
    (value) =>
      !/\\u0000|\\r|\\ud[89a-f]|__proto__|"-0/.test(JSON.stringify(value)) &&
      !JSON.stringify(value).includes('-0'),
  );

describe('json', () => {
  it('reads what JSON.parse reads, indented or not', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(valueAt(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('every string stands in a chunk whose pointer leads to it', async () => {
    const long = fc.string({
      unit: fc.constantFrom('word ', '词', '\n\n', '"', '\\', '/'),
      minLength: 300,
      maxLength: 900,
    });
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 9 },
        fc.constantFrom('alpha', 'beta gamma', '', 7, null, true),
        long,
        fc.array(tie('node'), { maxLength: 5 }),
        fc.dictionary(fc.constantFrom('a', 'b/c', 'd~e', '', 'title', '键', 'f\ng'), tie('node')),
      ),
    })).node as fc.Arbitrary<Json>;
    await fc.assert(
      fc.asyncProperty(value, async (document) => {
        const tree = await parse(JSON.stringify(document));
        const squash = (text: string): string => text.replace(/\s+/g, '');
        const blocks = tree.blocks.map((block) => ({
          pointer: block.pointer!,
          text: squash(tree.text.slice(block.start, block.end)),
        }));
        for (const { pointer, value } of stringNodes(document)) {
          if (value.trim() === '') continue;
          const holding = blocks.filter(
            (block) => pointer === block.pointer || pointer.startsWith(`${block.pointer}/`),
          );
          expect(holding.map((block) => block.text).join('')).toContain(squash(value));
        }
        for (const block of blocks) expect(resolvePointer(document, block.pointer)).not.toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it('reads small objects as lines, large ones and long strings as sections', async () => {
    const long = 'A sentence of the text. '.repeat(40).trim();
    const tree = await parse(
      JSON.stringify({
        title: 'Handbook',
        license: { name: 'MIT', tags: [], 'a/b': { deep: 12345678901234567000 } },
        text: `${long}\n\nSecond \u4e2d\u6587 paragraph.`,
        chapters: [
          { title: '部署', body: long },
          { title: 'CORS', body: 'short' },
        ],
      }),
    );
    expect(tree.title).toBe('Handbook');
    expect(outline(tree)).toEqual(['1 text', '1 chapters', '2 0 部署', '3 body', '2 1 CORS']);
    expect(blockTexts(tree)).toEqual([
      'paragraph: title: Handbook',
      'paragraph: license/name: MIT\nlicense/tags: []\nlicense/a~1b/deep: 12345678901234567000',
      `paragraph: ${long}`,
      'paragraph: Second 中文 paragraph.',
      'paragraph: title: 部署',
      `paragraph: ${long}`,
      'paragraph: title: CORS\nbody: short',
    ]);
    expect(tree.blocks.map(({ pointer }) => pointer)).toEqual([
      '',
      '/license',
      '/text',
      '/text',
      '/chapters/0',
      '/chapters/0/body',
      '/chapters/1',
    ]);
  });

  it('gives each chunk the pointer of the node that holds it', async () => {
    const long = 'Some text of a record. '.repeat(60).trim();
    const tree = await parse(
      JSON.stringify({
        items: [
          { name: 'one', text: long },
          { name: 'two', text: long },
        ],
      }),
    );
    const { chunks } = chunkDocument(tree, {
      doc_id: 'd',
      title: 't',
      source: 's',
      settings: chunkSettings(),
    });
    expect(chunks.map(({ metadata }) => metadata.json_pointer)).toContain('/items/1/text');
    for (const { metadata } of chunks) expect(metadata.json_pointer).toMatch(/^\/items/);
  });

  it('keeps deep structures apart where levels end', async () => {
    const long = 'Deep down. '.repeat(200).trim();
    const tree = await parse(JSON.stringify({ a: { b: { c: { d: { e: { f: { g: { h: long } } } } } } } }));
    expect(outline(tree).at(-1)).toBe('6 f/g/h');
    expect(tree.blocks[0]!.pointer).toBe('/a/b/c/d/e/f/g/h');
  });

  it('measures strings and containers in characters, not in bytes', async () => {
    // 398 characters and two quotes are no long string; one more is, and a section then.
    const fits = await parse(JSON.stringify({ a: '知'.repeat(398), b: '😀'.repeat(199), c: 'x' }));
    expect(fits.sections.map(({ title }) => title)).toEqual([]);
    const long = await parse(
      JSON.stringify({ a: '知'.repeat(399), b: 'é'.repeat(398), c: '😀'.repeat(200) }),
    );
    expect(long.sections.map(({ title }) => title)).toEqual(['a', 'c']);
    const inside = { a: '知'.repeat(380), b: '知'.repeat(380), c: '知'.repeat(380) };
    const small = await parse(JSON.stringify({ inside, more: 'x'.repeat(399) }));
    expect(small.sections.map(({ title }) => title)).toEqual(['more']);
    expect(small.text.slice(small.blocks[0]!.start, small.blocks[0]!.end)).toMatch(
      /^inside\/a: 知+\ninside\/b: /,
    );
  });

  it('takes comments and trailing commas, and says where JSON ends', async () => {
    expect((await parse('// config\n{"a": 1, /* b */ "c": [1, 2,],}')).text).toBe('a: 1\nc/0: 1\nc/1: 2');
    for (const broken of [
      '{"a": }',
      '{"a" 1}',
      '[1 2]',
      '{a: 1}',
      '"open',
      '{"a": 1',
      '[1] 2',
      '',
      '01',
      '{"a":tru}',
    ]) {
      expect(() =>
        jsonParser({ bytes: Buffer.from(broken), name: 'a.json', limits: DEFAULT_LIMITS }),
      ).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
    }
  });

  it('gives LIMIT for 100,000 levels, without a stack overflow', () => {
    for (const deep of ['['.repeat(100_000), '{"a":'.repeat(100_000)]) {
      expect(() => jsonParser({ bytes: Buffer.from(deep), name: 'a.json', limits: DEFAULT_LIMITS })).toThrow(
        expect.objectContaining({ code: 'LIMIT' }),
      );
    }
  });
});

describe('jsonl', () => {
  it('reads a value a line, and a damaged line as text', async () => {
    const long = 'x y '.repeat(400).trim();
    const tree = await parse(
      `{"id": 1, "who": {"name": "Li"}}\n\n{broken\n"text"\n${JSON.stringify({ name: 'big', long })}\n`,
      jsonlParser,
    );
    expect(blockTexts(tree)).toEqual([
      'paragraph: 0/id: 1\n0/who/name: Li',
      'paragraph: {broken',
      'paragraph: 2: text',
      'paragraph: name: big',
      `paragraph: ${long}`,
    ]);
    expect(outline(tree)).toEqual(['1 3 big', '2 long']);
    expect(tree.blocks.map(({ pointer }) => pointer)).toEqual(['/0', '/1', '/2', '/3', '/3/long']);
    expect(tree.warnings).toEqual(['no JSON, read as text: line 3']);
  });

  it('is CORRUPT where no line is JSON', () => {
    expect(() =>
      jsonlParser({ bytes: Buffer.from('a\nb'), name: 'a.jsonl', limits: DEFAULT_LIMITS }),
    ).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
  });
});
