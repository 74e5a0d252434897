import { Document } from '@langchain/core/documents';
import type { Chunk } from '../../model/chunk.js';
import type { Document as StrataDocument } from '../../model/document.js';
import type { Loc } from '../../model/section.js';

/** What a passage's LangChain metadata is made of; chunks and search hits both have it. */
type Passage = Pick<Chunk, 'content' | 'title_path' | 'content_type' | 'start_position' | 'end_position'> & {
  readonly loc: Loc;
};

/**
 * A passage as LangChain's Document: where it stands in LangChain's own names (`loc.lines` is 1-based and inclusive, a
 * page is `loc.pageNumber`), the structure in ours. A document that came through LangChain keeps its own metadata.
 */
export function langChainDocument(
  chunk: Passage & { readonly id: string },
  document: StrataDocument | null,
  more: Readonly<Record<string, unknown>> = {},
): Document {
  const { page, lines } = chunk.loc;
  const given = document?.metadata.langchain;
  return new Document({
    id: document?.source.startsWith('langchain:') ? document.source.slice('langchain:'.length) : chunk.id,
    pageContent: chunk.content,
    metadata: {
      source: document?.source_path,
      title: document?.title,
      title_path: chunk.title_path,
      content_type: chunk.content_type,
      loc: { ...(lines && { lines }), ...(page !== undefined && { pageNumber: page }) },
      start_position: chunk.start_position,
      end_position: chunk.end_position,
      doc_id: document?.id,
      chunk_id: chunk.id,
      ...(typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {}),
      ...more,
    },
  });
}
