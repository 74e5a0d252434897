import type { Chunk } from '../model/chunk.js';
import type { Place } from './backend.js';

/**
 * What `Backend.adjacent` gives, of chunks that were found near these places: each once, none that is itself a place,
 * documents in the places' order and a document's chunks in its own.
 */
export function besidePlaces(found: readonly Chunk[], places: readonly Place[]): Chunk[] {
  const keyOf = (docId: string, index: number): string => `${docId} ${index}`;
  const seen = new Set(places.map(({ doc_id, index }) => keyOf(doc_id, index)));
  const order = new Map([...places].reverse().map(({ doc_id }, at) => [doc_id, places.length - at]));
  return found
    .filter(({ doc_id, chunk_index }) => {
      const key = keyOf(doc_id, chunk_index);
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => order.get(a.doc_id)! - order.get(b.doc_id)! || a.chunk_index - b.chunk_index);
}
