import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, TokenCounts } from './tokens.js';

describe('token estimates', () => {
  it('are near what o200k counts', () => {
    // Counts of o200k_base for these texts.
    const known: [string, number][] = [
      ['The quick brown fox jumps over the lazy dog.', 10],
      ['知识库分层切分设计的核心思路是先构建标题结构树。', 19],
    ];
    for (const [text, tokens] of known)
      expect(Math.abs(estimateTokens(text) - tokens)).toBeLessThanOrEqual(3);
    expect(estimateTokens('')).toBe(0);
  });

  it('of slices are those of the text between, whatever the slice', () => {
    const unit = fc.constantFrom('a', 'Z', '9', ' ', '\n', '.', '中', 'é', '😀', '-');
    const texts = fc.array(unit, { maxLength: 700 }).map((units) => units.join(''));
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, one, two) => {
        const [start, end] = [one % (text.length + 1), two % (text.length + 1)].sort((a, b) => a - b) as [
          number,
          number,
        ];
        expect(new TokenCounts(text).between(start, end)).toBe(estimateTokens(text.slice(start, end)));
      }),
      { numRuns: 500 },
    );
  });
});
