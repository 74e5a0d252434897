import { crc32 } from 'node:zlib';
import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { StrataError } from '../../model/errors.js';
import type { Json, JsonObject } from '../../model/json/json.js';
import type { Section } from '../../model/section.js';
import { isChunk, isDocument, isWholeChunk } from '../../store/stored.js';

/** What PostgreSQL gives back: columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/** PostgreSQL's texts hold no NUL character; the record beside them has it. */
const shown = (text: string): string =>
  text.includes('\u0000') ? text.replaceAll('\u0000', '\ufffd') : text;

function shownJson(value: Json): Json {
  if (typeof value === 'string') return shown(value);
  if (Array.isArray(value)) return value.map(shownJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [shown(key), shownJson(item as Json)]),
  );
}

export const documentColumns = (document: Document): JsonObject & { id: string } => ({
  id: document.id,
  source: document.source,
  source_path: shown(document.source_path),
  title: shown(document.title),
  summary: shown(document.summary),
  hash: document.hash,
  updated_at: document.updated_at,
  chunk_count: document.chunk_count,
  metadata: shownJson(document.metadata) as JsonObject,
  record: JSON.stringify(document),
});

export function toDocument({ record }: Row): Document {
  const document = parsed(record, 'document');
  if (!isDocument(document)) throw damaged('document', document.id);
  return document as Document;
}

/** Fields that have a column of their own, or follow from others. */
type ChunkRecord = Omit<Chunk, 'content' | 'summary'> & {
  readonly content?: string;
  readonly summary?: string | number;
};

export function chunkColumns(chunk: Chunk): JsonObject & { id: string } {
  const { content, summary, ...rest } = chunk;
  const record: ChunkRecord = {
    ...rest,
    ...(content.includes('\u0000') && { content }),
    summary: content.startsWith(summary) ? summary.length : summary,
  };
  return {
    id: chunk.id,
    document_id: chunk.doc_id,
    section_id: chunk.section_id,
    chunk_index: chunk.chunk_index,
    chunk_hash: chunk.chunk_hash,
    title: shown(chunk.title),
    content: shown(content),
    content_type: chunk.content_type,
    content_types: [...chunk.content_types],
    metadata: clientMetadata(chunk),
    record: JSON.stringify(record),
  };
}

/** What other programs (LangChain's stores) find beside a passage. */
const clientMetadata = (chunk: Chunk): JsonObject =>
  shownJson({
    ...chunk.metadata,
    document_id: chunk.doc_id,
    document_title: chunk.parent_doc_title,
    title: chunk.title,
    title_path: [...chunk.title_path],
    chunk_index: chunk.chunk_index,
    content_type: chunk.content_type,
    content_types: [...chunk.content_types],
    start_position: chunk.start_position,
    end_position: chunk.end_position,
    loc: chunk.loc as unknown as Json,
  } as Json) as JsonObject;

export function toChunk({ record, content: column }: Row): Chunk {
  const { content = String(column), summary, ...rest } = parsed(record, 'chunk') as unknown as ChunkRecord;
  const chunk = {
    ...rest,
    content,
    summary: typeof summary === 'number' ? content.slice(0, summary) : (summary ?? ''),
  } as Chunk;
  if (!isChunk(chunk) || !isWholeChunk(chunk)) throw damaged('chunk', (chunk as Chunk).id);
  return chunk;
}

export const sectionColumns = (section: Section, position: number): JsonObject => ({
  document_id: section.doc_id,
  id: section.id,
  position,
  parent_id: section.parent_id,
  title: shown(section.title),
  title_path: section.title_path.map(shown),
  level: section.level,
  start_position: section.start_position,
  end_position: section.end_position,
});

/** Tells whether a row is as it would be written now. */
export const checksum = (columns: JsonObject, ...numbers: readonly (number | string)[]): number =>
  crc32(`${numbers.join()} ${JSON.stringify(columns)}`);

function parsed(record: unknown, what: string): JsonObject {
  try {
    return JSON.parse(String(record)) as JsonObject;
  } catch {
    throw damaged(what, '');
  }
}

const damaged = (what: string, id: unknown): StrataError =>
  new StrataError(
    'STORE_DAMAGED',
    `The ${what} ${id} is damaged in the database; run \`strata doctor --fix\`.`,
  );
