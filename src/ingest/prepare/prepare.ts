import type { ChunkSettings } from '../../chunk/settings.js';
import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { contentHash } from '../../model/hash.js';
import { embedKey } from '../../model/indexed.js';
import type { JsonObject } from '../../model/json/json.js';
import type { Tree } from '../../model/tree.js';
import { nameWithoutExtension } from '../../source/path.js';
import type { ChunkWrite, DocumentWrite } from '../../store/backend.js';
import { chunkWords, documentWords } from '../../text/words.js';
import { tableChunks, tableMetadata, withoutReserved } from '../tables/table-chunks.js';
import { recordsOrWhole } from './cut-fallback.js';
import { type DocumentLimits, within } from './limits.js';

/** What is known of a document before its bytes are looked at. Plain data: it travels to other processes. */
export interface PrepareRequest {
  readonly doc_id: string;
  readonly source: string;
  readonly source_path: string;
  /** The file's name: for its extension, and as a title of last resort. */
  readonly name: string;
  readonly settings: ChunkSettings;
  readonly updated_at: string;
  /** Goes over what the document says of itself (front matter). */
  readonly metadata: JsonObject;
  /** A title someone chose; goes over the document's own. */
  readonly title?: string;
}

export interface Prepared {
  readonly write: DocumentWrite;
  /** What a person should know: a page without text, a structure that could not be read. */
  readonly warnings: readonly string[];
}

/**
 * A tree's sections, chunks and words, each made while it is read. A failure in cutting keeps the whole text as one
 * chunk.
 */
export function prepare(tree: Tree, request: PrepareRequest, limits?: DocumentLimits): Prepared {
  const { doc_id, source_path, settings } = request;
  const title = request.title || tree.title || nameWithoutExtension(request.name);
  if (limits) within(tree.sections.length, limits.sections, 'sections');
  const cut = recordsOrWhole(tree, { doc_id, title, source: source_path, settings });
  if (limits) within(cut.chunk_count, limits.chunks, 'passages');
  const document: Document = {
    id: doc_id,
    source: request.source,
    source_path,
    title,
    summary: cut.summary,
    hash: contentHash(tree.text),
    updated_at: request.updated_at,
    chunk_count: cut.chunk_count,
    is_parent: true,
    metadata: {
      ...withoutReserved(tree.metadata),
      ...request.metadata,
      ...tags(tree, request),
      ...(tree.unread_pages && { unread_pages: tree.unread_pages.length }),
      format: tree.format,
    },
  };
  const { text, blocks, pages, excluded } = tree;
  const write: DocumentWrite = {
    document,
    sections: cut.sections,
    content: { text, blocks, pages, excluded },
    chunks: chunkWrites(chunksOf(cut, text, request)),
    words: documentWords(document),
  };
  return { write, warnings: [...tree.warnings, ...cut.warnings] };
}

/** Those of a table's string say where in the table it stands. */
const chunksOf = (
  { chunks, chunk_count }: { readonly chunks: Iterable<Chunk>; readonly chunk_count: number },
  text: string,
  request: PrepareRequest,
): Iterable<Chunk> => {
  const table = tableMetadata(request);
  return table === null ? chunks : tableChunks(chunks, table, text, chunk_count);
};

function* chunkWrites(chunks: Iterable<Chunk>): Generator<ChunkWrite, void, undefined> {
  for (const chunk of chunks) yield { chunk, embed_key: embedKey(chunk), words: chunkWords(chunk) };
}

/** The document's own (front matter) and those it was given when it was added. */
function tags(tree: Tree, request: PrepareRequest): JsonObject {
  const own = tree.metadata.tags;
  const given = request.metadata.added_tags;
  const all = [own, given].flatMap((some) =>
    Array.isArray(some) ? some : typeof some === 'string' ? [some] : [],
  );
  const names = all.map((tag) => String(tag).trim()).filter((tag) => tag !== '');
  return names.length > 0 ? { tags: [...new Set(names)] } : {};
}
