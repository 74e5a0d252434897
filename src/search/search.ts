import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { visibleContent } from '../model/indexed.js';
import { trueLoc } from '../model/line-marks.js';
import type {
  ContextChunk,
  Highlight,
  MatchedChunk,
  QueryTranslation,
  SearchAnswer,
  SearchMode,
  SearchResult,
} from '../model/result.js';
import type { Query } from '../text/query.js';
import type { Group, RankedChunk } from './group.js';
import { doubtOf } from './judge/suggest.js';
import type { SearchOptions, SearchRequest } from './options.js';
import { rank } from './rank.js';
import type { DocumentMatch } from './recall/documents.js';
import type { SearchParts } from './recall/recall.js';
import { bestSentence, isByLine } from './show/best-sentence.js';
import { citation } from './show/cite.js';
import { excerpt } from './show/excerpt.js';
import { highlight } from './show/highlight.js';
import { relevanceOf } from './show/relevance.js';
import { contextsOf } from './show/widen.js';

export type { SearchOptions } from './options.js';
export type { SearchParts } from './recall/recall.js';

/** Two stages: the best chunks, then their documents, each with its place and what stands around it. */
export async function search(parts: SearchParts, options: SearchOptions): Promise<SearchAnswer> {
  const ranking = await rank(parts, options);
  const { request, query } = ranking;
  const groups = ranking.groups.flatMap((group) => scored(group, ranking.mode, request.minScore));
  const results = await resultsOf(parts, groups, query, request);
  const documents = ranking.documents.filter(
    ({ score }) => relevanceOf('keyword', score) >= request.minScore,
  );
  const answer = {
    query: request.written,
    mode: ranking.mode,
    results: [...results, ...documents.map((match) => documentResult(match, query))],
    notices: ranking.notices,
    ...(request.explain && query.concepts.length > 0 && { translations: translationsOf(query) }),
  };
  if (answer.results.length > 0 && !ranking.weak) return answer;
  return { ...answer, ...(await doubtOf(parts.backend, ranking, answer.results.length)) };
}

/** What else a question's words were looked for as. */
const translationsOf = ({ concepts }: Query): QueryTranslation[] =>
  concepts.map(({ source, ways }) => ({ from: source, to: ways.slice(1).map(({ text }) => text) }));

/** The group with scores on the scale of all modes; nothing where no passage scores enough. */
function scored(group: Group, mode: SearchMode, least: number): Group[] {
  const chunks = group.chunks
    .map(({ chunk, fused }) => ({ chunk, fused: { ...fused, score: relevanceOf(mode, fused.score) } }))
    .filter(({ fused }) => fused.score >= least);
  return chunks.length === 0 ? [] : [{ ...group, score: chunks[0]!.fused.score, chunks }];
}

/** What is shown of all groups is read together: each read of a store far away is a round trip. */
async function resultsOf(
  { backend }: SearchParts,
  groups: readonly Group[],
  query: Query,
  request: SearchRequest,
): Promise<SearchResult[]> {
  const [documents, contexts] = await Promise.all([
    backend.documentsById(groups.map(({ doc_id }) => doc_id)),
    contextsOf(backend, groups, request.context),
  ]);
  const byId = new Map(documents.map((document) => [document.id, document]));
  return groups.flatMap((group) => {
    const document = byId.get(group.doc_id);
    // Removed by another process between the two reads.
    if (document === undefined) return [];
    return resultOf(document, group, contexts.get(document.id) ?? [], query, request);
  });
}

function resultOf(
  document: Document,
  { score, chunks: ranked }: Group,
  context_chunks: readonly ContextChunk[],
  query: Query,
  request: SearchRequest,
): SearchResult {
  const highlights = highlightsOf(document, ranked, query);
  return {
    item: document,
    relevance_score: score,
    matched_fields: [...new Set(highlights.map(({ field }) => field))],
    highlights,
    matched_chunks: ranked.map((entry) => matchedChunk(document, entry, query, request.explain)),
    context_chunks,
  };
}

/** A document that was found by itself: only its own fields have matched, none of a chunk. */
function documentResult({ document, score }: DocumentMatch, query: Query): SearchResult {
  const highlights = highlightsOf(document, [], query);
  return {
    item: document,
    relevance_score: relevanceOf('keyword', score),
    matched_fields: highlights.map(({ field }) => field),
    highlights,
    matched_chunks: [],
    context_chunks: [],
  };
}

function highlightsOf(document: Document, ranked: readonly RankedChunk[], query: Query): Highlight[] {
  const title = ranked[0] ? titleOf(ranked[0]) : document.title;
  const found = [
    highlight('title', title, query),
    ...ranked.map(({ chunk }) => contentHighlight(chunk, query)),
  ];
  found.push(highlight('summary', document.summary, query));
  return found.filter((piece) => piece !== null);
}

const titleOf = ({ chunk }: RankedChunk): string =>
  (chunk.title_path[0] === chunk.parent_doc_title
    ? chunk.title_path
    : [chunk.parent_doc_title, ...chunk.title_path]
  ).join(' › ');

/** Of what readers see: a match inside a comment was not what was found. */
function contentHighlight(chunk: Chunk, query: Query): Highlight | null {
  const found = excerpt(visibleContent(chunk), isByLine(chunk), query);
  return found && { ...found, chunk_id: chunk.id };
}

function matchedChunk(
  document: Document,
  { chunk: found, fused }: RankedChunk,
  query: Query,
  explain: boolean,
): MatchedChunk {
  const chunk = { ...found, loc: trueLoc(found, document.metadata.format) };
  const best = bestSentence(chunk, query);
  return {
    chunk_id: chunk.id,
    content: chunk.content,
    heading: chunk.title,
    title_path: chunk.title_path,
    chunk_index: chunk.chunk_index,
    content_type: chunk.content_type,
    content_types: chunk.content_types,
    start_position: chunk.start_position,
    end_position: chunk.end_position,
    loc: chunk.loc,
    ...(best === undefined ? {} : { best_sentence: best }),
    score: fused.score,
    citation: citation(document, chunk),
    ...(explain ? { explain: fused.evidence } : {}),
  };
}
