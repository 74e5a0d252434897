import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/json/json.js';
import { KnowledgeChunk, type KnowledgeChunkFields } from './knowledge-chunk.js';

const chunks: fc.Arbitrary<KnowledgeChunkFields> = fc
  .record({
    id: fc.string({ minLength: 1 }),
    item_id: fc.string({ minLength: 1 }),
    chunk_index: fc.nat(),
    content: fc.string({ unit: 'grapheme', minLength: 1 }),
    heading: fc.string({ unit: 'grapheme' }),
    start_position: fc.nat(),
    length: fc.nat(),
    metadata: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>,
  })
  .map(({ length, ...chunk }) => ({ ...chunk, end_position: chunk.start_position + length }));

describe('KnowledgeChunk', () => {
  it('S2.1 toDict and fromDict, through JSON as well, give an equal object', () => {
    fc.assert(
      fc.property(chunks, (fields) => {
        const chunk = new KnowledgeChunk(fields);
        expect(Object.keys(chunk.toDict())).toEqual([
          'id',
          'item_id',
          'chunk_index',
          'content',
          'heading',
          'start_position',
          'end_position',
          'metadata',
        ]);
        expect(KnowledgeChunk.fromDict(chunk.toDict())).toEqual(chunk);
        // JSON has no -0.
        const again = KnowledgeChunk.fromDict(JSON.parse(JSON.stringify(chunk.toDict())));
        expect(JSON.stringify(again)).toBe(JSON.stringify(chunk));
      }),
    );
  });

  it('S2.1 what is missing, wrong or unknown is refused by its name', () => {
    const [fields] = fc.sample(chunks, { numRuns: 1, seed: 1 });
    const dict: Record<string, unknown> = new KnowledgeChunk(fields!).toDict() as never;
    const wrong: readonly [string, unknown][] = [
      ...Object.keys(dict).map((name): [string, unknown] => [name, undefined]),
      ...Object.keys(dict).map((name): [string, unknown] => [name, [null]]),
      ['chunk_index', -1],
      ['end_position', -1],
      ['content', ''],
      ['colour', 'red'],
    ];
    for (const [name, value] of wrong) {
      const refused = () => KnowledgeChunk.fromDict({ ...dict, [name]: value });
      expect(refused, name).toThrow(expect.objectContaining({ code: 'INVALID_RECORD' }));
      expect(refused, name).toThrow(`chunk.${name}`);
    }
    for (const value of [null, undefined, 'text', 3, []])
      expect(() => KnowledgeChunk.fromDict(value)).toThrow(
        expect.objectContaining({ code: 'INVALID_RECORD' }),
      );
  });
});
