import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstCharacters, isPlain, safeCut, safeCutAfter } from './graphemes.js';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const starts = (text: string): number[] => [
  ...Array.from(segmenter.segment(text), ({ index }) => index),
  text.length,
];

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        '中',
        '👨‍👩‍👧‍👦',
        '🇨🇳',
        '🇫',
        '👍🏽',
        'e\u0301',
        '\u0301',
        '\u200d',
        '가',
        '\u1100\u1161',
        'नि',
        'กำ',
        '\r\n',
        '\r',
        '\n',
        '©\ufe0f',
        '❤️‍🔥',
        'か\u3099',
        '〰️',
        '1️⃣',
      ),
      fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
    ),
    { maxLength: 40 },
  )
  .map((units) => units.join(''));

describe('graphemes', () => {
  it('firstCharacters counts as the segmenter does', () => {
    fc.assert(
      fc.property(texts, fc.nat(60), (text, n) => {
        const want = Array.from(segmenter.segment(text), ({ segment }) => segment)
          .slice(0, n)
          .join('');
        expect(firstCharacters(text, n)).toBe(want);
      }),
      { numRuns: 1500 },
    );
  });

  it('safe cuts fall on boundaries, never beyond the place asked for, and always move on', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, one, two) => {
        const boundaries = starts(text);
        const from = boundaries[one % boundaries.length]!;
        if (from >= text.length) return;
        const at = from + 1 + (two % (text.length - from));
        const cut = safeCut(text, at, from);
        expect(boundaries).toContain(cut);
        expect(cut).toBe(
          boundaries.findLast((boundary) => boundary <= at && boundary > from) ??
            boundaries.find((boundary) => boundary > at)!,
        );
        expect(safeCutAfter(text, at, from)).toBe(boundaries.find((boundary) => boundary >= at)!);
      }),
      { numRuns: 2000 },
    );
  });

  it('two plain characters always have a boundary between them', () => {
    const plain: string[] = [];
    for (let code = 0; code < 0xffff; code += 7) if (isPlain(code)) plain.push(String.fromCharCode(code));
    const joined = plain.join('');
    expect(starts(joined)).toHaveLength(joined.length + 1);
    expect(starts([...plain].reverse().join(''))).toHaveLength(joined.length + 1);
  });

  it('one endless grapheme is kept whole', () => {
    const text = `e${'\u0301'.repeat(5000)}x`;
    expect(safeCut(text, 1200, 0)).toBe(5001);
    expect(firstCharacters(text, 1)).toHaveLength(5001);
  });
});
