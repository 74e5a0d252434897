import type { Chunk } from '../model/chunk.js';
import { mintedOrder } from '../model/id.js';
import type { Backend } from '../store/backend.js';
import type { Query } from '../text/query.js';
import type { Fused } from './fuse.js';
import type { SearchRequest } from './options.js';
import { holdsPhrase } from './recall/excluded.js';
import type { DocumentIds } from './weigh.js';

export interface RankedChunk {
  readonly chunk: Chunk;
  readonly fused: Fused;
}

/** A document's chunks, best first, as many as are shown; the best one's score is the document's. */
export interface Group {
  readonly doc_id: string;
  readonly score: number;
  readonly chunks: readonly RankedChunk[];
}

/** How many documents, and chunks of each, will be shown. */
type Shown = Pick<SearchRequest, 'limit' | 'chunksPerDocument'>;

/**
 * Stage two: the best documents of a ranking. Where a chunk belongs is asked for all of them, but only what is shown is
 * read, unless all must be: to look for a quoted phrase, or because one of the shown cannot be read.
 */
export async function loadGroups(
  backend: Backend,
  ranking: readonly Fused[],
  query: Query,
  shown: Shown,
  known?: DocumentIds,
): Promise<Group[]> {
  if (query.phrases.length === 0) {
    const ids = ranking.map(({ id }) => id);
    const documentIds = known ? ids.map((id) => known.get(id) ?? null) : await backend.documentIdsOf(ids);
    const best = bestDocuments(ranking, documentIds, shown);
    const chunks = await chunksOf(
      backend,
      best.flatMap(({ entries }) => entries),
    );
    if (best.every(({ entries }) => entries.every(({ id }) => chunks.has(id))))
      return withChunks(best, chunks);
  }
  const possible = await withPhraseWords(backend, ranking, query);
  const chunks = await chunksOf(backend, possible);
  const documentIds = possible.map(({ id }) => {
    const chunk = chunks.get(id);
    return chunk && query.phrases.every((phrase) => holdsPhrase(chunk, phrase)) ? chunk.doc_id : null;
  });
  return withChunks(bestDocuments(possible, documentIds, shown), chunks);
}

/**
 * Meaning finds many that lack a phrase's words: the index knows them without reading. What words found stays: they held
 * them a moment ago, and if their document has been replaced since, reading them says so (engine/consistent-read.ts).
 */
async function withPhraseWords(
  { words }: Backend,
  ranking: readonly Fused[],
  { required }: Query,
): Promise<readonly Fused[]> {
  if (required.length === 0 || !ranking.some(byMeaningAlone)) return ranking;
  const asked = { terms: [], required, k: Number.POSITIVE_INFINITY, kind: 'chunk', scorer: 'bm25' } as const;
  const found = await words.match(asked).catch(() => null);
  if (found === null) return ranking;
  const holding = new Set(found.map(({ id }) => id));
  return ranking.filter((entry) => !byMeaningAlone(entry) || holding.has(entry.id));
}

export const byMeaningAlone = ({ evidence }: Fused): boolean =>
  !evidence.some(({ channel }) => channel === 'words' || channel === 'tfidf');

const chunksOf = async (backend: Backend, entries: readonly Fused[]): Promise<ReadonlyMap<string, Chunk>> =>
  new Map((await backend.chunksById(entries.map(({ id }) => id))).map((chunk) => [chunk.id, chunk]));

interface Found {
  readonly doc_id: string;
  readonly entries: readonly Fused[];
}

/** `documentIds[i]` is the document of `ranking[i]`; null leaves it out. */
function bestDocuments(
  ranking: readonly Fused[],
  documentIds: readonly (string | null)[],
  { limit, chunksPerDocument }: Shown,
): Found[] {
  const found = new Map<string, Fused[]>();
  for (const [index, entry] of ranking.entries()) {
    const documentId = documentIds[index] ?? null;
    if (documentId === null) continue;
    const own = found.get(documentId);
    if (own === undefined) found.set(documentId, [entry]);
    else if (own.length < chunksPerDocument) own.push(entry);
  }
  // Documents come in the order of their best chunks; those that match equally well in the order they were added in.
  return [...found]
    .map(([doc_id, entries]) => ({ doc_id, entries }))
    .sort(
      (a, b) =>
        b.entries[0]!.score - a.entries[0]!.score || (mintedOrder(a.doc_id) < mintedOrder(b.doc_id) ? -1 : 1),
    )
    .slice(0, limit);
}

const withChunks = (found: readonly Found[], chunks: ReadonlyMap<string, Chunk>): Group[] =>
  found.map(({ doc_id, entries }) => ({
    doc_id,
    score: entries[0]!.score,
    chunks: entries.map((fused) => ({ chunk: chunks.get(fused.id)!, fused })),
  }));
