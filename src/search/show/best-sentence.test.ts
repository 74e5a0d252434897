import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkDocument } from '../../chunk/chunk.js';
import { chunkSettings } from '../../chunk/settings.js';
import type { Chunk } from '../../model/chunk.js';
import { parseDocument } from '../../parse/parse.js';
import { DEFAULT_LIMITS as limits } from '../../parse/parser.js';
import { parseQuery } from '../../text/query.js';
import { bestSentence } from './best-sentence.js';

const chunkOf = async (text: string, name = 'a.md'): Promise<Chunk> => {
  const tree = await parseDocument({ bytes: Buffer.from(text), name, limits });
  const settings = chunkSettings({ strategy: 'content' });
  return chunkDocument(tree, { doc_id: 'd', title: 'd', source: name, settings }).chunks[0]!;
};

const sentence = (chunk: Chunk, query: string): { text: string; line: number | undefined } | undefined => {
  const found = bestSentence(chunk, parseQuery(query));
  if (found === undefined) return undefined;
  const { start_position, end_position, line } = found;
  const from = start_position - chunk.start_position;
  return { text: chunk.content.slice(from, end_position - chunk.start_position), line };
};

describe('B11 the best sentence of a passage', () => {
  it('B11 is the one that holds the words, with its line of the file', async () => {
    const chunk = await chunkOf(
      '# Backups\n\nA copy is made. It is kept\nfor long.\n\n恢复要一小时。备份每天做。\n',
    );
    expect(sentence(chunk, 'kept for long')).toEqual({ text: 'It is kept\nfor long.', line: 3 });
    expect(sentence(chunk, '每天备份')).toEqual({ text: '备份每天做。', line: 6 });
    expect(sentence(chunk, 'zebra')).toBeUndefined();
  });

  it('B11 prefers a sentence to a heading, and what is said once to what is said everywhere', async () => {
    const chunk = await chunkOf(
      '# Certificates\n\nCertificates are files. Certificates are signed. Renew certificates yearly.\n',
    );
    expect(sentence(chunk, 'renew certificates')?.text).toBe('Renew certificates yearly.');
    expect(sentence(await chunkOf('# Certificates\n\nOther words.\n'), 'certificates')).toEqual({
      text: '# Certificates',
      line: 1,
    });
  });

  it('B11 of a table or code is a line', async () => {
    const chunk = await chunkOf('name,port\nweb,80\npostgres,5432\n', 'a.csv');
    expect(sentence(chunk, 'postgres')).toEqual({ text: 'postgres,5432', line: 3 });
  });

  it('B11 is a span of the passage that holds a word of the question, on the line where the span begins', async () => {
    const words = fc.constantFrom(
      'alpha',
      'beta',
      'gamma',
      '备份',
      '恢复',
      '. ',
      '。',
      '\n',
      '\n\n',
      '- ',
      '# ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 3, maxLength: 40 }), async (pieces) => {
        const text = `start ${pieces.join(' ')} alpha end`;
        const chunk = await chunkOf(text);
        const found = sentence(chunk, 'alpha')!;
        expect(found.text).toContain('alpha');
        const start = bestSentence(chunk, parseQuery('alpha'))!.start_position;
        expect(found.line).toBe(text.slice(0, start).split('\n').length);
      }),
      { numRuns: 50 },
    );
  });
});
