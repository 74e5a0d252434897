import { sqliteBackend } from '../drivers/sqlite/backend.js';
import { type Chunk, CONTENT_TYPES, type ContentType } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import { contentHash, repeatedHash } from '../model/hash.js';
import { chunkId } from '../model/id.js';
import { embedKey } from '../model/indexed.js';
import type { JsonObject } from '../model/json/json.js';
import type { Highlight, SearchResult } from '../model/result.js';
import { search } from '../search/search.js';
import type { Backend } from '../store/backend.js';
import type { StoredDocument } from '../store/records.js';
import { firstCharacters } from '../text/graphemes.js';
import { estimateTokens } from '../text/tokens.js';
import { chunkWords, documentWords } from '../text/words.js';
import { type Check, checked, filled, json, refuse, text } from './fields.js';
import {
  chunkByGivenId,
  givenId,
  givenIdRecords,
  ownItemId,
  withGivenId,
  withoutGivenId,
} from './given-ids.js';
import { checkedChunk, KnowledgeChunk, type KnowledgeChunkFields } from './knowledge-chunk.js';

/** A document in the words of seed 002. */
export interface KnowledgeItem {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly metadata?: JsonObject;
}

const ITEM_FIELDS: { readonly [name in keyof Required<KnowledgeItem>]: Check } = {
  id: filled,
  title: text,
  content: text,
  metadata: { ...json, optional: true },
};

/** A hit in the words of seed 002: item and chunks have the ids they were saved with. */
export interface KnowledgeResult {
  readonly item: KnowledgeItem;
  readonly relevance_score: number;
  readonly matched_fields: readonly string[];
  readonly highlights: readonly Highlight[];
  readonly matched_chunks: readonly FoundChunk[];
  readonly context_chunks: readonly FoundChunk[];
}

export type FoundChunk = Omit<KnowledgeChunkFields, 'id' | 'item_id' | 'metadata'> & {
  readonly chunk_id: string;
};

/** An item's id stands in its source. */
const ITEM = 'item:';

/**
 * Seed 002's storage: items and chunks in the tables `knowledge_items` and `knowledge_chunks` of one SQLite file. The
 * file is an ordinary library; only the words are the seed's.
 */
export class SQLiteStorageManager {
  readonly #backend: Backend;

  private constructor(backend: Backend) {
    this.#backend = backend;
  }

  static async open(path: string): Promise<SQLiteStorageManager> {
    const reindex = { chunk: chunkWords, document: documentWords };
    return new SQLiteStorageManager(await sqliteBackend({ path, reindex }));
  }

  /** The item and its chunks together, or neither. */
  async saveItem(item: KnowledgeItem, chunks: readonly KnowledgeChunkFields[] = []): Promise<void> {
    checked(item, 'item', ITEM_FIELDS);
    const known = await this.#find(item.id);
    const document: Document = {
      id: known?.id ?? ownItemId(item.id),
      source: known?.source ?? `${ITEM}${item.id}`,
      source_path: known?.source_path ?? item.id,
      title: item.title,
      summary: firstCharacters(item.content.trim(), 500),
      hash: contentHash(item.content),
      updated_at: new Date().toISOString(),
      chunk_count: 0,
      is_parent: true,
      metadata: item.metadata ?? {},
    };
    await this.#put(document, { text: item.content, blocks: [], pages: [], excluded: [] }, [], chunks);
  }

  /** Replaces all chunks of the item, in one transaction. */
  async saveChunks(item_id: string, chunks: readonly KnowledgeChunkFields[]): Promise<void> {
    const document = await this.#item(item_id);
    const [content, sections] = await Promise.all([
      this.#backend.content(document.id),
      this.#backend.sections(document.id),
    ]);
    await this.#put(document, content!, sections, chunks);
  }

