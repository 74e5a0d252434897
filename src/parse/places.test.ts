import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkDocument } from '../chunk/chunk.js';
import { chunkSettings } from '../chunk/settings.js';
import type { Chunk } from '../model/chunk.js';
import type { Json } from '../model/json/json.js';
import { resolvePointer } from '../model/json/pointer.js';
import { lineOf } from '../model/line-marks.js';
import { parseDocument } from './parse.js';
import { DEFAULT_LIMITS as limits } from './parser.js';

const chunksOf = async (text: string, name: string): Promise<readonly Chunk[]> => {
  const tree = await parseDocument({ bytes: Buffer.from(text), name, limits });
  return chunkDocument(tree, { doc_id: 'd', title: 'd', source: name, settings: chunkSettings({}) }).chunks;
};

/** Every word `wN` of the source is unique: each stands in a chunk that knows the line of the file it is on. */
function expectTrueLines(source: string, chunks: readonly Chunk[]): void {
  let found = 0;
  for (const chunk of chunks) expect(chunk.loc.lines!.from).toBe(lineOf(chunk, 0));
  for (const [index, line] of source.split(/\r\n?|\n/).entries()) {
    for (const [word] of line.matchAll(/\bw\d+x\b/g)) {
      for (const chunk of chunks) {
        const at = chunk.content.indexOf(word);
        if (at < 0) continue;
        found += 1;
        expect(lineOf(chunk, at), word).toBe(index + 1);
        expect(chunk.loc.lines!.to).toBeGreaterThanOrEqual(index + 1);
      }
    }
  }
  if (/\bw\d+x\b/.test(source)) expect(found).toBeGreaterThan(0);
}

/** Gives `wNx`, each once. */
const counter = (): (() => string) => {
  let next = 0;
  return () => `w${next++}x`;
};

const gap = fc.constantFrom(
  ' ',
  '\n',
  '\n\n',
  ' \n  ',
  '\r\n',
  '&amp; ',
  '<b>and</b>\n',
  '<!-- a\nb -->',
  '<br>\n',
);

describe('B11 places', () => {
  it('B11 every word of a web page is found on its line of the file', async () => {
    const piece = fc.tuple(
      fc.constantFrom('p', 'h2', 'li', 'pre', 'td', 'blockquote', 'div'),
      fc.array(gap, { minLength: 1, maxLength: 60 }),
      gap,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (pieces, article) => {
          const word = counter();
          const body = pieces.map(([tag, gaps, after]) => {
            const inside = gaps.map((between) => word() + between).join('');
            const open =
              tag === 'li' ? '<ul>\n<li>' : tag === 'td' ? '<table><tr><td>a</td>\n<td>' : `<${tag}>`;
            const close = tag === 'li' ? '</li></ul>' : tag === 'td' ? '</td></tr></table>' : `</${tag}>`;
            return open + inside + close + after.replaceAll('<br>', '');
          });
          const html = article
            ? `<!doctype html>\n<html><head>\n<title>t</title></head><body><nav>\n<a>x</a></nav>\n<article>${body.join('')}</article></body></html>`
            : body.join('\n');
          expectTrueLines(html, await chunksOf(html, 'a.html'));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('B11 a link that runs a script stands on its own line, as all text of an article does', async () => {
    const word = counter();
    const words = (): string => Array.from({ length: 40 }, word).join(' ');
    const link = (): string => `<a\nhref="javascript:void(0)"\nclass="x">${word()}\n${word()}</a>`;
    const paragraphs = Array.from({ length: 4 }, () => `<p>${words()}\n${words()},${link()}, ${words()}</p>`);
    const html = `<html><body>\n<article>${paragraphs.join('\n')}</article></body></html>`;
    expectTrueLines(html, await chunksOf(html, 'a.html'));
  });

  it('B11 every value of JSON, JSON Lines and notebooks is found on its line, under a pointer that resolves', async () => {
    const shape = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.integer({ min: 1, max: 120 }),
        fc.array(tie('node'), { maxLength: 5 }),
        fc.dictionary(fc.constantFrom('a', 'b/c', 'title', '键', 'd~e'), tie('node')),
      ),
    })).node as fc.Arbitrary<Json>;
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 4 }), async (shapes) => {
        const word = counter();
        const fill = (value: Json): Json =>
          typeof value === 'number'
            ? Array.from({ length: value }, word).join(' ')
            : Array.isArray(value)
              ? value.map(fill)
              : Object.fromEntries(Object.entries(value as object).map(([key, held]) => [key, fill(held)]));
        const document = shapes.map(fill);
        const text = JSON.stringify(document, null, 2);
        const chunks = await chunksOf(text, 'a.json');
        expectTrueLines(text, chunks);
        for (const { loc } of chunks) expect(resolvePointer(document, loc.pointer!)).toBeDefined();
        const records = document.map((value) => JSON.stringify(value)).join('\n\n');
        expectTrueLines(records, await chunksOf(records, 'a.jsonl'));
        const cells = document.map((value, at) => ({
          cell_type: at % 2 === 0 ? 'markdown' : 'code',
          source: JSON.stringify(value, null, 1)
            .split('\n')
            .map((line) => `${line}\n`),
          outputs: [],
        }));
        const notebook = JSON.stringify({ nbformat: 4, metadata: {}, cells }, null, 1);
        const found = await chunksOf(notebook, 'a.ipynb');
        expectTrueLines(notebook, found);
        for (const { loc } of found) expect(loc.cell).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });

  it('B11 YAML and CSV keep their lines, quoted cells with line breaks included', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.boolean()), { minLength: 2, maxLength: 30 }),
        fc.constantFrom('\n', '\r\n'),
        async (rows, newline) => {
          const word = counter();
          const words = (count: number): string => Array.from({ length: count }, word).join(' ');
          const yaml = rows
            .map(([count, nested], at) =>
              nested ? `k${at}:${newline}  inner: |${newline}    ${words(count)}` : `k${at}: ${words(count)}`,
            )
            .join(newline);
          const inYaml = await chunksOf(yaml, 'a.yaml');
          expectTrueLines(yaml, inYaml);
          const parsed = (await import('yaml')).parse(yaml) as Json;
          for (const { loc } of inYaml) expect(resolvePointer(parsed, loc.pointer!)).toBeDefined();
          const csv = rows
            .map(([count, quoted]) =>
              quoted ? `a,"${word()}${newline}${words(count)}"` : `a,${words(count)}`,
            )
            .join(newline);
          expectTrueLines(csv, await chunksOf(csv, 'a.csv'));
        },
      ),
      { numRuns: 20 },
    );
  });
});
