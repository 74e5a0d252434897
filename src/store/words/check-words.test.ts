import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { wordsChecksum } from './check-words.js';

it('checksums of words are those that libraries on disk have', () => {
  const units = [
    { terms: [], body: [], title: [], body_length: 0, title_length: 0 },
    {
      terms: ['a', '中文', '\ud800'],
      body: [0, 9, 10],
      title: [1, 0, 123],
      body_length: 19,
      title_length: 124,
    },
    many(5_000, 7),
    many(30_000, 1_000_000),
  ];
  for (const unit of units) {
    const { terms, body, title, body_length, title_length } = unit;
    const text = `${body_length},${title_length};${body.join()};${title.join()};${terms.join('\u0000')}`;
    expect(wordsChecksum(unit)).toBe(crc32(text));
  }
});

function many(count: number, most: number) {
  const numbers = Array.from({ length: count }, (_, at) => (at * 7919) % most);
  return {
    terms: numbers.map((_, at) => `t${at}`),
    body: numbers,
    title: numbers.toReversed(),
    body_length: count,
    title_length: 3,
  };
}
