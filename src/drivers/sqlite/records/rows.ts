import { crc32 } from 'node:zlib';
import type { Chunk, ContentType } from '../../../model/chunk.js';
import type { Document } from '../../../model/document.js';
import { StrataError } from '../../../model/errors.js';
import type { Json } from '../../../model/json/json.js';
import type { ChunkWrite } from '../../../store/backend.js';
import { isChunk, isDocument } from '../../../store/stored.js';
import { type Row, textOf, type Value } from '../values.js';

/** Rows of the seed's tables and our records. Each row carries a CRC-32 of all its fields: a flipped bit is noticed. */

export const ITEM_COLUMNS =
  'id, source, source_path, title, summary, hash, updated_at, chunk_count, metadata, unit, words, crc';

export function itemRow(document: Document, unit: number, words: number): readonly Value[] {
  const { id, source, source_path, title, summary, hash, updated_at, chunk_count, metadata } = document;
  const fields = [
    id,
    source,
    source_path,
    title,
    summary,
    hash,
    updated_at,
    chunk_count,
    JSON.stringify(metadata),
  ];
  return [...fields, unit, words, checksum([...fields, unit, words])];
}

/** Columns as in ITEM_COLUMNS. */
export function toDocument(row: Row): Document {
  const texts = row.slice(0, -1).map((value) => (value instanceof Uint8Array ? textOf(value) : value));
  const [id, source, source_path, title, summary, hash, updated_at, chunk_count, metadata] =
    texts as string[];
  if (checksum(texts) !== row.at(-1)) throw damaged('document', id);
  const document = {
    id: id!,
    source: source!,
    source_path: source_path!,
    title: title!,
    summary: summary!,
    hash: hash!,
    updated_at: updated_at!,
    chunk_count: Number(chunk_count),
    is_parent: true as const,
    metadata: parsed(metadata),
  };
  // A checksum says that nobody but its maker has changed it; who that was, it does not say.
  if (!isDocument(document)) throw damaged('document', id);
  return document;
}

export const CHUNK_COLUMNS =
  'unit, id, item_id, chunk_index, content, heading, start_position, end_position, metadata, content_type, details, embed_key, words, crc';

/** Places in CHUNK_COLUMNS. */
const CONTENT = 4;
const HEADING = 5;
const EMBED_KEY = 11;

/** What the seed's columns do not name. What follows from other fields is left out (undefined is not written). */
type Details = Partial<
  Pick<
    Chunk,
    | 'section_id'
    | 'content_types'
    | 'title_path'
    | 'parent_doc_title'
    | 'summary'
    | 'token_count'
    | 'loc'
    | 'hash'
    | 'chunk_hash'
    | 'source_hint'
    | 'json_pointer'
    | 'total_chunks'
    | 'content_hash'
  >
> & {
  /** The summary is the content's beginning, this long. */
  readonly summary_length?: number;
};

export const chunkRow = (write: ChunkWrite, unit: number, words: number, docTitle: string): Value[] =>
  sealChunk(unit, chunkFields(write, docTitle), words, docTitle);

/** What of a chunk's row is known without the library: all between its unit and its words' checksum. */
export function chunkFields(
  { chunk, embed_key }: Pick<ChunkWrite, 'chunk' | 'embed_key'>,
  docTitle: string,
): Value[] {
  const { hash, chunk_hash, summary, parent_doc_title } = chunk;
  const isBeginning = chunk.content.startsWith(summary);
  const details: { [K in keyof Details]: Details[K] | undefined } = {
    section_id: chunk.section_id,
    content_types: chunk.content_types.length === 1 ? undefined : chunk.content_types,
    title_path: chunk.title_path,
    parent_doc_title: parent_doc_title === docTitle ? undefined : parent_doc_title,
    summary: isBeginning ? undefined : summary,
    summary_length: isBeginning ? summary.length : undefined,
    token_count: chunk.token_count,
    loc: chunk.loc,
    hash,
    chunk_hash: chunk_hash === hash ? undefined : chunk_hash,
    source_hint: chunk.source_hint,
    json_pointer: chunk.json_pointer,
    total_chunks: chunk.total_chunks,
    content_hash: chunk.content_hash,
  };
  return [
    chunk.id,
    chunk.doc_id,
    chunk.chunk_index,
    chunk.content,
    chunk.title,
    chunk.start_position,
    chunk.end_position,
    JSON.stringify(chunk.metadata),
    chunk.content_type,
    JSON.stringify(details),
    embed_key,
  ];
}

