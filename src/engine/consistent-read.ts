import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import type { Backend } from '../store/backend.js';

/** After this many writes in the way, an answer of two moments is better than none. */
const MOST_ATTEMPTS = 20;

/**
 * Runs several reads so that they belong together. A store gives each read the state of one moment; between two reads
 * another process may replace a document, and a hit of the old version would stand beside neighbours of the new one, or
 * be lost. So what was read is checked at the end, and read again where it no longer holds. It costs nothing while
 * nobody writes, and readers hold no lock.
 */
export async function readConsistently<T>(
  backend: Backend,
  run: (backend: Backend) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const asked = (await backend.forOneQuestion?.()) ?? backend;
    const before = await asked.generation();
    const seen = new Seen();
    const result = await run(seen.watch(asked));
    const isUndisturbed = attempt === MOST_ATTEMPTS || (await backend.generation()) === before;
    if (isUndisturbed || (await seen.stillHolds(backend))) return result;
  }
}

/** What was read, and whether anything was asked for in vain. */
class Seen {
  readonly #chunkIds = new Set<string>();
  readonly #documents = new Map<string, Document>();
  #isIncomplete = false;

  watch(backend: Backend): Backend {
    return {
      ...backend,
      chunk: async (id) => this.#chunks(await backend.chunksById([id]), 1)[0] ?? null,
      chunksById: async (ids) => this.#chunks(await backend.chunksById(ids), ids.length),
      documentIdsOf: async (ids) => {
        const found = await backend.documentIdsOf(ids);
        if (found.includes(null)) this.#isIncomplete = true;
        return found;
      },
      chunksOf: async (docId) => this.#chunks(await backend.chunksOf(docId)),
      adjacent: async (...asked) => this.#chunks(await backend.adjacent(...asked)),
      document: async (id) => this.#document(await backend.document(id)),
      documentsById: async (ids) => {
        const found = await backend.documentsById(ids);
        for (const document of found) this.#document(document);
        if (found.length < ids.length) this.#isIncomplete = true;
        return found;
      },
      documentBySource: async (source) => this.#document(await backend.documentBySource(source)),
      documents: async (page) => {
        const found = await backend.documents(page);
        for (const document of found) this.#document(document);
        return found;
      },
    };
  }

  /** One read each: all of it still there, as it was. */
  async stillHolds(backend: Backend): Promise<boolean> {
    if (this.#isIncomplete) return false;
    const doc_ids = [...this.#documents.keys()];
    const now = doc_ids.length === 0 ? [] : await backend.documentsById(doc_ids);
    if (now.length !== doc_ids.length) return false;
    if (now.some((document) => JSON.stringify(document) !== JSON.stringify(this.#documents.get(document.id))))
      return false;
    const ids = [...this.#chunkIds];
    return ids.length === 0 || (await backend.chunksById(ids)).length === ids.length;
  }

  #chunks(chunks: readonly Chunk[], wanted = 0): readonly Chunk[] {
    for (const { id } of chunks) this.#chunkIds.add(id);
    if (chunks.length < wanted) this.#isIncomplete = true;
    return chunks;
  }

  #document(document: Document | null): Document | null {
    if (document === null) this.#isIncomplete = true;
    else this.#documents.set(document.id, document);
    return document;
  }
}
