import type { Chunk } from '../model/chunk.js';
import { contentHash, repeatedHash } from '../model/hash.js';
import { chunkId } from '../model/id.js';
import { indexedBody } from '../model/indexed.js';
import type { Block, Section } from '../model/section.js';
import type { Span, Tree } from '../model/tree.js';
import { firstCharacters } from '../text/graphemes.js';
import { tokensBetween } from '../text/tokens.js';
import { describe, metadataOf } from './describe.js';
import { dividePiece } from './divide.js';
import { faqEntries } from './faq.js';
import { type Item, itemsOf, visibleEnd } from './items.js';
import { overlapStart } from './overlap.js';
import { cutPieces, Sizes } from './pieces.js';
import { Places } from './places.js';
import { sectionRecords } from './sections.js';
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

/** A tree's sections, blocks and chunks as records. */
export function chunkDocument(tree: Tree, request: ChunkRequest): ChunkedDocument {
  const places = new Places(tree.text, tree.pages);
  const { sections, blocks, paths } = sectionRecords(tree, request.doc_id, request.source, places);
  const repeats = new Map<string, number>();
  const chunks = chunkSpans(tree, request.settings).map((cut, chunk_index): Chunk => {
    const { start, end } = cut.span;
    const content = tree.text.slice(start, end);
    const { section, paragraph, content_type, source_hint } = describe(
      tree,
      cut.items,
      cut.span,
      cut.isFaq,
      request.settings,
    );
    const hash = contentHash(content);
    const repeat = repeats.get(hash) ?? 0;
    repeats.set(hash, repeat + 1);
    const chunk_hash = repeatedHash(hash, repeat);
    const metadata = metadataOf(tree, cut.items, cut.span);
    const visible =
      metadata.excluded === undefined
        ? content
        : indexedBody({ content, metadata: { excluded: metadata.excluded } });
    return {
      id: chunkId(request.doc_id, chunk_hash),
      doc_id: request.doc_id,
      section_id: sections[section]?.id ?? null,
      title: sections[section]?.title || request.title,
      title_path: paths[section] ?? [],
      parent_doc_title: request.title,
      chunk_index,
      content_type,
      content,
      summary: firstCharacters(visible.trimStart(), CHUNK_SUMMARY),
      token_count: tokensBetween(tree.text, start, end),
      start_position: start,
      end_position: end,
      loc: { ...places.loc(start, end), paragraph },
      hash,
      chunk_hash,
      source_hint,
      is_parent: false,
      metadata,
    };
  });
  return { sections, blocks, chunks, summary: joinSummaries(chunks) };
}

interface Cut {
  readonly span: Span;
  readonly items: readonly Item[];
  readonly isFaq: boolean;
}

/** Where the chunks are: pieces by headings and standing blocks, then parts of those that are too long. */
function chunkSpans(tree: Tree, settings: ChunkSettings): Cut[] {
  const { text, excluded } = tree;
  const items = itemsOf(tree);
  const faq = faqEntries(tree, items);
  const starts = cutPieces(text, items, new Sizes(items, excluded), faq, settings);
  const cuts: Cut[] = [];
  starts.forEach((from, index) => {
    const to = starts[index + 1] ?? items.length;
    const piece = items.slice(from, to);
    const isFaq = settings.separate && faq[from]! >= 0 && faq.subarray(from, to).every((entry) => entry >= 0);
    const span = { start: piece[0]!.start, end: piece.at(-1)!.end };
    if (span.end - span.start <= settings.max) {
      if (span.end > span.start) cuts.push({ span, items: piece, isFaq });
      return;
    }
    for (const { span: part, items: held } of partsOf(tree, piece, settings)) {
      if (part.end > part.start) cuts.push({ span: part, items: held, isFaq });
    }
  });
  return cuts;
}

function partsOf(
  tree: Tree,
  piece: readonly Item[],
  settings: ChunkSettings,
): { span: Span; items: readonly Item[] }[] {
  const parts = dividePiece(tree.text, piece, settings);
  let first = 0;
  return parts.map((part, index) => {
    const start =
      index === 0 ? part.start : overlapStart(tree.text, parts[index - 1]!, part, piece, settings);
    const end = visibleEnd(tree.text, tree.excluded, part.start, part.end);
    while (first < piece.length - 1 && piece[first]!.end <= part.start) first++;
    let last = first + 1;
    while (last < piece.length && piece[last]!.start < part.end) last++;
    return { span: { start, end }, items: piece.slice(first, last) };
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
