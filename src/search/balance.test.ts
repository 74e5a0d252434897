import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meaningChannel, standingOut, wordsChannel } from './balance.js';
import { fuse, type ScoredId } from './fuse.js';

const ranked = (prefix: string, scores: readonly number[]): ScoredId[] =>
  [...scores].sort((a, b) => b - a).map((score, index) => ({ id: `${prefix}${index}`, score }));
const some = (count: number) =>
  fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: count, maxLength: count });

describe('words and meaning', () => {
  it('S4.7 how much meaning counts does not depend on how many are asked for', () => {
    fc.assert(
      fc.property(some(400), some(400), (words, meaning) => {
        const wordMatches = ranked('c', words);
        // The best by words are somewhere in the middle by meaning.
        const meaningMatches = ranked('c', meaning).map(({ id, score }) => ({
          id: `c${(Number(id.slice(1)) + 150) % 400}`,
          score,
        }));
        const asked = (count: number) => {
          const byWord = wordsChannel(wordMatches.slice(0, count), 1.2);
          const ids = new Set(byWord.matches.map(({ id }) => id));
          return meaningChannel(
            meaningMatches.filter(({ id }, index) => index < count || ids.has(id)),
            byWord,
          );
        };
        expect(asked(400).weight).toBeCloseTo(asked(100).weight, 9);
      }),
      { numRuns: 50 },
    );
  });

  it('S4.7 meaning counts less where words have a clear answer', () => {
    const meaning = ranked('c', [0.9, 0.8, 0.5, 0.4]);
    const clear = meaningChannel(meaning, wordsChannel(ranked('c', [0.9, 0.5, 0.4]), 1));
    const close = meaningChannel(meaning, wordsChannel(ranked('c', [0.9, 0.89, 0.88]), 1));
    expect(clear.weight).toBeLessThan(close.weight / 2);
  });

  it('S4.7 words that stand out count a little more, and those who have none are neither ahead nor behind', () => {
    const words = wordsChannel(ranked('w', [0.5, 0.48, 0.4, 0.3]), 1);
    const out = standingOut(words);
    const scoreOf = (id: string) => fuse([out]).find((entry) => entry.id === id)!.score;
    expect(scoreOf('w0') - scoreOf('w3')).toBeGreaterThan(0.2);
    expect(scoreOf('w0') - scoreOf('w3')).toBeLessThan(0.25);
    for (const { score } of fuse([out])) expect(score).toBeGreaterThanOrEqual(0);
    expect(out.absent).toBeGreaterThan(0);
    expect(out.absent).toBeLessThan(0.02);
    expect(standingOut(wordsChannel(ranked('w', [0.5, 0.5]), 1))).toEqual(
      wordsChannel(ranked('w', [0.5, 0.5]), 1),
    );
  });

  it('S4.7 words the library hardly knows leave the decision to meaning', () => {
    const words = wordsChannel([{ id: 'chance', score: 0.3 }], 10);
    const matches = ranked('near', [0.9, 0.5, 0.4, 0.3]).concat({ id: 'chance', score: 0.1 });
    expect(fuse([words, meaningChannel(matches, words)])[0]!.id).toBe('near0');
  });

  it('no vectors, no opinion', () => {
    const words = wordsChannel(ranked('c', [2, 1]), 3);
    expect(fuse([words, meaningChannel([], words)]).map(({ id }) => id)).toEqual(['c0', 'c1']);
  });
});
