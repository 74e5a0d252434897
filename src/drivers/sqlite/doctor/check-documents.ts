import type { Chunk } from '../../../model/chunk.js';
import type { Document } from '../../../model/document.js';
import { isStrataError, reasonOf } from '../../../model/errors.js';
import { contentHash } from '../../../model/hash.js';
import { chunkId } from '../../../model/id.js';
import type { Section } from '../../../model/section.js';
import type { DocumentContent } from '../../../store/backend.js';
import { unpackContent, unpackSections } from '../../../store/packing.js';
import type { Connection } from '../connection.js';
import { CHUNKS } from '../records/reads.js';
import { CHUNK_COLUMNS, ITEM_COLUMNS, toChunk, toDocument, unpackKey } from '../records/rows.js';
import { textOf } from '../values.js';

/** A document's records, each checked against its own checksum. */
export interface StoredDocument {
  readonly item: number;
  readonly document: Document;
  readonly sections: readonly Section[];
  readonly content: DocumentContent;
  readonly chunks: readonly {
    readonly chunk: Chunk;
    readonly embed_key: string;
    readonly unit: number;
    readonly words: number;
  }[];
  readonly unit: number;
  readonly words: number;
}

export interface DocumentProblem {
  readonly item: number;
  /** As the row says, which may be damaged itself. */
  readonly id: string;
  readonly source_path: string;
  readonly problem: string;
}

const PLACE = {
  embed_key: CHUNK_COLUMNS.split(', ').indexOf('embed_key'),
  words: CHUNK_COLUMNS.split(', ').indexOf('words'),
};

/** Null when there is no such row. Throws STORE_DAMAGED for anything that fails its checksum. */
export function readDocument(connection: Connection, item: number): StoredDocument | null {
  const row = connection.get(`SELECT ${ITEM_COLUMNS} FROM knowledge_items WHERE n = ?`, item);
  if (row === undefined) return null;
  const document = toDocument(row);
  const [unit, words] = row.slice(-3) as number[];
  const texts = connection.get('SELECT text, structure FROM item_texts WHERE n = ?', item);
  const packed = { text: texts?.[0], structure: texts?.[1] };
  const rows = connection.all(`${CHUNKS} WHERE c.item_id = ? ORDER BY c.chunk_index`, document.id);
  return {
    item,
    document,
    sections: unpackSections(packed, document.id),
    content: unpackContent(packed, document.id),
    chunks: rows.map((chunkRow) => ({
      chunk: toChunk(chunkRow),
      embed_key: unpackKey(chunkRow[PLACE.embed_key]),
      unit: Number(chunkRow[0]),
      words: Number(chunkRow[PLACE.words]),
    })),
    unit: unit!,
    words: words!,
  };
}

/** What is wrong with a document whose rows are as they were written; null when nothing is. */
export function brokenInvariant({ document, content, chunks }: StoredDocument): string | null {
  if (contentHash(content.text) !== document.hash) return 'its text does not have its hash';
  if (chunks.length !== document.chunk_count) {
    return `it has ${chunks.length} chunks where its record says ${document.chunk_count}`;
  }
  for (const [index, { chunk }] of chunks.entries()) {
    if (chunk.chunk_index !== index) return `chunk ${index} is missing`;
    if (content.text.slice(chunk.start_position, chunk.end_position) !== chunk.content) {
      return `chunk ${index} is not the text at its place`;
    }
    if (contentHash(chunk.content) !== chunk.hash) return `chunk ${index} does not have its hash`;
    if (chunkId(document.id, chunk.chunk_hash) !== chunk.id) return `chunk ${index} has an id not its own`;
  }
  return null;
}

/** A document as it is read and checked, or what is wrong with it. */
export function examine(connection: Connection, item: number): StoredDocument | DocumentProblem | null {
  try {
    const stored = readDocument(connection, item);
    if (stored === null) return null;
    const problem = brokenInvariant(stored);
    return problem === null ? stored : { ...names(connection, item), problem };
  } catch (error) {
    // A damaged row may break anything that reads it: inflating, parsing, SQLite itself.
    const problem = isStrataError(error, 'STORE_DAMAGED')
      ? reasonOf(error)
      : `it cannot be read: ${reasonOf(error)}`;
    return { ...names(connection, item), problem };
  }
}

function names(connection: Connection, item: number): { item: number; id: string; source_path: string } {
  try {
    const row = connection.get('SELECT id, source_path FROM knowledge_items WHERE n = ?', item);
    return { item, id: textOf(row?.[0]), source_path: textOf(row?.[1]) };
  } catch {
    return { item, id: '', source_path: `document number ${item}` };
  }
}

/**
 * A chunk's content stands in the document's text too: where that alone was damaged, the row is as it was once the
 * text is put back. Gives the rows that could be mended so.
 */
export function mendContents(connection: Connection, item: number): number {
  let mended = 0;
  const row = connection.get('SELECT id FROM knowledge_items WHERE n = ?', item);
  const texts = connection.get('SELECT text, structure FROM item_texts WHERE n = ?', item);
  if (row === undefined || texts === undefined) return 0;
  const { text } = unpackContent({ text: texts[0], structure: texts[1] }, textOf(row[0]));
  const content = CHUNK_COLUMNS.split(', ').indexOf('content');
  for (const damaged of connection.all(`${CHUNKS} WHERE c.item_id = ?`, row[0]!)) {
    try {
      toChunk(damaged);
    } catch {
      const [start, end] = [Number(damaged[content + 2]), Number(damaged[content + 3])];
      const whole = damaged.with(content, text.slice(start, end));
      try {
        toChunk(whole);
      } catch {
        continue;
      }
      connection.run('UPDATE knowledge_chunks SET content = ? WHERE unit = ?', whole[content]!, damaged[0]!);
      mended++;
    }
  }
  return mended;
}
