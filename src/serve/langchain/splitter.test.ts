import { Document } from '@langchain/core/documents';
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StrataTextSplitter } from './splitter.js';

const paragraph = fc
  .array(fc.constantFrom('alpha', 'beta', '部署手册说明', 'gamma delta', '跨域请求。', 'end.'), {
    minLength: 1,
    maxLength: 60,
  })
  .map((words) => words.join(' '));
const text = fc
  .array(fc.oneof(paragraph, fc.constantFrom('# One', '## 二', '### Three', '```js\ncode()\n```')), {
    minLength: 1,
    maxLength: 25,
  })
  .map((parts) => parts.join('\n\n'));

/** What LangChain code relies on, asked of its own splitter too: the contract is theirs, not ours. */
const splitters = {
  recursive: () => new RecursiveCharacterTextSplitter({ chunkSize: 400, chunkOverlap: 60 }),
  strata: () => new StrataTextSplitter({ chunkSize: 400, chunkOverlap: 60 }),
};

describe.each(Object.entries(splitters))('TextSplitter contract: %s', (_name, make) => {
  it('gives pieces of at most chunkSize, none empty', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        for (const piece of await make().splitText(input)) {
          expect(piece.trim()).not.toBe('');
          expect(piece.length).toBeLessThanOrEqual(400);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('gives nothing for nothing', async () => {
    expect(await make().splitText('')).toEqual([]);
    expect(await make().createDocuments(['   '])).toEqual([]);
  });

  it('keeps each document’s metadata, adds lines, and drops ids', async () => {
    const long = 'A sentence that fills the line. '.repeat(40);
    const [first, second] = await make().splitDocuments([
      new Document({ id: 'x', pageContent: long, metadata: { author: 'ann', loc: { pageNumber: 3 } } }),
    ]);
    for (const piece of [first!, second!]) {
      expect(piece.id).toBeUndefined();
      expect(piece.metadata).toMatchObject({
        author: 'ann',
        loc: { pageNumber: 3, lines: { from: 1, to: 1 } },
      });
    }
  });

  it('puts headers before pieces when asked', async () => {
    const long = 'A sentence that fills the line. '.repeat(40);
    const options = { chunkHeader: 'H: ', chunkOverlapHeader: '(more) ', appendChunkOverlapHeader: true };
    const [first, second] = await make().createDocuments([long], [], options);
    expect(first!.pageContent).toMatch(/^H: A sentence/);
    expect(second!.pageContent).toMatch(/^H: \(more\) /);
  });
});

describe('S4.6 StrataTextSplitter', () => {
  it('S4.6 says exactly where each piece stands', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        const lines = input.split('\n');
        for (const { pageContent, metadata } of await new StrataTextSplitter({
          chunkSize: 300,
          chunkOverlap: 30,
        }).createDocuments([input])) {
          expect(input.slice(metadata.start_position, metadata.end_position)).toBe(pageContent);
          const { from, to } = metadata.loc.lines;
          expect(lines.slice(from - 1, to).join('\n')).toContain(pageContent);
          expect(pageContent.split('\n').length).toBe(to - from + 1);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('S4.6 carries title_path and content_type as metadata', async () => {
    const body = '正文'.repeat(150);
    const pieces = await new StrataTextSplitter({ chunkSize: 400, chunkOverlap: 0 }).createDocuments([
      `# 部署\n\n${body}\n\n## Nginx\n\n${body}\n`,
    ]);
    expect(pieces.map(({ metadata }) => metadata.title_path)).toContainEqual(['部署', 'Nginx']);
    expect(pieces.every(({ metadata }) => metadata.content_type === 'text')).toBe(true);
  });

  it('refuses what it cannot do', () => {
    expect(() => new StrataTextSplitter({ chunkSize: 10, chunkOverlap: 10 })).toThrow(/chunkOverlap/);
    expect(() => new StrataTextSplitter({ lengthFunction: () => 1 })).toThrow(/lengthFunction/);
  });
});
