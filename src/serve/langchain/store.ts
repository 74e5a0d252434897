import { Document, type DocumentInterface } from '@langchain/core/documents';
import { Embeddings, type EmbeddingsInterface } from '@langchain/core/embeddings';
import { maximalMarginalRelevance } from '@langchain/core/utils/math';
import { type MaxMarginalRelevanceSearchOptions, VectorStore } from '@langchain/core/vectorstores';
import type { NearChunk } from '../../engine/embedding/own-vectors.js';
import type { Embedder, Library, SearchOptions } from '../../engine/library.js';
import { isStrataError, StrataError } from '../../model/errors.js';
import { mintId } from '../../model/id.js';
import type { JsonObject } from '../../model/json/json.js';
import { langChainDocument, titleOf } from './document.js';

/** A library's own embedding model, as LangChain sees one. */
export class StrataEmbeddings extends Embeddings {
  readonly #embedder: Embedder;

  constructor(embedder: Embedder) {
    super({});
    this.#embedder = embedder;
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    return (await this.#embedder.embed(documents, 'passage')).map((vector) => [...vector]);
  }

  async embedQuery(document: string): Promise<number[]> {
    const [vector] = await this.#embedder.embed([document], 'query');
    return [...(vector ?? [])];
  }
}

/** Documents that came through LangChain, each one passage: their pieces are cut before they come. */
const SOURCE = 'langchain:';

/**
 * A library as LangChain's VectorStore. It searches every document of the library, also those added otherwise, with
 * the library's own model: vectors of another model cannot be compared with them and are refused.
 */
export class StrataVectorStore extends VectorStore {
  declare FilterType: NonNullable<SearchOptions['filter']>;
  readonly #library: Library;

  constructor(embeddings: EmbeddingsInterface, { library }: { library: Library }) {
    super(embeddings, {});
    this.#library = library;
  }

  /** With the library's own model. */
  static async fromLibrary(library: Library): Promise<StrataVectorStore> {
    const embedder = await library.embedder();
    if (embedder === null) {
      const { vectors } = await library.status();
      throw new StrataError(
        'EMBEDDER_UNAVAILABLE',
        `no embedding model: ${vectors.reason ?? 'none is set up'}`,
      );
    }
    return new StrataVectorStore(new StrataEmbeddings(embedder), { library });
  }

  static override async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings: EmbeddingsInterface,
    config: { library: Library },
  ): Promise<StrataVectorStore> {
    const documents = texts.map(
      (pageContent, index) =>
        new Document({ pageContent, metadata: Array.isArray(metadatas) ? metadatas[index] : metadatas }),
    );
    return StrataVectorStore.fromDocuments(documents, embeddings, config);
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings: EmbeddingsInterface,
    config: { library: Library },
  ): Promise<StrataVectorStore> {
    const store = new StrataVectorStore(embeddings, config);
    await store.addDocuments(documents);
    return store;
  }

  _vectorstoreType(): string {
    return 'strata';
  }

  async addDocuments(documents: DocumentInterface[], options: { ids?: string[] } = {}): Promise<string[]> {
    const vectors = await this.embeddings.embedDocuments(documents.map(({ pageContent }) => pageContent));
    return this.addVectors(vectors, documents, options);
  }

  async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    options: { ids?: string[] } = {},
  ): Promise<string[]> {
    if (vectors.length !== documents.length) {
      throw new StrataError(
        'INVALID_ARGUMENT',
        `${vectors.length} vectors for ${documents.length} documents`,
      );
    }
    const dimensions = await this.#ownDimensions();
    const other = vectors.find(({ length }) => length !== dimensions);
    if (other !== undefined) {
      const problem = `a vector has ${other.length} dimensions, the library's model ${dimensions}`;
      throw new StrataError('INVALID_ARGUMENT', `${problem}: open the library with that embedder`);
    }
    const kept: { doc_id: string; vector: Float32Array }[] = [];
    const ids: string[] = [];
    for (const [index, document] of documents.entries()) {
      const id = options.ids?.[index] ?? document.id ?? mintId();
      kept.push({ doc_id: await this.#keep(id, document), vector: Float32Array.from(vectors[index]!) });
      ids.push(id);
    }
    await this.#library.putVectors(kept);
    return ids;
  }

  async #ownDimensions(): Promise<number> {
    const { vectors } = await this.#library.status();
    if (vectors.model !== null) return vectors.dimensions;
    const embedder = await this.#library.embedder();
    if (embedder !== null) return embedder.dimensions;
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      'the library has no embedding model; open it with an embedder',
    );
  }

  /** Gives the library's own id of the document. */
  async #keep(id: string, document: DocumentInterface): Promise<string> {
    await this.#library.addText(
      {
        title: titleOf(document) ?? id,
        text: document.pageContent,
        source: `${SOURCE}${id}`,
        format: 'text',
        metadata: { langchain: document.metadata as JsonObject },
      },
      // One passage a document, however long: LangChain has cut it already.
      { strategy: 'h2', remember: false, force: true, embed: false },
    );
    return (await this.#library.find(`${SOURCE}${id}`)).id;
  }

  /** By the ids that adding gave. */
  override async delete({ ids }: { ids: string[] }): Promise<void> {
    const known = await Promise.all(
      ids.map(async (id) => {
        try {
          return [(await this.#library.find(`${SOURCE}${id}`)).id];
        } catch (error) {
          if (isStrataError(error, 'NOT_FOUND')) return [];
          throw error;
        }
      }),
    );
    await this.#library.remove(known.flat());
  }

  async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: this['FilterType'],
  ): Promise<[DocumentInterface, number][]> {
    const found = await this.#library.near(Float32Array.from(query), k, filter);
    return found.map((near) => [passageOf(near), near.score]);
  }

  /** Of the `fetchK` nearest passages `k` that answer the question and do not repeat each other. */
  override async maxMarginalRelevanceSearch(
    query: string,
    options: MaxMarginalRelevanceSearchOptions<this['FilterType']>,
  ): Promise<DocumentInterface[]> {
    const { k, fetchK = FETCH_K, lambda = LAMBDA, filter } = options;
    if (!(lambda >= 0 && lambda <= 1)) {
      throw new StrataError('INVALID_ARGUMENT', `lambda must be from 0 to 1; it is ${lambda}.`);
    }
    const asked = await this.embeddings.embedQuery(query);
    const near = await this.#library.near(Float32Array.from(asked), Math.max(k, fetchK), filter);
    // A passage whose vector is damaged cannot be compared with the others.
    const candidates = near.filter(({ vector }) => vector !== null);
    const vectors = candidates.map(({ vector }) => [...vector!]);
    return maximalMarginalRelevance(asked, vectors, lambda, k).map((at) => passageOf(candidates[at]!));
  }
}

/** LangChain's own values. */
const FETCH_K = 20;
const LAMBDA = 0.5;

const passageOf = ({ chunk, document, citation }: NearChunk): Document =>
  langChainDocument(chunk, document, citation ? { citation: citation.ref } : {});
