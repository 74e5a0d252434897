import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairsOf, sketch, sketchDistance, sketchOfPairs, tokensOf } from './likeness.js';

const DENSE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}';
const PATTERN = new RegExp(`[${DENSE}]|(?:(?![${DENSE}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        '中文',
        '數據',
        'naïve',
        'e\u0301',
        'ＡＰＩ',
        '한국어',
        'ไทย',
        '𠮷野家',
        '豈',
        '12.5',
        ' ',
        '\ud800x',
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('tokens', () => {
  it('are what the pattern says, on any text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = Array.from(text.matchAll(PATTERN), ({ 0: word, index }) => ({
          word: word.normalize('NFKC').toLowerCase(),
          start: index,
          end: index + word.length,
        }));
        expect(tokensOf(text)).toEqual(expected);
      }),
    );
  });
});

describe('sketch', () => {
  // Written down in citations: a citation of an older version must still be understood.
  it('stays what it was', () => {
    expect(sketch('')).toBe('0000000000000000');
    expect(sketch('The quick brown fox jumps over the lazy dog.')).toBe('84224009ae838406');
    expect(sketch('如何在 Nginx 中配置反向代理？')).toBe('6909d542fea1cc01');
  });

  it('is alike for alike passages, and not for others', () => {
    const words = Array.from({ length: 120 }, (_, i) => `word${i}`);
    const text = words.join(' ');
    const edited = words.with(60, 'changed').join(' ');
    expect(sketchDistance(sketch(text), sketch(edited))).toBeLessThan(8);
    expect(sketchDistance(sketch(text), sketch(text.replaceAll('word', 'other')))).toBeGreaterThan(16);
  });

  it('is the majority of every bit, however many pairs there are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 40 }), (pairs) => {
        // Twice the same pairs: the same majorities.
        expect(sketchOfPairs([...pairs, ...pairs])).toBe(sketchOfPairs(pairs));
        expect(sketchOfPairs([pairs[0]!])).toBe(sketchOfPairs(Array.from({ length: 9 }, () => pairs[0]!)));
        expect(pairsOf(tokensOf('one'))).toEqual(['one']);
      }),
    );
  });
});
