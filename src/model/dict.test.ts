import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chunk, CONTENT_TYPES } from './chunk.js';
import { fromDict, toDict } from './dict.js';
import type { Json } from './json.js';

const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const count = fc.nat(1_000_000);
const loc = fc.record(
  {
    page: count,
    page_end: count,
    paragraph: count,
    offset: count,
    lines: fc.record({ from: count, to: count }),
  },
  { requiredKeys: [] },
);
const chunks: fc.Arbitrary<Chunk> = fc
  .record({
    id: fc.uuid(),
    doc_id: fc.uuid(),
    section_id: fc.option(fc.uuid()),
    title: word,
    title_path: fc.array(word, { maxLength: 4 }),
    parent_doc_title: word,
    chunk_index: count,
    content_type: fc.constantFrom(...CONTENT_TYPES),
    content: word,
    summary: word,
    token_count: count,
    start_position: fc.nat(1000),
    end_position: fc.integer({ min: 1000, max: 2000 }),
    loc,
    hash: word,
    chunk_hash: word,
    source_hint: word,
    is_parent: fc.constant(false as const),
    // JSON has one zero: -0 comes back as 0, as it does from every store.
    metadata: fc
      .dictionary(
        word.filter((name) => name !== '__proto__'),
        fc.oneof(word, fc.boolean(), fc.constant(null), fc.array(fc.nat())) as fc.Arbitrary<Json>,
        { maxKeys: 3 },
      )
      .map((metadata) => ({ ...metadata })),
  })
  .chain((chunk) =>
    fc
      .record({ json_pointer: word, total_chunks: count, content_hash: word }, { requiredKeys: [] })
      .map((more) => ({ ...chunk, ...more })),
  );

describe('chunks as dictionaries', () => {
  it('S2.1 toDict then fromDict gives an equal object, for every valid chunk', () => {
    fc.assert(
      fc.property(chunks, (chunk) => {
        const dict = toDict(chunk);
        expect(fromDict(dict)).toEqual(chunk);
        expect(fromDict(JSON.parse(JSON.stringify(dict)))).toEqual(chunk);
      }),
    );
  });

  it('S2.1 the result is independent of what it was made from', () => {
    const [chunk] = fc.sample(chunks, 1) as [Chunk];
    const dict = toDict(chunk) as { title_path: string[] };
    const back = fromDict(dict);
    dict.title_path.push('later');
    expect(back.title_path).toEqual(chunk.title_path);
  });

  it('S2.1 a missing, unknown or wrong field is refused by its name', () => {
    const [chunk] = fc.sample(chunks, { numRuns: 1, seed: 7 }) as [Chunk];
    const dict = toDict(chunk);
    const without = (name: string) =>
      Object.fromEntries(Object.entries(dict).filter(([key]) => key !== name));
    expect(() => fromDict({ ...dict, colour: 'red' })).toThrow('colour is no field of a chunk');
    expect(() => fromDict(without('content'))).toThrow('content is missing');
    expect(() => fromDict({ ...dict, content: '' })).toThrow('content must be a string that is not empty');
    expect(() => fromDict({ ...dict, chunk_index: -1 })).toThrow('chunk_index must be');
    expect(() => fromDict({ ...dict, chunk_index: '0' })).toThrow('chunk_index must be');
    expect(() => fromDict({ ...dict, title_path: 'a' })).toThrow('title_path must be a list of strings');
    expect(() => fromDict({ ...dict, content_type: 'poem' })).toThrow('content_type must be one of');
    expect(() => fromDict({ ...dict, loc: { page: 'one' } })).toThrow('loc must be');
    expect(() => fromDict({ ...dict, metadata: [] })).toThrow('metadata must be');
    expect(() => fromDict({ ...dict, start_position: 9, end_position: 3 })).toThrow('end_position');
    expect(() => fromDict('chunk')).toThrow('must be an object');
  });

  it('S2.1 every field of a chunk is required or known as optional', () => {
    const [chunk] = fc.sample(chunks, { numRuns: 1, seed: 3 }) as [Chunk];
    const dict = toDict(chunk);
    const optional = ['json_pointer', 'total_chunks', 'content_hash'];
    for (const name of Object.keys(dict).filter((key) => !optional.includes(key))) {
      const less = Object.fromEntries(Object.entries(dict).filter(([key]) => key !== name));
      expect(() => fromDict(less)).toThrow(`${name} is missing`);
    }
  });
});
