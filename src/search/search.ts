import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { visibleContent } from '../model/indexed.js';
import { trueLoc } from '../model/line-marks.js';
import type {
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
import { contextOf } from './show/widen.js';

export type { SearchOptions } from './options.js';
export type { SearchParts } from './recall/recall.js';

/** Two stages: the best chunks, then their documents, each with its place and what stands around it. */
export async function search(parts: SearchParts, options: SearchOptions): Promise<SearchAnswer> {
  const ranking = await rank(parts, options);
  const { request, query } = ranking;
  const groups = ranking.groups.flatMap((group) => scored(group, ranking.mode, request.minScore));
  const results = await Promise.all(groups.map((group) => resultOf(parts, group, query, request)));
  const documents = ranking.documents.filter(
    ({ score }) => relevanceOf('keyword', score) >= request.minScore,
  );
  const answer = {
    query: request.written,
    mode: ranking.mode,
    results: [
      ...results.filter((result) => result !== null),
      ...documents.map((match) => documentResult(match, query)),
    ],
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

async function resultOf(
  { backend }: SearchParts,
  group: Group,
  query: Query,
  request: SearchRequest,
): Promise<SearchResult | null> {
  const ranked = group.chunks;
  const chunks = ranked.map(({ chunk }) => chunk);
  // Together: a store far away is waited for once.
  const [document, context_chunks] = await Promise.all([
    backend.document(group.doc_id),
    contextOf(backend, group.doc_id, chunks, request.context),
  ]);
  // Removed by another process between the two reads.
  if (!document) return null;
  const highlights = highlightsOf(document, ranked, query);
  return {
    item: document,
    relevance_score: group.score,
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
