import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { embedKey } from '../../model/indexed.js';
import type { Backend } from '../../store/backend.js';
import type { Filter } from '../../store/filter.js';

/** The vector of a document that is one passage. */
export interface DocumentVector {
  readonly doc_id: string;
  readonly vector: Float32Array;
}

export interface NearChunk {
  readonly chunk: Chunk;
  readonly document: Document | null;
  readonly score: number;
}

/** Vectors that a caller has made with the model of that fingerprint. Documents without a passage have none. */
export async function putVectors(
  backend: Backend,
  fingerprint: string,
  dimensions: number,
  vectors: readonly DocumentVector[],
): Promise<void> {
  const entries: { embed_key: string; vector: Float32Array }[] = [];
  for (const { doc_id, vector } of vectors) {
    const [chunk] = await backend.chunksOf(doc_id);
    if (chunk !== undefined) entries.push({ embed_key: embedKey(chunk), vector });
  }
  await backend.vectors.put({ fingerprint, dimensions, entries });
  const { active } = await backend.vectors.state();
  if (active === null) await backend.vectors.activate(fingerprint, dimensions);
}

/** The passages nearest to a vector, best first. */
export async function nearVector(
  backend: Backend,
  vector: Float32Array,
  k: number,
  filter?: Filter,
): Promise<NearChunk[]> {
  const matches = await backend.vectors.near({ vector, k, ...(filter && { filter }) });
  const scores = new Map(matches.map(({ id, score }) => [id, score]));
  const chunks = await backend.chunksById(matches.map(({ id }) => id));
  return Promise.all(
    chunks.map(async (chunk) => ({
      chunk,
      document: await backend.document(chunk.doc_id),
      score: scores.get(chunk.id) ?? 0,
    })),
  );
}
