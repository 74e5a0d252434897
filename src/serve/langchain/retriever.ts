import type { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { Library, SearchOptions } from '../../engine/library.js';
import { StrataError } from '../../model/errors.js';
import type { MatchedChunk, SearchResult } from '../../model/result.js';
import { langChainDocument } from './document.js';

export interface StrataRetrieverInput extends BaseRetrieverInput {
  readonly library: Library;
  /** Passages at most. */
  readonly k?: number;
  readonly mode?: SearchOptions['mode'];
  readonly filter?: SearchOptions['filter'];
}

/** A library as LangChain's Retriever: a question in, the best passages out, each with its citation. */
export class StrataRetriever extends BaseRetriever {
  static override lc_name(): string {
    return 'StrataRetriever';
  }

  lc_namespace = ['strata', 'retrievers'];
  readonly #input: StrataRetrieverInput;

  constructor(input: StrataRetrieverInput) {
    super(input);
    if (typeof input?.library?.search !== 'function')
      throw new StrataError('INVALID_ARGUMENT', 'library: give the one that openLibrary() opened');
    this.#input = input;
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { library, k = 4, mode, filter } = this.#input;
    const { results } = await library.search(query, { mode, filter, limit: k, context: 'none' });
    return results
      .flatMap((result) => result.matched_chunks.map((chunk) => ({ result, chunk })))
      .sort((a, b) => b.chunk.score - a.chunk.score)
      .slice(0, k)
      .map(({ result, chunk }) => passage(result, chunk));
  }
}

function passage({ item, stale }: SearchResult, chunk: MatchedChunk): Document {
  const more = { score: chunk.score, citation: chunk.citation.ref, ...(stale && { stale }) };
  return langChainDocument({ ...chunk, id: chunk.chunk_id }, item, more);
}
