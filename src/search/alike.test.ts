import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantise } from '../store/index/quantise.js';
import { alikeChannel } from './alike.js';
import { alone, fuse, type ScoredId } from './fuse.js';
import { search } from './search.js';
import { embedAll, meaningEmbedder, smallLibrary } from './small-library.suite.js';

/** `document/place`; each is a document of its own where there is no place. */
const documentOf = (id: string): string => id.split('/')[0]!;

/** Directions by angle, in degrees: passages are as like as these are near. */
const ordered = (
  found: readonly ScoredId[],
  angles: Readonly<Record<string, number>>,
  trust = 1,
): readonly string[] => {
  const channel = alone('words', found);
  const turned = Object.entries(angles).map(([id, angle]) => {
    const radians = (angle * Math.PI) / 180;
    return [id, quantise(Float32Array.of(Math.cos(radians), Math.sin(radians)))] as const;
  });
  const alike = alikeChannel(fuse([channel]), new Map(turned), documentOf, trust);
  return fuse(alike === null ? [channel] : [channel, alike]).map(({ id }) => id);
};

/** Seven passages, of which the last is at the angle given and all others far from each other. */
const SEVEN = ['best', 'b', 'c', 'd', 'e', 'f', 'last'];
const scored = SEVEN.map((id, at) => ({ id, score: at === 0 ? 1 : 0.6 - 0.01 * at }));
const anglesWith = (last: number) => ({ best: 0, b: 60, c: 120, d: 150, e: 90, f: 170, last });

describe('a passage that is like a better one', () => {
  it('S4.7 comes up to it, and never before it', () => {
    const like = ordered(scored, anglesWith(2));
    expect(like[0]).toBe('best');
    expect(like.indexOf('last')).toBeLessThan(3);
    expect(ordered(scored, anglesWith(135)).at(-1)).toBe('last');
  });

  it('S4.7 stays where it is when it belongs to the same document, has no vector, or vectors mean nothing', () => {
    const names = SEVEN.map((id) => (id === 'last' ? 'best/2' : id));
    const same = scored.map(({ score }, at) => ({ id: names[at]!, score }));
    const { last, ...others } = anglesWith(2);
    expect(ordered(same, { ...others, 'best/2': last }).at(-1)).toBe('best/2');
    expect(ordered(scored, others).at(-1)).toBe('last');
    expect(ordered(scored, anglesWith(2), 0.01).at(-1)).toBe('last');
  });

  it('S4.7 the best stays the best, and nobody sinks, whatever is alike', () => {
    const places = fc.array(fc.integer({ min: 0, max: 359 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(places, (angles) => {
        const vectors = new Map(
          SEVEN.map((id, at) => {
            const radians = (angles[at]! * Math.PI) / 180;
            return [id, quantise(Float32Array.of(Math.cos(radians), Math.sin(radians)))] as const;
          }),
        );
        const before = fuse([alone('words', scored)]);
        const alike = alikeChannel(before, vectors, documentOf, 1);
        for (const { id, score } of alike?.matches ?? []) {
          const own = scored.find((one) => one.id === id)!.score;
          expect(score).toBeGreaterThan(0);
          // Half of the way to the best is the most.
          expect(own + score).toBeLessThanOrEqual((1 + own) / 2 + 1e-9);
        }
        expect(alike?.matches.some(({ id }) => id === 'best') ?? false).toBe(false);
      }),
    );
  });

  it('S4.7 what is said again elsewhere is found, and the explanation says so', async () => {
    const documents = [
      { name: 'first.md', text: 'The doctor drives a car in the storm.' },
      { name: 'again.md', text: 'A physician takes an automobile; the weather is bad.' },
      { name: 'tax.md', text: 'A doctor pays tax.' },
      { name: 'cook.md', text: 'The doctor likes the kitchen.' },
      { name: 'money.md', text: 'The storm of money and finance.' },
      { name: 'recipe.md', text: 'A recipe, quick and fast.' },
    ];
    const backend = await smallLibrary(documents);
    await embedAll(backend);
    const asked = { query: 'doctor in a car in the storm', explain: true };
    const { results } = await search({ backend, embedder: meaningEmbedder }, asked);
    expect(results.slice(0, 2).map(({ item }) => item.source_path)).toEqual(['first.md', 'again.md']);
    const channels = results.map(({ matched_chunks: [best] }) =>
      best!.explain!.map(({ channel }) => channel),
    );
    expect(channels[0]).not.toContain('alike');
    expect(channels[1]).toContain('alike');
  });
});
