import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EmbedderSpec, formatEmbedderSpec, parseEmbedderSpec } from './spec.js';

describe('an embedder as a person writes it', () => {
  it('reads every kind', () => {
    const read = (text: string | undefined, env = {}) => parseEmbedderSpec(text, env);
    expect(read(undefined)).toEqual({ kind: 'local' });
    expect(read('')).toEqual({ kind: 'local' });
    expect(read(undefined, { STRATA_EMBEDDER: 'none' })).toEqual({ kind: 'none' });
    expect(read('local', { STRATA_EMBEDDER: 'none' })).toEqual({ kind: 'local' });
    expect(read('local:/models/e5')).toEqual({ kind: 'local', model: '/models/e5' });
    expect(read('local:C:\\models\\e5')).toEqual({ kind: 'local', model: 'C:\\models\\e5' });
    expect(read('openai')).toEqual({ kind: 'openai', model: 'text-embedding-3-small' });
    expect(read('openai:m?dimensions=256', { OPENAI_BASE_URL: 'http://box/v1' })).toEqual({
      kind: 'openai',
      model: 'm',
      dimensions: 256,
      url: 'http://box/v1',
    });
    expect(read('ollama:bge-m3:latest')).toEqual({ kind: 'ollama', model: 'bge-m3:latest' });
  });

  it('says what is wrong', () => {
    for (const [text, reason] of [
      ['gemini', /"gemini" is no kind/],
      ['openai:m?size=3', /no option "size"/],
      ['openai:m?dimensions=lots', /dimensions must be a number/],
      ['local:x?dimensions=3', /no options/],
    ] as const) {
      expect(() => parseEmbedderSpec(text, {})).toThrow(reason);
    }
  });

  it('remembers what it read, without a login', () => {
    const name = fc.stringMatching(/^[\w./\\:-]{1,20}$/);
    const spec: fc.Arbitrary<EmbedderSpec> = fc.oneof(
      fc.constant({ kind: 'none' as const }),
      fc.record({ kind: fc.constant('local' as const), model: name }),
      fc.record({
        kind: fc.constantFrom('openai' as const, 'ollama' as const),
        model: name,
        dimensions: fc.integer({ min: 1, max: 9999 }),
        url: fc.webUrl(),
      }),
    );
    fc.assert(
      fc.property(spec, (one) => {
        expect(parseEmbedderSpec(formatEmbedderSpec(one), {})).toEqual(one);
      }),
    );
    expect(formatEmbedderSpec({ kind: 'openai', model: 'm', url: 'https://me:secret@box/v1' })).not.toContain(
      'secret',
    );
  });
});
