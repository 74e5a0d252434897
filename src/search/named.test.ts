import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '../model/chunk.js';
import { alone, fuse, type ScoredId } from './fuse.js';
import { isNamed, namedChannel } from './named.js';
import { search } from './search.js';
import { embedAll, meaningEmbedder, smallLibrary } from './small-library.suite.js';

interface Passage {
  readonly title: string;
  readonly text: string;
}

/** Passages best first, each a document of its own unless the id says otherwise: `document/place`. */
const documentOf = (id: string): string => id.split('/')[0]!;
const chunksOf = (passages: Readonly<Record<string, Passage>>): Chunk[] =>
  Object.entries(passages).map(
    ([id, { title, text }]) =>
      ({ id, doc_id: documentOf(id), parent_doc_title: title, content: text, metadata: {} }) as Chunk,
  );
const ordered = (found: readonly ScoredId[], passages: Readonly<Record<string, Passage>>): string[] => {
  const channel = alone('words', found);
  const named = namedChannel(fuse([channel]), chunksOf(passages), documentOf);
  return fuse(named === null ? [channel] : [channel, named]).map(({ id }) => id);
};

describe('a passage that names another document', () => {
  it('S4.7 brings it up to itself, and never before itself', () => {
    const passages = {
      film: { title: 'The Lighthouse Keeper', text: 'A film of 1962, directed by Jan Novak.' },
      other: { title: 'Lighthouses', text: 'Keepers lit the lamps.' },
      person: { title: 'Jan Novak (director)', text: 'He was born in Brno.' },
    };
    const found = [
      { id: 'film', score: 1 },
      { id: 'other', score: 0.6 },
      { id: 'person', score: 0.3 },
    ];
    expect(ordered(found, passages)).toEqual(['film', 'person', 'other']);
    const unnamed = { ...passages, person: { title: 'Jan Nov', text: 'He was born in Brno.' } };
    expect(ordered(found, unnamed)).toEqual(['film', 'other', 'person']);
    // A document does not name itself.
    const itself = { ...passages, film: { title: 'Brno', text: 'Brno is a city.' } };
    expect(ordered(found, itself)).toEqual(['film', 'other', 'person']);
  });

  it('S4.7 the best stays the best, and the order inside a document stays, whatever is named', () => {
    const scores = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 4, maxLength: 12 });
    const titles = ['Alpha', 'Beta', 'Gamma', 'Delta'];
    const texts = fc.array(fc.subarray(titles), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(scores, texts, (values, names) => {
        const found = [...new Set(values)]
          .sort((a, b) => b - a)
          .map((value, at) => ({ id: `${titles[(at * 7) % 4]}/${at}`, score: value / 100 }));
        const passages = Object.fromEntries(
          found.map(({ id }, at) => [id, { title: documentOf(id), text: names[at]!.join(', ') }]),
        );
        const order = ordered(found, passages);
        expect(order[0]).toBe(found[0]!.id);
        for (const title of titles) {
          const own = (ids: readonly string[]) => ids.filter((id) => documentOf(id) === title);
          expect(own(order)).toEqual(own(found.map(({ id }) => id)));
        }
      }),
    );
  });

  it('S4.7 a name is a whole one, as it is written, and not too short', () => {
    expect(isNamed('Jan Novak', 'by Jan Novak, 1962')).toBe(true);
    expect(isNamed('Jan Novak', 'by Jan Novaková')).toBe(false);
    expect(isNamed('art', 'the heart, and art.')).toBe(true);
    expect(isNamed('art', 'the heart and parts')).toBe(false);
    expect(isNamed('Examples', 'Some examples follow.')).toBe(false);
    expect(isNamed('It', 'It is so.')).toBe(false);
    expect(isNamed('', 'anything')).toBe(false);
    expect(isNamed('老舍', '作者老舍生于北京')).toBe(true);
    expect(isNamed('京', '生于北京')).toBe(false);
  });

  it('S4.7 a question that one document begins and another answers finds both', async () => {
    const libraryWith = (director: string) => [
      { name: 'film.md', text: `# The Red Automobile\n\nThe Red Automobile is a film by ${director}.` },
      {
        name: 'garage.md',
        text: '# Garages\n\nA red automobile stands in a garage.',
      },
      { name: 'person.md', text: '# Jan Novak\n\nHe was born in Brno and had a doctor.' },
      { name: 'bread.md', text: '# Bread\n\nA recipe for the kitchen.' },
    ];
    const asked = { query: 'Where was the director of The Red Automobile born?', explain: true };
    const resultsWith = async (director: string) => {
      const backend = await smallLibrary(libraryWith(director));
      await embedAll(backend);
      return (await search({ backend, embedder: meaningEmbedder }, asked)).results;
    };
    const placeOf = (found: readonly { item: { source_path?: string | null } }[], name: string): number =>
      found.findIndex(({ item }) => item.source_path === name);
    const [results, unnamed] = [await resultsWith('Jan Novak'), await resultsWith('Petr Dvorak')];
    expect(placeOf(results, 'person.md')).toBeGreaterThan(placeOf(results, 'film.md'));
    const scoreOf = (found: typeof results): number =>
      found[placeOf(found, 'person.md')]!.matched_chunks[0]!.score;
    expect(scoreOf(results)).toBeGreaterThan(1.2 * scoreOf(unnamed));
    const named = results[placeOf(results, 'person.md')]!.matched_chunks[0]!.explain!.find(
      ({ channel }) => channel === 'named',
    );
    expect(named).toMatchObject({ rank: 1 });
    expect(named!.score).toBeGreaterThan(0);
  });
});
