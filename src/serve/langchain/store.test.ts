import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../embed/embedder.js';
import type { Library } from '../../engine/library.js';
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
});

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
