import type { Chunk } from '../model/chunk.js';
import { mintedOrder } from '../model/id.js';
import type { Backend } from '../store/backend.js';
import { phraseSpans } from '../text/phrase.js';
import type { Query } from '../text/query.js';
import type { Fused } from './fuse.js';

export interface RankedChunk {
  readonly chunk: Chunk;
  readonly fused: Fused;
}

/** A document's chunks, best first; the best one's score is the document's (S2.6). */
export interface Group {
  readonly doc_id: string;
  readonly score: number;
  readonly chunks: readonly RankedChunk[];
}

/** The chunks' records in the order of the ranking, without those that lack a quoted phrase. */
export async function loadRanked(
  backend: Backend,
  fused: readonly Fused[],
  query: Query,
): Promise<RankedChunk[]> {
  const chunks = new Map((await backend.chunksById(fused.map(({ id }) => id))).map((c) => [c.id, c]));
  const ranked: RankedChunk[] = [];
  for (const entry of fused) {
    const chunk = chunks.get(entry.id);
    if (chunk && query.phrases.every((phrase) => holdsPhrase(chunk, phrase)))
      ranked.push({ chunk, fused: entry });
  }
  return ranked;
}

const holdsPhrase = (chunk: Chunk, phrase: string): boolean =>
  phraseSpans(phrase, chunk.content).length > 0 ||
  [...chunk.title_path, chunk.parent_doc_title].some((title) => phraseSpans(phrase, title).length > 0);

/** Stage two. */
export function groupByDocument(ranked: readonly RankedChunk[]): Group[] {
  const groups = new Map<string, RankedChunk[]>();
  for (const entry of ranked) {
    const own = groups.get(entry.chunk.doc_id);
    if (own) own.push(entry);
    else groups.set(entry.chunk.doc_id, [entry]);
  }
  // `ranked` is sorted, so groups come in the order of their best chunks; documents that match equally well in the order
  // they were added in.
  return [...groups]
    .map(([doc_id, chunks]) => ({ doc_id, score: chunks[0]!.fused.score, chunks }))
    .sort((a, b) => b.score - a.score || (mintedOrder(a.doc_id) < mintedOrder(b.doc_id) ? -1 : 1));
}
