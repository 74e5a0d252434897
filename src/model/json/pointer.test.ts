import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from './json.js';
import { formatPointer, parsePointer, resolvePointer, stringNodes } from './pointer.js';

describe('JSON pointer', () => {
  it('resolves the examples of RFC 6901, section 5', () => {
    const document = {
      foo: ['bar', 'baz'],
      '': 0,
      'a/b': 1,
      'c%d': 2,
      'e^f': 3,
      'g|h': 4,
      'i\\j': 5,
      'k"l': 6,
      ' ': 7,
      'm~n': 8,
    };
    const cases: [string, unknown][] = [
      ['', document],
      ['/foo', ['bar', 'baz']],
      ['/foo/0', 'bar'],
      ['/', 0],
      ['/a~1b', 1],
      ['/c%d', 2],
      ['/e^f', 3],
      ['/g|h', 4],
      ['/i\\j', 5],
      ['/k"l', 6],
      ['/ ', 7],
      ['/m~0n', 8],
    ];
    for (const [pointer, value] of cases) expect(resolvePointer(document, pointer)).toEqual(value);
  });

  it('has nothing at indexes with leading zeros or signs, past the end, in scalars and in prototypes', () => {
    const document = { list: ['a', 'b'], text: 'abc' };
    for (const pointer of [
      '/list/00',
      '/list/01',
      '/list/-',
      '/list/-1',
      '/list/+1',
      '/list/1e0',
      '/list/2',
      '/list/',
      '/list/length',
      '/text/0',
      '/constructor',
      '/missing/deep',
    ]) {
      expect(resolvePointer(document, pointer)).toBeUndefined();
    }
  });

  it('refuses what is no pointer', () => {
    for (const pointer of ['a', '#/a', '/~', '/~2', '/a~']) {
      expect(() => parsePointer(pointer)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    }
  });

  it('escapes in the order that brings every token back', () => {
    const token = fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', '键', '') });
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
      }),
    );
  });

  it('reaches every string of a document by its pointer, each once', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const document = JSON.parse(JSON.stringify(value)) as Json;
        const nodes = [...stringNodes(document)];
        for (const { pointer, value } of nodes) expect(resolvePointer(document, pointer)).toBe(value);
        expect(new Set(nodes.map(({ pointer }) => pointer)).size).toBe(nodes.length);
        let strings = 0;
        JSON.stringify(document, (_, inner) => {
          if (typeof inner === 'string') strings += 1;
          return inner as unknown;
        });
        expect(nodes.length).toBe(strings);
      }),
    );
  });
});
