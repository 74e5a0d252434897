import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../embed/embedder.js';
import type { Library, SearchOptions } from '../../engine/library.js';
import { openLibrary } from '../../engine/open.js';
import { StrataRetriever } from './retriever.js';
import { StrataVectorStore } from './store.js';
import { LETTERS, letterEmbeddings, letters, vectorStoreContract } from './store.suite.js';

const letterEmbedder: Embedder = {
  id: 'letters',
  dimensions: LETTERS,
  fingerprint: 'letters:1',
  embed: async (texts) => texts.map((text) => Float32Array.from(letters(text))),
  close: async () => {},
};

const opened: { library: Library; folder: string }[] = [];
afterEach(async () => {
  for (const { library, folder } of opened.splice(0)) {
    await library.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function library(embedder: Embedder | 'none' = letterEmbedder): Promise<Library> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-langchain-'));
  const made = await openLibrary({ library: join(folder, '.strata'), embedder });
  opened.push({ library: made, folder });
  return made;
}

vectorStoreContract(
  'Strata',
  async () => new StrataVectorStore(letterEmbeddings, { library: await library() }),
);

describe('S4.6 StrataVectorStore', () => {
  it('S4.6 replaces a document of the same id, and deletes by id', async () => {
    const kept = await library();
    const store = await StrataVectorStore.fromLibrary(kept);
    const add = (pageContent: string, note: string) =>
      store.addDocuments([{ pageContent, metadata: { note } }], { ids: ['one'] });
    expect(await add('zebra', 'first')).toEqual(['one']);
    await add('zebra', 'second');
    const found = await store.similaritySearch('zebra', 5);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ id: 'one', metadata: { note: 'second' } });
    await store.delete({ ids: ['one', 'unknown'] });
    expect(await store.similaritySearch('zebra', 5)).toEqual([]);
    expect((await kept.status()).documents).toBe(0);
  });

  it('S4.6 refuses vectors that cannot be compared with the library’s', async () => {
    const store = new StrataVectorStore(letterEmbeddings, { library: await library() });
    await expect(store.addVectors([[1, 2, 3]], [{ pageContent: 'x', metadata: {} }])).rejects.toThrow(
      /3 dimensions/,
    );
    await expect(StrataVectorStore.fromLibrary(await library('none'))).rejects.toThrow(/no embedding model/);
  });

  it('S4.6 finds what was added otherwise too, with title_path and lines; settings stay as they are', async () => {
    const kept = await library();
    await kept.addText({ title: 'Guide', text: '# Guide\n\n## Zoo\n\nzebra zoo zigzag zebra\n' });
    const store = await StrataVectorStore.fromLibrary(kept);
    await store.addDocuments([{ pageContent: 'apple', metadata: {} }]);
    const [found] = await store.similaritySearch('zebra zoo', 1);
    expect(found!.metadata).toMatchObject({ title_path: ['Guide', 'Zoo'], loc: { lines: { from: 1 } } });
    expect((await kept.status()).settings.strategy).toBe('hierarchical');
  });

  it('S4.6 maximal marginal relevance leaves out what repeats, in a search and in a retriever', async () => {
    const store = await StrataVectorStore.fromLibrary(await library());
    const texts = ['zoo zebra', 'zoo zebra!', 'zoo zebra?', 'zoo quiz quiz', 'apple banana'];
    await store.addDocuments(texts.map((pageContent) => ({ pageContent, metadata: {} })));
    const contents = (found: readonly { pageContent: string }[]) =>
      found.map(({ pageContent }) => pageContent);
    const nearest = contents(await store.similaritySearch(QUESTION, 2));
    expect(nearest.every((text) => text.startsWith('zoo zebra'))).toBe(true);

    const diverse = contents(await store.maxMarginalRelevanceSearch(QUESTION, { k: 2 }));
    expect(diverse[0]).toMatch(/^zoo zebra/);
    expect(diverse[1]).not.toMatch(/^zoo zebra/);

    const retriever = store.asRetriever({ k: 2, searchType: 'mmr', searchKwargs: { lambda: 0.5 } });
    expect(contents(await retriever.invoke(QUESTION))).toEqual(diverse);
    const relevant = await store.maxMarginalRelevanceSearch(QUESTION, { k: 3, fetchK: 1, lambda: 1 });
    expect(contents(relevant).every((text) => text.startsWith('zoo zebra'))).toBe(true);
    expect(relevant).toHaveLength(3);
    await expect(store.maxMarginalRelevanceSearch('zoo', { k: 2, lambda: 3 })).rejects.toThrow(/lambda/);
    await expect(
      store.asRetriever({ searchType: 'mmr', filter: unknownKeys }).invoke('zoo'),
    ).rejects.toMatchObject({ message: refusal });
  });

  it('S4.6 titles, sources and citations are readable where a document has neither title nor path', async () => {
    const kept = await library();
    const store = await StrataVectorStore.fromLibrary(kept);
    const [id] = await store.addDocuments([
      { pageContent: `\n  Zebras of the zoo\nThey graze. ${'zoo '.repeat(40)}`, metadata: {} },
    ]);
    await store.addDocuments([{ pageContent: 'b'.repeat(300), metadata: {} }]);
    await store.addDocuments([
      { pageContent: 'quiz', metadata: { title: 'Quiz night', source: 'quiz.pdf' } },
    ]);
    const nearest = async (query: string) => (await store.similaritySearch(query, 1))[0]!;
    const zebras = await nearest('zebra zoo graze');
    const long = await nearest('bbb');
    const quiz = await nearest('quiz');
    expect(zebras).toMatchObject({
      id,
      metadata: { title: 'Zebras of the zoo', source: 'Zebras of the zoo' },
    });
    const citation: string = zebras.metadata.citation;
    expect(citation).toMatch(/^Zebras of the zoo .*\[strata:/);
    expect(citation.split('[strata:')[0]).not.toMatch(/[0-9a-f]{8}-/);
    expect(await kept.verify(citation)).toMatchObject({ status: 'unchanged' });
    expect(long.metadata.title).toBe(`${'b'.repeat(79)}…`);
    expect(quiz.metadata).toMatchObject({ title: 'Quiz night', source: 'quiz.pdf' });
    const [retrieved] = await new StrataRetriever({ library: kept, k: 1 }).invoke('zebras graze');
    expect(retrieved!.metadata).toMatchObject({ citation, title: 'Zebras of the zoo' });
  });

  it('S4.6 refuses filters it does not know, naming them, also of an empty library', async () => {
    const kept = await library();
    const store = await StrataVectorStore.fromLibrary(kept);
    const ways = [
      () => store.similaritySearch('zoo', 1, unknownKeys),
      () => store.asRetriever({ k: 1, filter: unknownKeys }).invoke('zoo'),
      () => store.maxMarginalRelevanceSearch('zoo', { k: 1, filter: unknownKeys }),
      () => new StrataRetriever({ library: kept, filter: unknownKeys }).invoke('zoo'),
      () => kept.list({ filter: unknownKeys }),
    ];
    for (const ask of ways) {
      await expect(ask()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: refusal });
    }
    // LangChain's in-memory store filters by a function, which would restrict nothing here.
    const byFunction = (() => false) as unknown as typeof unknownKeys;
    await expect(store.similaritySearch('zoo', 1, byFunction)).rejects.toThrow(/not an object/);
    expect(await store.similaritySearch('zoo', 1, { tags: ['none'] })).toEqual([]);
  });
});

/** Near to the zebras, and a little to the quiz. */
const QUESTION = 'zoo zebra qu';
const unknownKeys = { author: 'Ann', toString: 'x', tags: ['a'] } as unknown as NonNullable<
  SearchOptions['filter']
>;
const refusal = expect.stringMatching(/"author", "toString" is unknown/);

describe('S4.6 StrataRetriever', () => {
  it('S4.6 gives passages with citation, place and score, best first', async () => {
    const kept = await library('none');
    await kept.addText({ title: 'Backups', text: '# Backups\n\nRestoring a backup takes an hour.\n' });
    await kept.addText({ title: 'Other', text: '# Other\n\nSomething about cats, dogs and one backup.\n' });
    const found = await new StrataRetriever({ library: kept, k: 2 }).invoke('restoring a backup');
    expect(found[0]!.pageContent).toContain('takes an hour');
    expect(found[0]!.metadata).toMatchObject({
      title: 'Backups',
      content_type: 'text',
      loc: { lines: { from: 1, to: 3 } },
    });
    expect(found[0]!.metadata.citation).toMatch(/strata:/);
    expect(found.length).toBeLessThanOrEqual(2);
    expect(found[0]!.metadata.score).toBeGreaterThan(found[1]!.metadata.score);
  });
});
