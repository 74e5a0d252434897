import { Document, type DocumentInterface } from '@langchain/core/documents';
import type { Chunk } from '../../model/chunk.js';
import { readableSource, type Document as StrataDocument } from '../../model/document.js';
import type { Loc } from '../../model/section.js';

/** What a passage's LangChain metadata is made of; chunks and search hits both have it. */
type GivenPassage = Pick<
  Chunk,
  'content' | 'title_path' | 'content_type' | 'start_position' | 'end_position'
> & {
  readonly loc: Loc;
};

/**
 * A passage as LangChain's Document: where it stands in LangChain's own names (`loc.lines` is 1-based and inclusive, a
 * page is `loc.pageNumber`), the structure in ours. A document that came through LangChain keeps its own metadata.
 */
export function langChainDocument(
  chunk: GivenPassage & { readonly id: string },
  document: StrataDocument | null,
  more: Readonly<Record<string, unknown>> = {},
): Document {
  const { page, lines } = chunk.loc;
  const given = document?.metadata.langchain;
  return new Document({
    id: document?.source.startsWith('langchain:') ? document.source.slice('langchain:'.length) : chunk.id,
    pageContent: chunk.content,
    metadata: {
      source: document ? readableSource(document) : undefined,
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

/** In characters: as much as a person reads of a title. */
const LONGEST_TITLE = 80;

/** The title a document brought along, else its first line: an id would tell nothing to whoever reads a citation. */
export function titleOf({ metadata, pageContent }: DocumentInterface): string | undefined {
  const given: unknown = metadata.title;
  if (typeof given === 'string' && given.trim() !== '') return given;
  const line = /\S.*/.exec(pageContent)?.[0].trimEnd();
  if (line === undefined) return undefined;
  const characters = [...line.slice(0, 2 * LONGEST_TITLE + 2)];
  return characters.length <= LONGEST_TITLE ? line : `${characters.slice(0, LONGEST_TITLE - 1).join('')}…`;
}
