import { Document } from '@langchain/core/documents';
import {
  TextSplitter,
  type TextSplitterChunkHeaderOptions,
  type TextSplitterParams,
} from '@langchain/textsplitters';
import { splitText } from '../../ingest/split.js';
import type { Chunk } from '../../model/chunk.js';
import { StrataError } from '../../model/errors.js';

export interface StrataTextSplitterParams extends Partial<TextSplitterParams> {
  /** `hierarchical` (default), `h2` or `content`. */
  readonly strategy?: string;
  /** How to read the texts: `markdown` (default) or `text`. */
  readonly format?: 'markdown' | 'text';
}

/**
 * Strata's chunker as LangChain's TextSplitter: cuts at headings, blocks and sentences, keeps code and tables whole
 * where they fit, and knows exactly where each piece stands. `metadata` has LangChain's `loc.lines` (1-based,
 * inclusive) beside `title_path`, `content_type`, `start_position` and `end_position`.
 */
export class StrataTextSplitter extends TextSplitter {
  static override lc_name(): string {
    return 'StrataTextSplitter';
  }

  readonly #strategy: string | undefined;
  readonly #format: 'markdown' | 'text';

  constructor(fields: StrataTextSplitterParams = {}) {
    super({
      chunkOverlap: Math.min(180, Math.floor((fields.chunkSize ?? 1200) * 0.15)),
      chunkSize: 1200,
      ...fields,
    });
    if (fields.lengthFunction !== undefined) {
      throw new StrataError(
        'INVALID_ARGUMENT',
        'lengthFunction: StrataTextSplitter counts characters; leave it out',
      );
    }
    this.#strategy = fields.strategy;
    this.#format = fields.format ?? 'markdown';
  }

  async splitText(text: string): Promise<string[]> {
    return (await this.#chunks(text)).map(({ content }) => content);
  }

  override async createDocuments(
    texts: string[],
    metadatas: Record<string, unknown>[] = [],
    headers: TextSplitterChunkHeaderOptions = {},
  ): Promise<Document[]> {
    const documents: Document[] = [];
    for (const [index, text] of texts.entries()) {
      const chunks = await this.#chunks(text);
      for (const [at, chunk] of chunks.entries()) {
        const metadata = { ...metadatas[index], ...chunkMetadata(chunk, metadatas[index]?.loc) };
        documents.push(new Document({ pageContent: `${header(headers, at)}${chunk.content}`, metadata }));
      }
    }
    return documents;
  }

  async #chunks(text: string): Promise<readonly Chunk[]> {
    if (text.trim() === '') return [];
    return splitText(text, {
      format: this.#format,
      strategy: this.#strategy,
      ...(this.#strategy !== 'h2' && {
        max: this.chunkSize,
        min: Math.floor(this.chunkSize / 3),
        overlap: this.chunkOverlap / this.chunkSize,
      }),
    });
  }
}

function chunkMetadata(chunk: Chunk, loc: unknown): Record<string, unknown> {
  const given = typeof loc === 'object' && loc !== null ? loc : {};
  return {
    title_path: chunk.title_path,
    content_type: chunk.content_type,
    start_position: chunk.start_position,
    end_position: chunk.end_position,
    loc: { ...given, lines: chunk.loc.lines },
  };
}

/** As LangChain does it: every piece gets the header, pieces after the first may be marked as continued. */
function header(options: TextSplitterChunkHeaderOptions, at: number): string {
  const { chunkHeader = '', chunkOverlapHeader = "(cont'd) ", appendChunkOverlapHeader = false } = options;
  return `${chunkHeader}${at > 0 && appendChunkOverlapHeader ? chunkOverlapHeader : ''}`;
}
