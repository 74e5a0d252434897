import { expect, it } from 'vitest';
import { search } from '../search/search.js';
import type { LexicalIndex, LexicalQuery } from '../store/lexical.js';
import { memoryBackend } from '../store/memory/memory.js';
import { sampleWrite } from '../store/sample.js';
import { readConsistently } from './consistent-read.js';

const version = (word: string) =>
  sampleWrite({
    source: 'file:a.md',
    title: 'A',
    parts: ['One', 'Two'].map((heading) => ({ heading, body: word })),
  });

it('B6 reads that a writer came between are done again, and belong together', async () => {
  const backend = memoryBackend();
  await backend.commit({ put: [version('old')] });
  const { id } = version('old').document;
  let attempts = 0;
  const read = await readConsistently(backend, async (at) => {
    const [first] = await at.adjacent([{ doc_id: id, index: 1 }], 1, 0);
    if (attempts++ === 0) await backend.commit({ put: [version('new')] });
    const [second] = await at.adjacent([{ doc_id: id, index: 0 }], 0, 1);
    return [first!.content, second!.content];
  });
  expect(attempts).toBe(2);
  expect(read.every((content) => content.includes('new'))).toBe(true);
});

it('B6 a hit that was replaced before it could be read is looked for again', async () => {
  const backend = memoryBackend();
  await backend.commit({ put: [version('old')] });
  let attempts = 0;
  const found = await readConsistently(backend, async (at) => {
    const query = { terms: [{ term: 'a', weight: 1 }], k: 9, kind: 'chunk', scorer: 'bm25' } as const;
    const ids = (await at.words.match(query)).map(({ id }) => id);
    if (attempts++ === 0) await backend.commit({ put: [version('new')] });
    return at.chunksById(ids);
  });
  expect(found).toHaveLength(2);
});

it.each(['fruit', '"fruit"'])(
  'B6 a search for %s finds a document that was replaced in its middle',
  async (query) => {
    const backend = memoryBackend();
    await backend.commit({ put: [version('fruit old')] });
    let isReplaced = false;
    // Words are matched, and then the document they stand in is replaced: all its chunks have other ids.
    const words: LexicalIndex = {
      termsWithPrefix: (prefix, limit) => backend.words.termsWithPrefix(prefix, limit),
      frequencies: (terms) => backend.words.frequencies(terms),
      match: async (asked: LexicalQuery) => {
        const found = await backend.words.match(asked);
        if (!isReplaced) {
          isReplaced = true;
          await backend.commit({ put: [version('fruit new')] });
        }
        return found;
      },
    };
    const found = await readConsistently({ ...backend, words }, (at) =>
      search({ backend: at, embedder: null }, { query, mode: 'keyword' }),
    );
    expect(found.results[0]?.matched_chunks.map(({ content }) => content.includes('new'))).toEqual([
      true,
      true,
    ]);
  },
);

it('a write to another document disturbs nobody', async () => {
  const backend = memoryBackend();
  await backend.commit({ put: [version('old')] });
  let attempts = 0;
  await readConsistently(backend, async (at) => {
    attempts++;
    await at.document(version('old').document.id);
    await backend.commit({ put: [sampleWrite({ source: `file:${attempts}`, title: 'B', parts: [] })] });
    await at.chunksOf(version('old').document.id);
  });
  expect(attempts).toBe(1);
});
