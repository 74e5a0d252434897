import type { Chunk } from '../model/chunk.js';
import type { Backend } from './backend.js';
import type { LexicalIndex } from './lexical.js';
import type { VectorIndex } from './vectors.js';

/** What a store knows at the moment a question is asked. */
export interface Moment {
  readonly generation: number;
  readonly counts: Awaited<ReturnType<Backend['counts']>>;
  /** Both answer without looking whether the index has changed since. */
  readonly words: LexicalIndex;
  readonly vectors: VectorIndex;
}

/**
 * A library for the reads of one question, where each read is a way to a server: what was looked up once is not looked
 * up again. Whoever asks checks at the end whether the library is still of that generation (engine/consistent-read.ts).
 */
export function oneQuestion(backend: Backend, { generation, counts, words, vectors }: Moment): Backend {
  const chunks = new Map<string, Chunk>();
  const chunksById = async (ids: readonly string[]): Promise<readonly Chunk[]> => {
    const missing = ids.filter((id) => !chunks.has(id));
    if (missing.length > 0)
      for (const chunk of await backend.chunksById(missing)) chunks.set(chunk.id, chunk);
    return ids.flatMap((id) => chunks.get(id) ?? []);
  };
  return {
    ...backend,
    words,
    vectors,
    generation: async () => generation,
    counts: async () => counts,
    chunksById,
    chunk: async (id) => (await chunksById([id]))[0] ?? null,
  };
}
