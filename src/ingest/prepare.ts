import { chunkDocument } from '../chunk/chunk.js';
import type { ChunkSettings } from '../chunk/settings.js';
import { nameWithoutExtension } from '../engine/names.js';
import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { contentHash } from '../model/hash.js';
import { embedKey } from '../model/indexed.js';
import type { JsonObject } from '../model/json.js';
import type { Tree } from '../model/tree.js';
import { tidily } from '../parse/collect.js';
import { parseDocument } from '../parse/parse.js';
import { DEFAULT_LIMITS, type ParseInput, type ParseLimits } from '../parse/parser.js';
import type { Change, ChunkWrite, DocumentWrite, StreamedWrite } from '../store/backend.js';
import { chunkWords, documentWords } from '../text/words.js';
import { cutOrWhole, recordsOrWhole } from './cut-fallback.js';
import { structureOrText } from './fall-back.js';

/** What is known of a document before its bytes are looked at. Plain data: it travels to worker threads. */
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
  readonly url?: string;
  /** The encoding an HTTP header gave. */
  readonly charset?: string;
  readonly password?: string;
  readonly limits?: ParseLimits;
  /** Who will keep it: a process that prepares may pack it for that driver. */
  readonly driver?: string;
}

export interface Prepared {
  readonly write: DocumentWrite;
  /** What a person should know: a page without text, a structure that could not be read. */
  readonly warnings: readonly string[];
}

/** The same as a change to commit, from whichever process has prepared it. */
export interface PreparedChange {
  readonly document: Document;
  readonly change: Pick<Change, 'put' | 'packed'>;
  readonly warnings: readonly string[];
}

export type Parse = (input: ParseInput) => Promise<Tree>;

/**
 * The pure part of adding: bytes → tree → sections and chunks → words, ready to commit. Throws only where the text
 * itself cannot be had (S2.4): broken structure falls back to text, and a failure in cutting to one whole chunk.
 */
export async function prepare(
  bytes: Uint8Array,
  request: PrepareRequest,
  parse: Parse = parseDocument,
): Promise<Prepared> {
  return prepareTree(await treeOf(bytes, request, parse), request);
}

export async function treeOf(
  bytes: Uint8Array,
  request: PrepareRequest,
  parse: Parse = parseDocument,
): Promise<Tree> {
  const { name, url, charset, password } = request;
  const input: ParseInput = {
    bytes,
    name,
    limits: request.limits ?? DEFAULT_LIMITS,
    ...(url !== undefined && { url }),
    ...(charset !== undefined && { charset }),
    ...(password !== undefined && { password }),
  };
  return structureOrText(parse, input);
}

/** From the tree on: shared with `rebuild`, which has no bytes. */
export function prepareTree(tree: Tree, request: PrepareRequest): Prepared {
  const title = titleOf(tree, request);
  const cut = cutOrWhole(chunkDocument, tree, cutRequest(request, title));
  const document = documentOf(tree, request, title, cut.summary, cut.chunks.length);
  return {
    write: {
      document,
      sections: cut.sections,
      content: contentOf(tree),
      chunks: cut.chunks.map(chunkWrite),
      words: documentWords(document),
    },
    warnings: [...tree.warnings, ...cut.warnings],
  };
}

/** The same for whoever packs it at once: each record is made, counted and packed before the next. */
export function streamTree(
  tree: Tree,
  request: PrepareRequest,
): { readonly write: StreamedWrite; readonly warnings: readonly string[] } {
  const { length } = tree.text;
  const title = titleOf(tree, request);
  const { sections, chunks, chunk_count, summary, warnings } = recordsOrWhole(
    tree,
    cutRequest(request, title),
  );
  const document = documentOf(tree, request, title, summary, chunk_count);
  return {
    write: {
      document,
      sections: tidily(sections, length),
      content: contentOf(tree),
      chunks: tidily(chunkWrites(chunks), length),
      words: documentWords(document),
    },
    warnings: [...tree.warnings, ...warnings],
  };
}

const chunkWrite = (chunk: Chunk): ChunkWrite => ({
  chunk,
  embed_key: embedKey(chunk),
  words: chunkWords(chunk),
});

function* chunkWrites(chunks: Iterable<Chunk>): Generator<ChunkWrite, void, undefined> {
  for (const chunk of chunks) yield chunkWrite(chunk);
}

const titleOf = (tree: Tree, { title, name }: PrepareRequest): string =>
  title || tree.title || nameWithoutExtension(name);

const cutRequest = ({ doc_id, source_path, settings }: PrepareRequest, title: string) => ({
  doc_id,
  title,
  source: source_path,
  settings,
});

const contentOf = ({ text, blocks, pages, excluded }: Tree) => ({ text, blocks, pages, excluded });

const documentOf = (
  tree: Tree,
  request: PrepareRequest,
  title: string,
  summary: string,
  chunk_count: number,
): Document => ({
  id: request.doc_id,
  source: request.source,
  source_path: request.source_path,
  title,
  summary,
  hash: contentHash(tree.text),
  updated_at: request.updated_at,
  chunk_count,
  is_parent: true,
  metadata: { ...tree.metadata, ...request.metadata, ...tags(tree, request), format: tree.format },
});

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
