import { chunkDocument } from '../chunk/chunk.js';
import type { ChunkSettings } from '../chunk/settings.js';
import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { contentHash } from '../model/hash.js';
import { embedKey } from '../model/indexed.js';
import type { JsonObject } from '../model/json.js';
import type { Tree } from '../model/tree.js';
import { collect } from '../parse/collect.js';
import { parseDocument } from '../parse/parse.js';
import { DEFAULT_LIMITS, type ParseInput, type ParseLimits } from '../parse/parser.js';
import type { Change, ChunkWrite, DocumentWrite } from '../store/backend.js';
import { chunkWords, documentWords } from '../text/words.js';
import { structureOrText } from './fall-back.js';
import { nameWithoutExtension } from './names.js';
import { cutOrWhole } from './whole.js';

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
  toWrite = chunkWrite,
): Promise<Prepared> {
  const { name, url, charset, password } = request;
  const limits = request.limits ?? DEFAULT_LIMITS;
  const input: ParseInput = {
    bytes,
    name,
    limits,
    ...(url !== undefined && { url }),
    ...(charset !== undefined && { charset }),
    ...(password !== undefined && { password }),
  };
  const tree = await structureOrText(parse, input);
  collect(tree.text.length);
  const prepared = prepareTree(tree, request, toWrite);
  collect(tree.text.length);
  return prepared;
}

/** From the tree on: shared with `rebuild`, which has no bytes. */
export function prepareTree(tree: Tree, request: PrepareRequest, toWrite = chunkWrite): Prepared {
  const { doc_id, source, source_path, settings } = request;
  const title = request.title || tree.title || nameWithoutExtension(request.name);
  const cut = cutOrWhole(chunkDocument, tree, { doc_id, title, source: source_path, settings });
  const document: Document = {
    id: doc_id,
    source,
    source_path,
    title,
    summary: cut.summary,
    hash: contentHash(tree.text),
    updated_at: request.updated_at,
    chunk_count: cut.chunks.length,
    is_parent: true,
    metadata: { ...tree.metadata, ...request.metadata, ...tags(tree, request), format: tree.format },
  };
  const { text, blocks, pages, excluded } = tree;
  return {
    write: {
      document,
      sections: cut.sections,
      content: { text, blocks, pages, excluded },
      chunks: cut.chunks.map(toWrite),
      words: documentWords(document),
    },
    warnings: [...tree.warnings, ...cut.warnings],
  };
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

const chunkWrite = (chunk: Chunk): ChunkWrite => ({
  chunk,
  embed_key: embedKey(chunk),
  words: chunkWords(chunk),
});

/** For whoever asks once: made then, and not kept. Words are many times as large as the text. */
export const fleetingChunkWrite = (chunk: Chunk): ChunkWrite => new FleetingChunkWrite(chunk);

class FleetingChunkWrite implements ChunkWrite {
  readonly chunk: Chunk;

  constructor(chunk: Chunk) {
    this.chunk = chunk;
  }

  get embed_key() {
    return embedKey(this.chunk);
  }

  get words() {
    return chunkWords(this.chunk);
  }
}
