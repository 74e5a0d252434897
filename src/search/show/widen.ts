import type { Chunk } from '../../model/chunk.js';
import type { ContextChunk } from '../../model/result.js';
import type { Backend } from '../../store/backend.js';
import type { SearchContext } from '../options.js';

/** What stands around the matched chunks in their document, in reading order, none of them repeated. */
export async function contextOf(
  backend: Backend,
  docId: string,
  matched: readonly Chunk[],
  context: SearchContext,
): Promise<ContextChunk[]> {
  if (context === 'none' || matched.length === 0) return [];
  const around =
    context === 'document' ? await backend.chunksOf(docId) : await neighbours(backend, docId, matched);
  const seen = new Set(matched.map(({ id }) => id));
  const fresh: Chunk[] = [];
  for (const chunk of around) {
    if (seen.has(chunk.id)) continue;
    seen.add(chunk.id);
    fresh.push(chunk);
  }
  return fresh
    .sort((a, b) => a.chunk_index - b.chunk_index)
    .map(({ id, content, title, chunk_index, start_position, end_position }) => ({
      chunk_id: id,
      content,
      heading: title,
      chunk_index,
      start_position,
      end_position,
    }));
}

async function neighbours(backend: Backend, docId: string, matched: readonly Chunk[]): Promise<Chunk[]> {
  const found = await Promise.all(matched.map((chunk) => backend.adjacent(docId, chunk.chunk_index, 1, 1)));
  return found.flat();
}
