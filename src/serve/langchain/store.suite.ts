import type { DocumentInterface } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { VectorStoreInterface } from '@langchain/core/vectorstores';
import { describe, expect, it } from 'vitest';

/** Enough of a model for a contract: a text's vector counts its letters. Deterministic, and alike texts are near. */
export const letterEmbeddings: EmbeddingsInterface = {
  embedQuery: async (text) => letters(text),
  embedDocuments: async (texts) => texts.map(letters),
};

export const LETTERS = 26;

export function letters(text: string): number[] {
  const counts = new Array<number>(LETTERS).fill(0.01);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < LETTERS) counts[at]! += 1;
  }
  const length = Math.hypot(...counts);
  return counts.map((count) => count / length);
}

const documents: DocumentInterface[] = [
  { pageContent: 'zebra zoo zigzag', metadata: { kind: 'z', n: 1 } },
  { pageContent: 'apple banana', metadata: { kind: 'a', n: 2 } },
  { pageContent: 'queue quiz quick', metadata: { kind: 'q', n: 3 } },
];

/** What LangChain code relies on of any VectorStore. Run against LangChain's own in-memory store, too. */
export function vectorStoreContract(name: string, make: () => Promise<VectorStoreInterface>): void {
  describe(`VectorStore contract: ${name}`, () => {
    it('finds the nearest first, with scores that fall and are cosines', async () => {
      const store = await make();
      await store.addDocuments(documents);
      const found = await store.similaritySearchWithScore('zoo', 3);
      expect(found.map(([document]) => document.pageContent)[0]).toBe('zebra zoo zigzag');
      const scores = found.map(([, score]) => score);
      expect([...scores].sort((a, b) => b - a)).toEqual(scores);
      expect(scores[0]).toBeLessThanOrEqual(1.01);
      const exact = cosine(letters('zoo'), letters('zebra zoo zigzag'));
      expect(Math.abs(scores[0]! - exact)).toBeLessThan(0.01);
    });

    it('gives at most k, and keeps the metadata', async () => {
      const store = await make();
      await store.addDocuments(documents);
      const found = await store.similaritySearch('banana', 1);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatchObject({ pageContent: 'apple banana', metadata: { kind: 'a', n: 2 } });
    });

    it('takes vectors that were made elsewhere', async () => {
      const store = await make();
      const vectors = documents.map(({ pageContent }) => letters(pageContent));
      await store.addVectors(vectors, documents);
      const [[first]] = (await store.similaritySearchVectorWithScore(letters('quiz'), 1)) as [
        [DocumentInterface, number],
      ];
      expect(first.metadata).toMatchObject({ n: 3 });
    });

    it('serves as a retriever', async () => {
      const store = await make();
      await store.addDocuments(documents);
      const retriever = store.asRetriever(2);
      const found = await retriever.invoke('queue');
      expect(found.map(({ pageContent }) => pageContent)[0]).toBe('queue quiz quick');
      expect(found).toHaveLength(2);
    });

    it('is empty before anything is added', async () => {
      expect(await (await make()).similaritySearchVectorWithScore(letters('x'), 5)).toEqual([]);
    });
  });
}

const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0);
