import type { Chunk } from '../model/chunk.js';
import { contentHash, repeatedHash } from '../model/hash.js';
import { chunkId } from '../model/id.js';
import { indexedBody } from '../model/indexed.js';
import type { Block, Section } from '../model/section.js';
import type { Tree } from '../model/tree.js';
import { firstCharacters } from '../text/graphemes.js';
import { TokenCounts } from '../text/tokens.js';
import { cutDocument } from './cut.js';
import { hintOf, metadataOf } from './describe.js';
import { Places } from './places.js';
import { nameSections, type RecordContext, sectionRecords } from './sections.js';
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
  /** The chunks' summaries joined, at most 500 characters (S0.3). */
  readonly summary: string;
}

const CHUNK_SUMMARY = 200;
const DOCUMENT_SUMMARY = 500;

/** A tree's sections, blocks and chunks as records. Sections and blocks are made when they are first read. */
export function chunkDocument(tree: Tree, request: ChunkRequest): ChunkedDocument {
  const { doc_id, source } = request;
  const places = new Places(tree.text, tree.pages);
  const tokens = new TokenCounts(tree.text);
  const names = nameSections(tree, doc_id);
  return new Chunked(tree, request, { doc_id, source, names, places, tokens });
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
  readonly #tree: Tree;
  readonly #context: RecordContext;
  #made: { sections: Section[]; blocks: Block[] } | null = null;

  static readonly #LAZY = {
    sections: {
      enumerable: true,
      get(this: Chunked): Section[] {
        return this.#records().sections;
      },
    },
    blocks: {
      enumerable: true,
      get(this: Chunked): Block[] {
        return this.#records().blocks;
      },
    },
  };

  constructor(tree: Tree, request: ChunkRequest, context: RecordContext) {
    Object.defineProperties(this, Chunked.#LAZY);
    this.chunks = chunkRecords(tree, request, context);
    this.summary = joinSummaries(this.chunks);
    this.#tree = tree;
    this.#context = context;
  }

  #records(): { sections: Section[]; blocks: Block[] } {
    this.#made ??= sectionRecords(this.#tree, this.#context);
    return this.#made;
  }
}

function chunkRecords(tree: Tree, request: ChunkRequest, { names, places, tokens }: RecordContext): Chunk[] {
  const { doc_id, title, settings } = request;
  const repeats = new Map<string, number>();
  return cutDocument(tree, settings).map((passage, chunk_index): Chunk => {
    const { start, end, section, content_type } = passage;
    const content = tree.text.slice(start, end);
    const hash = contentHash(content);
    const repeat = repeats.get(hash) ?? 0;
    repeats.set(hash, repeat + 1);
    const chunk_hash = repeatedHash(hash, repeat);
    const metadata = metadataOf(tree, passage);
    const { excluded } = metadata;
    const visible =
      excluded === undefined ? content : indexedBody({ content, metadata: { excluded } }).trimStart();
    return {
      id: chunkId(doc_id, chunk_hash),
      doc_id,
      section_id: names.ids[section] ?? null,
      title: tree.sections[section]?.title || title,
      title_path: names.paths[section] ?? [],
      parent_doc_title: title,
      chunk_index,
      content_type,
      content,
      summary: firstCharacters(visible, CHUNK_SUMMARY),
      token_count: tokens.between(start, end),
      start_position: start,
      end_position: end,
      loc: { ...places.loc(start, end), paragraph: passage.paragraph },
      hash,
      chunk_hash,
      source_hint: hintOf(tree, passage),
      is_parent: false,
      metadata,
    };
  });
}

function joinSummaries(chunks: readonly Chunk[]): string {
  let joined = '';
  for (const { summary } of chunks) {
    joined = joined === '' ? summary : `${joined} ${summary}`;
    if (joined.length > DOCUMENT_SUMMARY * 12) break;
  }
  return firstCharacters(joined, DOCUMENT_SUMMARY);
}
