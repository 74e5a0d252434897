import type { Document } from '../../model/document.js';
import { reasonOf } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import type { Query } from '../../text/query.js';
import { unitWords } from '../../text/words.js';
import type { SearchRequest } from '../options.js';
import { reasons, termWorths, wordsCeiling } from './words.js';

/** A document that matched by itself. */
export interface DocumentMatch {
  readonly document: Document;
  /** How much of the question it holds, 0 to 1, as `wordsChannel` counts. */
  readonly score: number;
}

/** Documents by the words of their own title and summary, best first. */
export async function matchDocuments(
  backend: Backend,
  query: Query,
  request: Pick<SearchRequest, 'filter' | 'limit'>,
): Promise<DocumentMatch[]> {
  if (query.terms.length === 0) return [];
  const matches = await backend.words.match({
    terms: query.terms,
    k: request.limit,
    ...(await reasons(backend, query.terms, query)),
    kind: 'document',
    scorer: 'bm25',
    ...(request.filter ? { filter: request.filter } : {}),
  });
  const ceiling = wordsCeiling(await termWorths(backend, query.terms)) || 1;
  const documents = await backend.documentsById(matches.map(({ id }) => id));
  const byId = new Map(documents.map((document) => [document.id, document]));
  return matches.flatMap(({ id, score }) => {
    const document = byId.get(id);
    return document === undefined ? [] : [{ document, score: score / ceiling }];
  });
}

/**
 * Whole documents when the chunk index cannot be used. First by the index of documents; when that is broken
 * too, by reading every document: slow, but it answers from what is true.
 */
export async function fallBackToDocuments(
  backend: Backend,
  query: Query,
  request: SearchRequest,
): Promise<DocumentMatch[]> {
  try {
    const found = await matchDocuments(backend, query, request);
    if (found.length > 0) return found;
  } catch (error) {
    if (reasonOf(error) === '') throw error;
  }
  return readDocuments(backend, query, request);
}

const PAGE = 200;

async function readDocuments(
  backend: Backend,
  query: Query,
  request: SearchRequest,
): Promise<DocumentMatch[]> {
  const matches: DocumentMatch[] = [];
  for (let after: string | undefined; ; ) {
    request.signal?.throwIfAborted();
    const page = await backend.documents({
      limit: PAGE,
      ...(request.filter ? { filter: request.filter } : {}),
      ...(after === undefined ? {} : { after }),
    });
    for (const document of page) {
      const text = (await backend.content(document.id).catch(() => null))?.text ?? document.summary;
      const score = overlap(query, unitWords(document.title, text));
      if (score > 0) matches.push({ document, score });
    }
    if (page.length < PAGE) break;
    after = page.at(-1)!.source;
  }
  matches.sort((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1));
  return matches.slice(0, request.limit);
}

/** Without an index there is no rarity: how many of the query's words are there, then how often. */
function overlap(query: Query, words: ReturnType<typeof unitWords>): number {
  const slots = new Map(words.terms.map((term, index) => [term, index]));
  if (![...query.evidence].some((term) => slots.has(term))) return 0;
  let score = 0;
  let most = 0;
  for (const { term, weight } of query.terms) {
    most += weight;
    const slot = slots.get(term);
    if (slot === undefined) continue;
    const count = words.body[slot]! + words.title[slot]!;
    score += (weight * count) / (count + 1);
  }
  return score / (most || 1);
}
