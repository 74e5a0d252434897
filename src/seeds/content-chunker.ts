import { chunkDocument } from '../chunk/chunk.js';
import { type ChunkSettings, chunkSettings } from '../chunk/settings.js';
import { StrataError } from '../model/errors.js';
import { contentHash } from '../model/hash.js';
import { chunkId } from '../model/id.js';
import type { Tree } from '../model/tree.js';
import { markdownStructure } from '../parse/markdown/markdown.js';
import { KnowledgeChunk } from './knowledge-chunk.js';

export interface ContentChunkerOptions {
  readonly min_chunk_size?: number;
  readonly max_chunk_size?: number;
  readonly overlap_ratio?: number;
}

/** Seed 002's engine: the strategy `content` under the seed's own names. It never throws on a text. */
export class ContentChunker {
  readonly min_chunk_size: number;
  readonly max_chunk_size: number;
  readonly overlap_ratio: number;
  readonly #settings: ChunkSettings;
  readonly #structure: (text: string) => Tree;

  /** `structure` reads headings and paragraphs from the text: Markdown's, unless the caller knows better. */
  constructor(options: ContentChunkerOptions = {}, structure: (text: string) => Tree = markdownStructure) {
    this.#settings = settingsFrom(options);
    this.#structure = structure;
    this.min_chunk_size = this.#settings.min;
    this.max_chunk_size = this.#settings.max;
    this.overlap_ratio = this.#settings.overlap;
  }

  chunk(content: string, item_id: string): KnowledgeChunk[] {
    for (const [name, value] of Object.entries({ content, item_id })) {
      if (typeof value !== 'string') throw new StrataError('INVALID_ARGUMENT', `${name} must be a string`);
    }
    if (content === '') return [];
    try {
      const chunks = this.#chunks(content, item_id);
      const isShort = content.length < 2 * this.min_chunk_size;
      return isShort || chunks.length === 0 ? [whole(content, item_id, chunks[0]?.heading)] : chunks;
    } catch {
      return [whole(content, item_id)];
    }
  }

  #chunks(content: string, item_id: string): KnowledgeChunk[] {
    // Newlines become `\n`, and a byte order mark a blank, without changing the length: positions stay those of the text
    // that was given.
    const text = content
      .replace(/^\uFEFF/, ' ')
      .replace(/\r(?=\n)/g, ' ')
      .replace(/\r/g, '\n')
      .toWellFormed();
    const tree = this.#structure(text);
    const request = { doc_id: item_id, title: '', source: '', settings: this.#settings };
    return chunkDocument(tree, request).chunks.map(
      (chunk) =>
        new KnowledgeChunk({
          id: chunk.id,
          item_id,
          chunk_index: chunk.chunk_index,
          content: content.slice(chunk.start_position, chunk.end_position),
          heading: chunk.title,
          start_position: chunk.start_position,
          end_position: chunk.end_position,
          metadata: { ...chunk.metadata, title_path: chunk.title_path, content_type: chunk.content_type },
        }),
    );
  }
}

const NAMES = { min: 'min_chunk_size', max: 'max_chunk_size', overlap: 'overlap_ratio' } as const;

/** The option is named as the seed names it where it is refused. */
function settingsFrom({
  min_chunk_size,
  max_chunk_size,
  overlap_ratio,
}: ContentChunkerOptions): ChunkSettings {
  try {
    return chunkSettings({
      strategy: 'content',
      ...(min_chunk_size === undefined ? {} : { min: min_chunk_size }),
      ...(max_chunk_size === undefined ? {} : { max: max_chunk_size }),
      ...(overlap_ratio === undefined ? {} : { overlap: overlap_ratio }),
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const renamed = message.replace(/^(min|max|overlap)\b/, (name) => NAMES[name as keyof typeof NAMES]);
    throw new StrataError('INVALID_ARGUMENT', renamed, { cause: error });
  }
}

function whole(content: string, item_id: string, heading = ''): KnowledgeChunk {
  return new KnowledgeChunk({
    id: chunkId(item_id, contentHash(content)),
    item_id,
    chunk_index: 0,
    content,
    heading,
    start_position: 0,
    end_position: content.length,
    metadata: {},
  });
}
