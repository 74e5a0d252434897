import type { Chunk } from '../../model/chunk.js';
import type { ContextChunk } from '../../model/result.js';
import type { Backend } from '../../store/backend.js';
import type { Group } from '../group.js';
import type { SearchContext } from '../options.js';

/** What stands around the matched chunks of each document, by its id: in reading order, without the matched ones. */
export async function contextsOf(
  backend: Backend,
  groups: readonly Group[],
  context: SearchContext,
): Promise<ReadonlyMap<string, readonly ContextChunk[]>> {
  const contexts = new Map<string, ContextChunk[]>();
  if (context === 'none' || groups.length === 0) return contexts;
  const matched = groups.flatMap(({ chunks }) => chunks.map(({ chunk }) => chunk));
  const seen = new Set(matched.map(({ id }) => id));
  const around =
    context === 'document' ? await wholeDocuments(backend, groups) : await neighbours(backend, matched);
  for (const chunk of around) {
    if (seen.has(chunk.id)) continue;
    const own = contexts.get(chunk.doc_id);
    if (own === undefined) contexts.set(chunk.doc_id, [contextChunk(chunk)]);
    else own.push(contextChunk(chunk));
  }
  return contexts;
}

const wholeDocuments = async (backend: Backend, groups: readonly Group[]): Promise<Chunk[]> =>
  (await Promise.all(groups.map(({ doc_id }) => backend.chunksOf(doc_id)))).flat();

const neighbours = (backend: Backend, matched: readonly Chunk[]): Promise<readonly Chunk[]> =>
  backend.adjacent(
    matched.map(({ doc_id, chunk_index }) => ({ doc_id, index: chunk_index })),
    1,
    1,
  );

const contextChunk = (chunk: Chunk): ContextChunk => ({
  chunk_id: chunk.id,
  content: chunk.content,
  heading: chunk.title,
  chunk_index: chunk.chunk_index,
  start_position: chunk.start_position,
  end_position: chunk.end_position,
});
