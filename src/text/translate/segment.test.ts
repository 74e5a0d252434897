import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segment } from './segment.js';

const WORDS = new Set(['南京', '南京市', '市长', '长江', '大桥', '长江大桥', '职业', '在职', '生涯']);
const cut = (text: string): string[] => {
  const chars = [...text];
  return segment(chars, (word) => WORDS.has(word)).map(([from, to]) => chars.slice(from, to).join(''));
};

describe('segment', () => {
  it('B13 takes the fewest words of the dictionary', () => {
    expect(cut('南京市长江大桥')).toEqual(['南京市', '长江大桥']);
    expect(cut('在职业生涯')).toEqual(['在', '职业', '生涯']);
    expect(cut('')).toEqual([]);
  });

  it('B13 loses and invents nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'南京市长江大桥x') }), (text) => {
        const words = cut(text);
        expect(words.join('')).toBe(text);
        expect(words.every((word) => [...word].length === 1 || WORDS.has(word))).toBe(true);
      }),
    );
  });
});
