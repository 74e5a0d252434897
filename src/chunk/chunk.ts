import type { Chunk } from '../model/chunk.js';
import { contentHash, repeatedHash } from '../model/hash.js';
import { chunkId } from '../model/id.js';
import { indexedBody } from '../model/indexed.js';
import type { Block, Section } from '../model/section.js';
import type { Span, Tree } from '../model/tree.js';
import { firstCharacters } from '../text/graphemes.js';
import { TokenCounts } from '../text/tokens.js';
import { describe, metadataOf } from './describe.js';
import { dividePiece } from './divide.js';
import { faqEntries } from './faq.js';
import { type Item, itemsOf } from './items.js';
import { overlapStart } from './overlap.js';
import { cutPieces, Sizes } from './pieces.js';
import { Places } from './places.js';
import { nameSections, type RecordContext, sectionRecords } from './sections.js';
import type { ChunkSettings } from './settings.js';
import { Visible } from './visible.js';

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
  const chunks = chunkRecords(tree, request, { doc_id, source, names, places, tokens });
  let made: { sections: Section[]; blocks: Block[] } | null = null;
  const records = () => {
    made ??= sectionRecords(tree, { doc_id, source, names, places, tokens });
    return made;
  };
  return {
    get sections() {
      return records().sections;
    },
    get blocks() {
      return records().blocks;
    },
    chunks,
    summary: joinSummaries(chunks),
  };
}

function chunkRecords(
  tree: Tree,
  { doc_id, title, settings }: ChunkRequest,
  { names, places, tokens }: RecordContext,
): Chunk[] {
  const repeats = new Map<string, number>();
  return chunkSpans(tree, settings).map(({ span, items, isFaq }, chunk_index): Chunk => {
    const { start, end } = span;
    const content = tree.text.slice(start, end);
    const about = describe(tree, items, span, isFaq, settings);
    const hash = contentHash(content);
    const repeat = repeats.get(hash) ?? 0;
    repeats.set(hash, repeat + 1);
    const chunk_hash = repeatedHash(hash, repeat);
    const metadata = metadataOf(tree, items, span);
    const { excluded } = metadata;
    const visible =
      excluded === undefined ? content : indexedBody({ content, metadata: { excluded } }).trimStart();
    return {
      id: chunkId(doc_id, chunk_hash),
      doc_id,
      section_id: names.ids[about.section] ?? null,
      title: tree.sections[about.section]?.title || title,
      title_path: names.paths[about.section] ?? [],
      parent_doc_title: title,
      chunk_index,
      content_type: about.content_type,
      content,
      summary: firstCharacters(visible, CHUNK_SUMMARY),
      token_count: tokens.between(start, end),
      start_position: start,
      end_position: end,
      loc: { ...places.loc(start, end), paragraph: about.paragraph },
      hash,
      chunk_hash,
      source_hint: about.source_hint,
      is_parent: false,
      metadata,
    };
  });
}

interface Cut {
  readonly span: Span;
  readonly items: readonly Item[];
  readonly isFaq: boolean;
}

/** Where the chunks are: pieces by headings and standing blocks, then parts of those that are too long. */
function chunkSpans(tree: Tree, settings: ChunkSettings): Cut[] {
  const visible = new Visible(tree.text, tree.excluded);
  const items = itemsOf(tree, visible);
  const faq = faqEntries(tree, items);
  const starts = cutPieces(tree.text, items, new Sizes(items, visible), faq, settings);
  const cuts: Cut[] = [];
  starts.forEach((from, index) => {
    const to = starts[index + 1] ?? items.length;
    const piece = items.slice(from, to);
    const isFaq = settings.separate && faq[from]! >= 0 && faq.subarray(from, to).every((entry) => entry >= 0);
    const span = { start: piece[0]!.start, end: piece.at(-1)!.end };
    if (span.end - span.start > settings.max) addParts(cuts, visible, piece, isFaq, settings);
    else if (span.end > span.start) cuts.push({ span, items: piece, isFaq });
  });
  return cuts;
}

function addParts(
  cuts: Cut[],
  visible: Visible,
  piece: readonly Item[],
  isFaq: boolean,
  settings: ChunkSettings,
): void {
  const parts = dividePiece(visible, piece, settings);
  let first = 0;
  parts.forEach((part, index) => {
    const start = index === 0 ? part.start : overlapStart(visible, parts[index - 1]!, part, piece, settings);
    while (first < piece.length - 1 && piece[first]!.end <= part.start) first++;
    let last = first + 1;
    while (last < piece.length && piece[last]!.start < part.end) last++;
    cuts.push({ span: { start, end: part.end }, items: piece.slice(first, last), isFaq });
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
