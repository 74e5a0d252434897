import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPieces, WrittenList } from './json-pieces.js';

it('writes in pieces what JSON.stringify writes at once', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value, null, 2));
    }),
  );
  const odd = {
    at: new Date(0),
    no: undefined,
    list: [undefined, { no: undefined }],
    f: () => 1,
    empty: [{}, []],
  };
  expect([...jsonPieces(odd)].join('')).toBe(JSON.stringify(odd, null, 2));
});

it('writes lists whose items are made meanwhile, and long strings with pairs where they are parted', () => {
  const text = `x${'😀"\n'.repeat(50_000)}\ud83d`;
  const items = [{ a: 1 }, 'x', [], { text, list: [text] }, [text, 1]];
  const streamed = { none: new WrittenList(() => []), items: new WrittenList(() => items), text };
  const whole = JSON.stringify({ none: [], items, text }, null, 2);
  expect([...jsonPieces(streamed)].join('')).toBe(whole);
  expect([...jsonPieces([[[[streamed]]]])].join('')).toBe(JSON.stringify([[[[streamed]]]], null, 2));
});