  /** By `chunk_index`; none for an unknown item. */
  async getChunksForItem(item_id: string): Promise<KnowledgeChunk[]> {
    const document = await this.#find(item_id);
    return document === null
      ? []
      : (await this.#backend.chunksOf(document.id)).map((chunk) => seedChunk(chunk, item_id));
  }

  async getChunkById(chunk_id: string): Promise<KnowledgeChunk | null> {
    const chunk = await chunkByGivenId(this.#backend, chunk_id);
    if (chunk === null) return null;
    const document = await this.#backend.document(chunk.doc_id);
    return seedChunk(chunk, document === null ? chunk.doc_id : seedId(document));
  }

  /** The chunks before and after, by `chunk_index`, without the chunk itself. */
  async getAdjacentChunks(item_id: string, chunk_index: number, window = 1): Promise<KnowledgeChunk[]> {
    const document = await this.#find(item_id);
    if (document === null) return [];
    const chunks = await this.#backend.adjacent(
      [{ doc_id: document.id, index: chunk_index }],
      window,
      window,
    );
    return chunks.map((chunk) => seedChunk(chunk, item_id));
  }

  /** With it go its chunks and all that was made of them. */
  async deleteItem(item_id: string): Promise<void> {
    const { id } = await this.#item(item_id);
    await this.#backend.commit({ remove: [id], records: await givenIdRecords(this.#backend, id, []) });
  }

  /** Items by their best chunk, each with the chunks that match and their neighbours. By words: it keeps no vectors. */
  async search(query: string, options: { readonly limit?: number } = {}): Promise<KnowledgeResult[]> {
    const parts = { backend: this.#backend, embedder: null };
    const { results } = await search(parts, { query, mode: 'keyword', context: 'neighbours', ...options });
    return Promise.all(results.map((result) => this.#result(result)));
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  async #result({ item, matched_chunks, context_chunks, ...rest }: SearchResult): Promise<KnowledgeResult> {
    const { relevance_score, matched_fields, highlights } = rest;
    const found = async (chunks: readonly { readonly chunk_id: string }[]): Promise<FoundChunk[]> => {
      const whole = await this.#backend.chunksById(chunks.map(({ chunk_id }) => chunk_id));
      return whole.map((chunk) => {
        const { id: chunk_id, item_id: _, metadata: __, ...fields } = seedChunk(chunk, '').toDict();
        return { chunk_id, ...fields };
      });
    };
    const content = (await this.#backend.content(item.id))?.text ?? '';
    return {
      item: { id: seedId(item), title: item.title, content, metadata: item.metadata },
      relevance_score,
      matched_fields,
      highlights,
      matched_chunks: await found(matched_chunks),
      context_chunks: await found(context_chunks),
    };
  }

  async #put(
    document: Document,
    content: StoredDocument['content'],
    sections: StoredDocument['sections'],
    given: readonly KnowledgeChunkFields[],
  ): Promise<void> {
    if (!Array.isArray(given)) refuse('chunks', 'must be a list');
    for (const [at, chunk] of given.entries()) checkedChunk(chunk, `chunks[${at}]`);
    const chunks = libraryChunks(document, given);
    const records = await givenIdRecords(this.#backend, document.id, chunks);
    const write: StoredDocument = {
      document: { ...document, chunk_count: chunks.length },
      sections,
      content,
      chunks: chunks.map((chunk) => ({ chunk, embed_key: embedKey(chunk), words: chunkWords(chunk) })),
      words: documentWords(document),
    };
    await this.#backend.commit({ put: [write], records });
  }

  async #find(item_id: string): Promise<Document | null> {
    return (await this.#backend.document(item_id)) ?? this.#backend.documentBySource(`${ITEM}${item_id}`);
  }

  async #item(item_id: string): Promise<Document> {
    const document = await this.#find(item_id);
    if (document === null)
      throw new StrataError('NOT_FOUND', `No item has the id "${item_id}"; save it first.`);
    return document;
  }
}

const seedId = ({ id, source }: Document): string =>
  source.startsWith(ITEM) ? source.slice(ITEM.length) : id;

/** As the library keeps them, in the order of `chunk_index`. */
function libraryChunks(document: Document, given: readonly KnowledgeChunkFields[]): Chunk[] {
  const repeats = new Map<string, number>();
  return given.map((chunk): Chunk => {
    const { content, heading, start_position, end_position, chunk_index, metadata } = chunk;
    const hash = contentHash(content);
    const repeat = repeats.get(hash) ?? 0;
    repeats.set(hash, repeat + 1);
    const chunk_hash = repeatedHash(hash, repeat);
    const id = chunkId(document.id, chunk_hash);
    const { title_path, content_type: given_type } = metadata;
    const content_type = isContentType(given_type) ? given_type : 'text';
    return {
      id,
      doc_id: document.id,
      section_id: null,
      title: heading,
      title_path: isPath(title_path) ? title_path : heading === '' ? [] : [heading],
      parent_doc_title: document.title,
      chunk_index,
      content_type,
      content_types: [content_type],
      content,
      summary: firstCharacters(content.trim(), 200),
      token_count: estimateTokens(content),
      start_position,
      end_position,
      loc: { offset: start_position },
      hash,
      chunk_hash,
      source_hint: '',
      is_parent: false,
      metadata: withGivenId(metadata, chunk.id, id),
    };
  });
}

function seedChunk(chunk: Chunk, item_id: string): KnowledgeChunk {
  return new KnowledgeChunk({
    id: givenId(chunk),
    item_id,
    chunk_index: chunk.chunk_index,
    content: chunk.content,
    heading: chunk.title,
    start_position: chunk.start_position,
    end_position: chunk.end_position,
    metadata: withoutGivenId(chunk.metadata),
  });
}

const isPath = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'string');
const isContentType = (value: unknown): value is ContentType => CONTENT_TYPES.includes(value as ContentType);
