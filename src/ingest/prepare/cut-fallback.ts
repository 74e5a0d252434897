import { type ChunkRequest, DocumentRecords } from '../../chunk/chunk.js';
import type { Chunk } from '../../model/chunk.js';
import { reasonOf } from '../../model/errors.js';
import { contentHash } from '../../model/hash.js';
import { chunkId } from '../../model/id.js';
import type { Section } from '../../model/section.js';
import type { Tree } from '../../model/tree.js';
import { firstCharacters } from '../../text/graphemes.js';
import { estimateTokens } from '../../text/tokens.js';

/** A document's records, made while they are read, once. */
export interface Cut {
  readonly sections: Iterable<Section>;
  readonly chunks: Iterable<Chunk>;
  readonly chunk_count: number;
  readonly summary: string;
  readonly warnings: readonly string[];
}

/** A failure in cutting never loses the document: its whole text becomes one chunk, and the report says so. */
export function recordsOrWhole(
  tree: Tree,
  request: ChunkRequest,
  cut = (): DocumentRecords => new DocumentRecords(tree, request),
): Cut {
  try {
    const records = cut();
    const { chunk_count, summary } = records;
    return { sections: records.sections(), chunks: records.chunks(), chunk_count, summary, warnings: [] };
  } catch (error) {
    const chunks = tree.text.trim() === '' ? [] : [wholeChunk(tree, request)];
    const summary = firstCharacters(tree.text.trim(), 500);
    const warnings = [`could not be cut (${reasonOf(error)}); kept as one passage`];
    return { sections: [], chunks, chunk_count: chunks.length, summary, warnings };
  }
}

export function wholeChunk(
  { text, excluded }: Pick<Tree, 'text' | 'excluded'>,
  { doc_id, title }: Pick<ChunkRequest, 'doc_id' | 'title'>,
): Chunk {
  const hash = contentHash(text);
  return {
    id: chunkId(doc_id, hash),
    doc_id,
    section_id: null,
    title,
    title_path: [title],
    parent_doc_title: title,
    chunk_index: 0,
    content_type: 'text',
    content_types: ['text'],
    content: text,
    summary: firstCharacters(text.trim(), 200),
    token_count: estimateTokens(text),
    start_position: 0,
    end_position: text.length,
    loc: { lines: { from: 1, to: text.split('\n').length }, offset: 0 },
    hash,
    chunk_hash: hash,
    source_hint: '',
    is_parent: false,
    metadata:
      excluded.length > 0 ? { excluded: excluded.map(({ start, end }) => [start, end] as const) } : {},
  };
}
