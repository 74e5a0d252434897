import type { Chunk } from '../model/chunk.js';
import { contentHash, repeatedHash } from '../model/hash.js';
import { chunkId } from '../model/id.js';
import { indexedBody } from '../model/indexed.js';
import type { Block, Section } from '../model/section.js';
import type { Tree } from '../model/tree.js';
import { firstCharacters } from '../text/graphemes.js';
import { TokenCounts } from '../text/tokens.js';
import { cutDocument, type Passage } from './cut.js';
import { hintOf, metadataOf } from './describe.js';
import { Places } from './places.js';
import { blockRecords, type RecordContext, SectionNames, sectionRecords } from './sections.js';
import type { ChunkSettings } from './settings.js';

export interface ChunkRequest {
  readonly doc_id: string;
  readonly title: string;
  /** Where the document came from, for `Block.meta.source`. */
  readonly source: string;
  readonly settings: ChunkSettings;
}

export interface ChunkedDocument {
  readonly sections: Section[];
  /** Blocks before the first heading. */
  readonly blocks: Block[];
  readonly chunks: Chunk[];
  /** The chunks' summaries joined, at most 500 characters. */
  readonly summary: string;
}

const CHUNK_SUMMARY = 200;
const DOCUMENT_SUMMARY = 500;

/** A tree's sections, blocks and chunks as records. Sections and blocks are made when they are first read. */
export function chunkDocument(tree: Tree, request: ChunkRequest): ChunkedDocument {
  return new Chunked(new DocumentRecords(tree, request));
}

/**
 * The getters are the same for all, and the object's own as any other field is. Those of an object literal, new for each,
 * kept what they hold alive beyond it (7 full collections in 20 passes over 450 pages, not 2).
 */
class Chunked implements ChunkedDocument {
  declare readonly sections: Section[];
  declare readonly blocks: Block[];
  readonly chunks: Chunk[];
  readonly summary: string;
  readonly #records: DocumentRecords;
  #sections: Section[] | null = null;
  #blocks: Block[] | null = null;

  static readonly #LAZY = {
    sections: {
      enumerable: true,
      get(this: Chunked): Section[] {
        this.#sections ??= [...this.#records.sections()];
        return this.#sections;
      },
    },
    blocks: {
      enumerable: true,
      get(this: Chunked): Block[] {
        this.#blocks ??= [...this.#records.blocks()];
        return this.#blocks;
      },
    },
  };

  constructor(records: DocumentRecords) {
    Object.defineProperties(this, Chunked.#LAZY);
    this.chunks = records.allChunks();
    this.summary = joinSummaries(this.chunks.map(({ summary }) => summary));
    this.#records = records;
  }
}

/**
 * A document's records, each made when its turn comes: for whoever does not keep them. It is cut when that is first asked
 * for; an outline needs no chunks.
 */
export class DocumentRecords {
  readonly #tree: Tree;
  readonly #request: ChunkRequest;
  #context: RecordContext | null = null;
  #passages: readonly Passage[] | null = null;

  constructor(tree: Tree, request: ChunkRequest) {
    this.#tree = tree;
    this.#request = request;
  }

  #cut(): readonly Passage[] {
    this.#passages ??= cutDocument(this.#tree, this.#request.settings);
    return this.#passages;
  }

  #places(): RecordContext {
    const { doc_id, source } = this.#request;
    const tree = this.#tree;
    this.#context ??= {
      doc_id,
      source,
      names: new SectionNames(tree, doc_id),
      places: new Places(tree),
      tokens: new TokenCounts(tree.text),
    };
    return this.#context;
  }

  get section_count(): number {
    return this.#tree.sections.length;
  }

  get chunk_count(): number {
    return this.#cut().length;
  }

  get summary(): string {
    return joinSummaries(this.#summaries());
  }

  *#summaries(): Generator<string, void, undefined> {
    for (const passage of this.#cut()) {
      const content = this.#tree.text.slice(passage.start, passage.end);
      yield summaryOf(content, metadataOf(this.#tree, passage, this.#places().places));
    }
  }

  sections(): Iterable<Section> {
    return sectionRecords(this.#tree, this.#places());
  }

  /** Those before the first heading. */
  blocks(): Iterable<Block> {
    return blockRecords(this.#tree, this.#places());
  }

  *chunks(): Generator<Chunk, void, undefined> {
    const repeats = new Map<string, number>();
    for (const [index, passage] of this.#cut().entries()) yield this.#chunk(passage, index, repeats);
  }

  allChunks(): Chunk[] {
    const repeats = new Map<string, number>();
    return this.#cut().map((passage, index) => this.#chunk(passage, index, repeats));
  }

  /** `repeats`: how often each hash was met before. */
  #chunk(passage: Passage, chunk_index: number, repeats: Map<string, number>): Chunk {
    const tree = this.#tree;
    const { doc_id, title } = this.#request;
    const { names, places, tokens } = this.#places();
    const content = tree.text.slice(passage.start, passage.end);
    const hash = contentHash(content);
    const repeat = repeats.get(hash) ?? 0;
    repeats.set(hash, repeat + 1);
    const { start, end, section, content_types } = passage;
    const chunk_hash = repeatedHash(hash, repeat);
    const metadata = metadataOf(tree, passage, places);
    return {
      id: chunkId(doc_id, chunk_hash),
      doc_id,
      section_id: names.id(section),
      title: tree.sections[section]?.title || title,
      title_path: names.path(section),
      parent_doc_title: title,
      chunk_index,
      content_type: content_types[0]!,
      content_types,
      content,
      summary: summaryOf(content, metadata),
      token_count: tokens.between(start, end),
      start_position: start,
      end_position: end,
      loc: { paragraph: passage.paragraph, ...places.loc(start, end), ...pointerOf(metadata) },
      hash,
      chunk_hash,
      source_hint: hintOf(tree, passage),
      is_parent: false,
      metadata: chunk_index === 0 ? { ...metadata, ...otherTitle(tree, title) } : metadata,
    };
  }
}

/** Its first chunk speaks for a document whose front matter has a title beside the one it goes by (its H1). */
function otherTitle({ metadata }: Tree, title: string): Pick<Chunk['metadata'], 'other_title'> {
  const other = typeof metadata.title === 'string' ? metadata.title.trim() : '';
  return other === '' || other === title ? {} : { other_title: other };
}

const pointerOf = ({ json_pointer }: Chunk['metadata']): { pointer?: string } =>
  typeof json_pointer === 'string' ? { pointer: json_pointer } : {};

function summaryOf(content: string, { excluded }: Chunk['metadata']): string {
  const visible =
    excluded === undefined ? content : indexedBody({ content, metadata: { excluded } }).trimStart();
  return firstCharacters(visible, CHUNK_SUMMARY);
}

function joinSummaries(summaries: Iterable<string>): string {
  let joined = '';
  for (const summary of summaries) {
    joined = joined === '' ? summary : `${joined} ${summary}`;
    if (joined.length > DOCUMENT_SUMMARY * 12) break;
  }
  return firstCharacters(joined, DOCUMENT_SUMMARY);
}
