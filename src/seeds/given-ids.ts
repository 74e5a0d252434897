import type { Chunk } from '../model/chunk.js';
import { derivedId } from '../model/id.js';
import type { JsonObject } from '../model/json/json.js';
import type { Backend } from '../store/backend.js';

/**
 * The library derives its ids; whoever saves something under an id of their own gets that id back. A chunk remembers it in
 * its metadata, and a record leads from it to the library's own.
 */
const CHUNK = 'knowledge_chunk';
const GIVEN_ID = 'knowledge_chunk_id';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id under which the library keeps an item or a document. */
export const ownItemId = (given: string): string => (UUID.test(given) ? given : derivedId('item', given));

export const givenId = ({ id, metadata }: { readonly id: string; readonly metadata: JsonObject }): string =>
  typeof metadata[GIVEN_ID] === 'string' ? metadata[GIVEN_ID] : id;

/** Metadata that remembers the id given, where it is not the library's own. */
export const withGivenId = (metadata: JsonObject, given: string, own: string): JsonObject =>
  given === own ? withoutGivenId(metadata) : { ...metadata, [GIVEN_ID]: given };

export function withoutGivenId({ [GIVEN_ID]: _, ...metadata }: JsonObject): JsonObject {
  return metadata;
}

export async function chunkByGivenId(backend: Backend, given: string): Promise<Chunk | null> {
  const own = await backend.record(CHUNK, given);
  return backend.chunk(typeof own === 'string' ? own : given);
}

/** The records to write when these chunks take the place of a document's present ones. */
export async function givenIdRecords(backend: Backend, docId: string, chunks: readonly Chunk[]) {
  const records = new Map<string, string | null>();
  for (const chunk of await backend.chunksOf(docId)) {
    if (givenId(chunk) !== chunk.id) records.set(givenId(chunk), null);
  }
  for (const chunk of chunks) if (givenId(chunk) !== chunk.id) records.set(givenId(chunk), chunk.id);
  return [...records].map(([id, value]) => ({ kind: CHUNK, id, value }));
}
