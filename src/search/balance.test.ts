import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balance, meaningChannels, togetherChannel, wordsChannel } from './balance.js';
import { type Channel, fuse, type ScoredId } from './fuse.js';
import { trustIn } from './trust.js';

const ranked = (prefix: string, scores: readonly number[]): ScoredId[] =>
  [...scores].sort((a, b) => b - a).map((score, index) => ({ id: `${prefix}${index}`, score }));
const some = (count: number) =>
  fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: count, maxLength: count });
/** Each candidate a document of its own. */
const apart = (id: string): string => id;
const weightOf = (channels: readonly Channel[]): number =>
  channels.reduce((sum, { weight }) => sum + weight, 0);

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
          return meaningChannels(
            meaningMatches.filter(({ id }, index) => index < count || ids.has(id)),
            byWord,
            apart,
          );
        };
        expect(weightOf(asked(400))).toBeCloseTo(weightOf(asked(100)), 9);
      }),
      { numRuns: 50 },
    );
  });

  it('S4.7 meaning counts less where words have a clear answer', () => {
    const meaning = ranked('c', [0.9, 0.8, 0.5, 0.4]);
    const clear = meaningChannels(meaning, wordsChannel(ranked('c', [0.9, 0.5, 0.5, 0.5]), 1), apart);
    const close = meaningChannels(meaning, wordsChannel(ranked('c', [0.9, 0.9, 0.5, 0.5]), 1), apart);
    expect(weightOf(clear)).toBeLessThan(weightOf(close) / 2);
  });

  it('S4.7 meaning counts less where a passage holds many of the question’s words; words that stand together count on', () => {
    const meaning = ranked('c', [0.9, 0.8, 0.5, 0.4]);
    const byWord = wordsChannel(ranked('c', [0.5, 0.5, 0.3, 0.3]), 1);
    const asked = (terms: number) => balance(meaning, byWord, { terms });
    // Up to eight terms, of which the best holds half, only their number tells.
    expect(asked(8).strength).toBe(asked(8).byFewWords);
    expect(asked(32).strength).toBeCloseTo(asked(32).byFewWords / 8, 9);
    const shares = ranked('c', [0.8, 0.6, 0.2, 0.1]);
    const weight = (terms: number) => togetherChannel(shares, asked(terms))!.weight;
    expect(weight(32) / weight(8)).toBeCloseTo(asked(32).byFewWords / asked(8).byFewWords, 9);
  });

  it('S4.7 of two passages that words find alike, the one whose document is nearer is first', () => {
    const words = wordsChannel(
      [
        { id: 'near-doc/other', score: 0.5 },
        { id: 'far-doc/other', score: 0.5 },
      ],
      1,
    );
    const matches = ranked('', [0.9, 0.5, 0.4, 0.4]).map(({ score }, at) => ({
      id: ['near-doc/best', 'far-doc/best', 'near-doc/other', 'far-doc/other'][at]!,
      score,
    }));
    const homeOf = (id: string) => id.split('/')[0]!;
    const order = fuse([words, ...meaningChannels(matches, words, homeOf)]).map(({ id }) => id);
    expect(order.indexOf('near-doc/other')).toBeLessThan(order.indexOf('far-doc/other'));
    // Its passages share a rank.
    const ranks = fuse([meaningChannels(matches, words, homeOf)[1]!]).map(
      ({ evidence }) => evidence[0]!.rank,
    );
    expect(ranks).toEqual([1, 1, 3, 3]);
    // Inside a document its own meaning decides.
    const inside = fuse(meaningChannels(matches, wordsChannel([], 1), homeOf)).map(({ id }) => id);
    expect(inside.indexOf('near-doc/best')).toBeLessThan(inside.indexOf('near-doc/other'));
  });

  it('S4.7 a passage whose document has no vector yet counts as a little better than the mean', () => {
    const words = wordsChannel([{ id: 'unknown', score: 0 }], 1);
    const matches = ranked('c', [0.9, 0.7, 0.5, 0.3]);
    const order = fuse([words, ...meaningChannels(matches, words, apart)]).map(({ id }) => id);
    expect(order).toEqual(['c0', 'unknown', 'c1', 'c2', 'c3']);
  });

  it('S4.7 words that stand together count more; who was not read again is neither ahead nor behind', () => {
    const words = wordsChannel(ranked('w', [0.5, 0.49, 0.48, 0.47]), 1);
    const shares = [
      { id: 'w0', score: 0.2 },
      { id: 'w1', score: 0.8 },
      { id: 'w2', score: 0.2 },
    ];
    const balanced = balance(ranked('w', [0.9, 0.8, 0.7, 0.6]), words);
    const together = togetherChannel(shares, balanced)!;
    const fused = fuse([words, together]);
    expect(fused[0]!.id).toBe('w1');
    const gained = (id: string) =>
      fused.find((entry) => entry.id === id)!.score - words.matches.find((match) => match.id === id)!.score;
    expect(gained('w3')).toBeCloseTo((gained('w0') + gained('w1') + gained('w2')) / 3, 9);
    for (const { score } of fused) expect(score).toBeGreaterThanOrEqual(0);
    const alike = shares.map(({ id }) => ({ id, score: 0.3 }));
    expect(togetherChannel(alike, balanced)).toBeNull();
  });

  it('S4.7 words the library hardly knows leave the decision to meaning', () => {
    const words = wordsChannel([{ id: 'chance', score: 0.3 }], 10);
    const matches = ranked('near', [0.9, 0.5, 0.4, 0.3]).concat({ id: 'chance', score: 0.1 });
    expect(fuse([words, ...meaningChannels(matches, words, apart)])[0]!.id).toBe('near0');
  });

  it('S4.7 meaning counts the more the further the nearest stands out', () => {
    const words = wordsChannel(ranked('c', [0.5, 0.5, 0.4, 0.3, 0.3]), 1);
    // In deviations of its own: the same of cosines that lie close together and far apart.
    const inDeviations = (scores: readonly number[]) => {
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
      const spread = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
      return weightOf(meaningChannels(ranked('c', scores), words, apart)) * spread;
    };
    const [clear, vague] = [
      inDeviations([0.9, 0.5, 0.49, 0.48, 0.47]),
      inDeviations([0.9, 0.8, 0.5, 0.2, 0.1]),
    ];
    expect(clear).toBeGreaterThan(1.3 * vague);
  });

  it('S4.7 vectors that mean nothing here are not asked: passages with the question’s words must be nearer than others', () => {
    const words = ranked(
      'c',
      Array.from({ length: 40 }, (_, at) => 1 - at / 100),
    );
    const background = Array.from({ length: 100 }, (_, at) => at / 100);
    const nearBy = (scoreAt: (at: number) => number) =>
      words.map(({ id }, at) => ({ id, score: scoreAt(at) }));
    expect(
      trustIn(
        nearBy(() => 0.9),
        words,
        background,
      ),
    ).toBeGreaterThan(0.99);
    // As random vectors have it: anywhere.
    const random = (at: number): number => (at * 0.37) % 1;
    expect(trustIn(nearBy(random), words, background)).toBeLessThan(0.02);
    // Few passages with the question's words say less, for and against.
    const few = words.slice(0, 2);
    const [near, far] = [nearBy(() => 0.95), nearBy(random)].map((all) => trustIn(all, few, background));
    expect(near).toBeGreaterThan(2 * far!);
    expect(near).toBeLessThan(0.9);
    expect(trustIn([], words, [])).toBe(1);
    // Their order is the words', and where words find nothing there still is one.
    const none = wordsChannel(words, 2);
    const against = nearBy((at) => at / 100);
    const trust = trustIn(nearBy(random), words, background);
    const order = fuse([none, ...meaningChannels(against, none, apart, balance(against, none, { trust }))]);
    expect(order.map(({ id }) => id)).toEqual(words.map(({ id }) => id));
    const wordless = wordsChannel([], 1);
    const alone = fuse(meaningChannels(against, wordless, apart, balance(against, wordless, { trust })));
    expect(alone[0]!.id).toBe('c39');
  });

  it('S4.7 meaning counts less the further the best by words is from the nearest, and the more words are asked', () => {
    const scores = [0.9, 0.7, 0.5, 0.3, 0.1];
    const meaning = ranked('c', scores);
    const strengths = meaning.map(
      ({ id }) =>
        balance(meaning, wordsChannel([{ id, score: 0.5 }, ...ranked('w', [0.5, 0.3])], 1)).strength,
    );
    expect(strengths).toEqual([...strengths].sort((a, b) => b - a));
    expect(strengths[0]).toBeGreaterThan(2 * strengths[4]!);
    const words = wordsChannel(ranked('c', [0.5, 0.4]), 1);
    const of = (terms: number): number => balance(meaning, words, { terms }).strength;
    expect(of(3)).toBeGreaterThan(of(8));
    expect(of(8)).toBeGreaterThan(of(30));
  });

  it('no vectors, no opinion', () => {
    const words = wordsChannel(ranked('c', [2, 1]), 3);
    expect(fuse([words, ...meaningChannels([], words, apart)]).map(({ id }) => id)).toEqual(['c0', 'c1']);
  });
});