export function sealChunk(
  unit: number,
  chunkFields: readonly Value[],
  words: number,
  docTitle: string,
): Value[] {
  const fields = [unit, ...chunkFields, words];
  // The document's title stands in another row: it is checked here as well, since the chunk is given with it.
  const row = [...fields, checksum([...fields, docTitle])];
  row[EMBED_KEY] = packKey(row[EMBED_KEY] as string);
  return row;
}

/** Columns as in CHUNK_COLUMNS, then the document's title. */
export function toChunk(row: Row): Chunk {
  const [crc, docTitle] = row.slice(-2);
  const fields = row.slice(0, -2);
  fields[CONTENT] = textOf(fields[CONTENT]);
  fields[HEADING] = textOf(fields[HEADING]);
  const [, id, doc_id, chunk_index, content, title, start, end, metadata, content_type, packed] =
    fields as string[];
  if (checksum([...fields, textOf(docTitle)]) !== crc) throw damaged('chunk', id);
  const { summary_length, ...details } = (parsed(packed) ?? {}) as Details;
  const chunk = {
    id: id!,
    doc_id: doc_id!,
    section_id: null,
    title: title!,
    title_path: [],
    parent_doc_title: textOf(docTitle),
    chunk_index: Number(chunk_index),
    content_type: content_type as ContentType,
    content_types: [content_type as ContentType],
    content: content!,
    summary: content!.slice(0, summary_length ?? 0),
    token_count: 0,
    start_position: Number(start),
    end_position: Number(end),
    loc: {},
    hash: '',
    chunk_hash: details.hash!,
    source_hint: '',
    is_parent: false as const,
    metadata: parsed(metadata),
    ...details,
  };
  // The details of a stranger's row must not speak for its columns.
  const isOwn = chunk.id === id && chunk.doc_id === doc_id && chunk.content === content;
  if (!isOwn || !isChunk(chunk)) throw damaged('chunk', id);
  return chunk;
}

export function recordRow(kind: string, id: string, value: Json): readonly Value[] {
  const fields = [kind, id, JSON.stringify(value)];
  return [...fields, checksum(fields)];
}

export function toRecord(row: Row): { id: string; value: Json } {
  const [kind, id, value] = row.slice(0, 3).map(textOf);
  if (checksum([kind!, id!, value!]) !== row[3]) throw damaged(`record ${kind}`, id);
  return { id: id!, value: (parsed(value) ?? null) as Json };
}

/** undefined where it is no JSON, which no record of ours is. */
function parsed(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}

/** Hashes in hexadecimal take half the room as bytes; other keys stay as they are. */
export const packKey = (key: string): Value => (/^[0-9a-f]{64}$/.test(key) ? Buffer.from(key, 'hex') : key);

export const unpackKey = (packed: Value | undefined): string =>
  packed instanceof Uint8Array ? Buffer.from(packed).toString('hex') : String(packed);

export function checksum(fields: Row): number {
  let text = '';
  for (const field of fields) {
    text += field instanceof Uint8Array ? unpackKey(field) : field;
    text += '\u0000';
  }
  return crc32(text);
}

const damaged = (what: string, id: unknown): StrataError =>
  new StrataError('STORE_DAMAGED', `The ${what} ${id} is damaged on disk; run \`strata doctor --fix\`.`);
