import type { Chunk } from '../../model/chunk.js';
import type { Citation } from '../../model/citation.js';
import type { Document } from '../../model/document.js';
import { embedKey } from '../../model/indexed.js';
import { checkFilter } from '../../search/judge/filter-notices.js';
import { citation } from '../../search/show/cite.js';
import type { Backend } from '../../store/backend.js';
import type { Filter } from '../../store/filter.js';
import { dequantise } from '../../store/index/quantise.js';

/** The vector of a document that is one passage. */
export interface DocumentVector {
  readonly doc_id: string;
  readonly vector: Float32Array;
}

export interface NearChunk {
  readonly chunk: Chunk;
  readonly document: Document | null;
  readonly score: number;
  /** null where the document is gone by now. */
  readonly citation: Citation | null;
  /** As the library keeps it, which is not quite as the model made it; null for one that is damaged. */
  readonly vector: Float32Array | null;
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
  checkFilter(filter);
  const matches = await backend.vectors.near({ vector, k, ...(filter && { filter }) });
  const scores = new Map(matches.map(({ id, score }) => [id, score]));
  const ids = matches.map(({ id }) => id);
  const [chunks, vectors] = await Promise.all([backend.chunksById(ids), backend.vectors.stored(ids)]);
  return Promise.all(
    chunks.map(async (chunk) => {
      const document = await backend.document(chunk.doc_id);
      const stored = vectors.get(chunk.id)?.vector;
      return {
        chunk,
        document,
        score: scores.get(chunk.id) ?? 0,
        citation: document && citation(document, chunk),
        vector: stored ? dequantise(stored, vector.length) : null,
      };
    }),
  );
}
