import fc from 'fast-check';
import { expect, it } from 'vitest';
import { analyze } from './analyze.js';
import { unitWords } from './words.js';

const text = fc
  .array(
    fc.constantFrom('数据', '庫', 'JavaScript', 'java', 'the', 'e-mail', 'v1.2.3', '。', ' ', '\n', 'ﬁle'),
    {
      maxLength: 20,
    },
  )
  .map((parts) => parts.join(' '));

it('counts the very terms that analyze gives, each once in the list', () => {
  fc.assert(
    fc.property(text, text, (title, body) => {
      const words = unitWords(title, body);
      expect(new Set(words.terms).size).toBe(words.terms.length);
      for (const [field, source] of [
        ['title', title],
        ['body', body],
      ] as const) {
        const tokens = analyze(source);
        for (const [slot, term] of words.terms.entries()) {
          const own = tokens.filter((token) => token.term === term);
          const full = own.filter(({ kind }) => kind !== 'part').length;
          expect(words[field][slot]).toBeGreaterThanOrEqual(Math.max(full, own.length > 0 ? 1 : 0));
          expect(words[field][slot]).toBeLessThanOrEqual(own.length);
        }
      }
      expect(new Set([...analyze(title), ...analyze(body)].map(({ term }) => term))).toEqual(
        new Set(words.terms),
      );
    }),
  );
});

it('counts a part of an identifier once, and function words not in the length', () => {
  const words = unitWords('', 'JavaScript JavaScript JavaScript and the rest');
  expect(words.body[words.terms.indexOf('java')]).toBe(1);
  expect(words.body[words.terms.indexOf('javascript')]).toBe(3);
  expect(words.body_length).toBe(4);
});
