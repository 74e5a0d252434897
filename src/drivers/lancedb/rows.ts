import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { StrataError } from '../../model/errors.js';
import { isObject } from '../../model/json/json.js';
import { isChunk, isDocument, isWholeChunk } from '../../store/stored.js';
import { type Row, row } from './table.js';

/** Rows by kind. Parents and children have title, summary and content for everybody; `record` is the whole of it. */

export const parentRow = (document: Document, n: number, unit: number, words: number) =>
  row({
    key: `parent/${document.id}`,
    kind: 'parent',
    owner: document.id,
    id: document.id,
    title: document.title,
    summary: document.summary,
    source: document.source,
    record: JSON.stringify(document),
    position: n,
    unit,
    words,
  });

export const childRow = (
  chunk: Chunk,
  embed_key: string,
  unit: number,
  words: number,
  vector: Float32Array | null,
) => {
  const { content, ...record } = chunk;
  return row({
    key: `chunk/${chunk.id}`,
    kind: 'chunk',
    owner: chunk.doc_id,
    id: chunk.id,
    doc_id: chunk.doc_id,
    title: chunk.title,
    summary: chunk.summary,
    content,
    content_type: chunk.content_type,
    content_types: typesText(chunk.content_types),
    embed_key,
    record: JSON.stringify(record),
    position: chunk.chunk_index,
    unit,
    words,
    ...(vector !== null && { vector }),
  });
};

/** So that one of them can be asked for by LIKE. */
export const typesText = (types: readonly string[]): string => `|${types.join('|')}|`;

export const CHUNK_COLUMNS = ['content', 'record', 'position', 'id'];

export function toDocument({ record }: Row): Document {
  const document = parsed(record);
  if (isDocument(document)) return document;
  throw damaged('document', document);
}

export function toChunk({ record, content }: Row): Chunk {
  const chunk = { ...(parsed(record) as object), content: String(content) };
  if (isChunk(chunk) && isWholeChunk(chunk as Chunk)) return chunk as Chunk;
  throw damaged('chunk', chunk);
}

export function parsed(record: unknown): unknown {
  try {
    return JSON.parse(String(record));
  } catch {
    throw damaged('record');
  }
}

export const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array();

const damaged = (what: string, record: unknown = {}): StrataError => {
  const id = isObject(record) ? record.id : '';
  return new StrataError(
    'STORE_DAMAGED',
    `The ${what} ${id} is damaged in the table; run \`strata doctor --fix\`.`,
  );
};
