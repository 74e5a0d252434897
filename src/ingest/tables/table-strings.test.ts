import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../model/json/json.js';
import { resolvePointer, stringNodes } from '../../model/json/pointer.js';
import { newlinesOf, originalText } from './table-chunks.js';
import { readJson } from './table-json.js';
import { stringsInScopes } from './table-strings.js';

const doc: Json = {
  store: {
    book: [
      { title: 'One', price: 8, text: 'first' },
      { title: 'Two', price: 12, text: 'second' },
      { title: 'Three', price: 9, text: 'third' },
    ],
    bicycle: { colour: 'red', text: 'fourth' },
  },
  'a/b~c': { '': 'fifth', 'it’s "so"': 'sixth' },
  text: 'seventh',
};
const texts = (path: string): string[] =>
  stringsInScopes(doc, [{ path, threshold: 1 }]).map(({ text }) => text);

describe('the strings in a scope', () => {
  it.each([
    ['$.store.book[*].text', ['first', 'second', 'third']],
    ['$..text', ['first', 'second', 'third', 'fourth', 'seventh']],
    ['$.store..text', ['first', 'second', 'third', 'fourth']],
    ['$.store.book[-1].text', ['third']],
    ['$.store.book[0,2].text', ['first', 'third']],
    ['$.store.book[1:].text', ['second', 'third']],
    ['$.store.book[::-2].text', ['first', 'third']],
    ["$['store']['bicycle']", ['red', 'fourth']],
    ['$["a/b~c"][""]', ['fifth']],
    ["$['a/b~c']['it’s \"so\"']", ['sixth']],
    ['$[ "text" , "nothing" ]', ['seventh']],
    ['$.nothing', []],
    ['$..*..*..text', ['first', 'second', 'third', 'fourth']],
  ])('S3.1 %s selects what RFC 9535 says', (path, expected) => {
    expect(texts(path)).toEqual(expected);
  });

  it.each(['', 'store', '$.', '$[', '$[?@.price < 10]', '$.a[01]', '$["a]', "$['\\x']", '$.a b'])(
    'S3.1 %j is refused in one line',
    (path) => {
      expect(() => texts(path)).toThrow(/is no JSON path \(RFC 9535\): at \d+: [^\n]+$/);
    },
  );

  it('S3.2 every string of the scope that is long enough, by its absolute pointer, and no other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(6), (value, threshold) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        const expected = [...stringNodes(json)].filter((one) => one.value.length >= threshold);
        const found = stringsInScopes(json, [
          { pointer: '', threshold },
          { path: '$..*', threshold },
        ]);
        expect(found.map(({ pointer, text }) => ({ pointer, value: text }))).toEqual(expected);
        for (const { pointer, text } of found) expect(resolvePointer(json, pointer)).toBe(text);
        // `$..*` selects all but the document itself.
        for (const { pointer, scopes } of found) expect(scopes).toEqual(pointer === '' ? [0] : [0, 1]);
      }),
    );
  });

  it('S3.2 a pointer scopes the subtree, odd keys and all', () => {
    expect(
      stringsInScopes(doc, [{ pointer: '/a~1b~0c', threshold: 1 }]).map(({ pointer }) => pointer),
    ).toEqual(['/a~1b~0c/', '/a~1b~0c/it’s "so"']);
    expect(
      stringsInScopes(doc, [{ pointer: '/store/book/1', threshold: 4 }]).map(({ text }) => text),
    ).toEqual(['second']);
  });

  it('B15 a path that would take exponential time elsewhere takes one look per node and segment', () => {
    let deep: Json = 'end';
    for (let at = 0; at < 400; at++) deep = { a: deep };
    const started = performance.now();
    expect(stringsInScopes(deep, [{ path: `$${'..*'.repeat(100)}`, threshold: 1 }])).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('S3.2 a record’s own title stands for the string; else the nearest word above it', () => {
    const [first] = stringsInScopes(doc, [{ path: '$.store.book[0].text', threshold: 1 }]);
    expect(first!.title).toBe('One');
    expect(stringsInScopes({ rules: ['x'] }, [{ pointer: '', threshold: 1 }])[0]!.title).toBe('rules');
  });
});

describe('JSON of a caller', () => {
  it('S3.1 is one value, or one per line; a mistake is named by its place', () => {
    expect(readJson('{"a": [1]}')).toEqual({ a: [1] });
    expect(readJson('{"a":1}\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
    const long = `{\n "a": "${'x'.repeat(200)}",\n "b": tru }`;
    expect(() => readJson(long)).toThrow(/^is no JSON; correct it: .*tru \}/);
    expect(() => readJson('{\n]')).toThrow(/^is no JSON; correct it: [^\n]+$/);
    expect(() => readJson('['.repeat(1000) + ']'.repeat(1000))).toThrow('nested more than');
  });

  it('S3.2 a chunk gives its string’s own newlines back', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '\r', 'b'), { maxLength: 40 }), (pieces) => {
        const text = pieces.join('').replace(/\r(?=\n)/g, '\r');
        const content = text.replace(/\r\n?/g, '\n');
        const newlines = newlinesOf(text);
        expect(originalText({ content, metadata: newlines === undefined ? {} : { newlines } })).toBe(text);
      }),
    );
  });
});
