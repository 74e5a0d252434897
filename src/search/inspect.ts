import type { Staleness } from '../model/brief.js';
import type { Chunk, ContentType } from '../model/chunk.js';
import type { Citation } from '../model/citation.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import { trueLoc } from '../model/line-marks.js';
import type { Loc } from '../model/section.js';
import type { Backend, Place } from '../store/backend.js';
import { citation } from './show/cite.js';

/** What an inspection says beside what was asked for: whether the file is still the same, and what is damaged. */
interface InspectionNotes extends Staleness {
  readonly notices?: readonly string[];
}

/** A chunk with all there is to read of it. */
export interface ChunkInspection extends InspectionNotes {
  readonly is_parent: false;
  readonly id: string;
  readonly parent_id: string;
  readonly title: string;
  readonly parent_doc_title: string;
  readonly title_path: readonly string[];
  readonly chunk_index: number;
  readonly content_type: ContentType;
  readonly content_types: readonly ContentType[];
  readonly content: string;
  readonly token_count: number;
  readonly start_position: number;
  readonly end_position: number;
  readonly loc: Loc;
  /** The neighbours' ids; null at either end. */
  readonly previous_id: string | null;
  readonly next_id: string | null;
  readonly citation: Citation;
}

/** A document with all its children, in order. */
export interface DocumentInspection extends InspectionNotes {
  readonly is_parent: true;
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source_path: string;
  readonly updated_at: string;
  readonly chunk_count: number;
  readonly children: readonly ChunkInspection[];
}

export type Inspection = ChunkInspection | DocumentInspection;

export async function inspect(
  backend: Backend,
  document: Document,
  chunk: Chunk | null,
): Promise<Inspection> {
  return chunk ? inspectChunk(backend, document, chunk) : inspectDocument(backend, document);
}

/** A passage with as many before and after it, in reading order. */
export async function inspectAround(backend: Backend, id: string, count: number): Promise<ChunkInspection[]> {
  const chunk = await backend.chunk(id);
  const document = chunk && (await backend.document(chunk.doc_id));
  if (!chunk || !document) throw new StrataError('NOT_FOUND', `No passage has the id "${id}" here.`);
  // One more at either end, since each passage names its neighbours.
  const around = await backend.adjacent([placeOf(chunk)], count + 1, count + 1);
  const all = [...around, chunk].sort((a, b) => a.chunk_index - b.chunk_index);
  return all
    .map((one, at) => describe(document, one, all[at - 1]?.id ?? null, all[at + 1]?.id ?? null))
    .filter(({ chunk_index }) => Math.abs(chunk_index - chunk.chunk_index) <= count);
}

const placeOf = ({ doc_id, chunk_index }: Chunk): Place => ({ doc_id, index: chunk_index });

async function inspectChunk(backend: Backend, document: Document, chunk: Chunk): Promise<ChunkInspection> {
  const around = await backend.adjacent([placeOf(chunk)], 1, 1);
  const idAt = (index: number): string | null => around.find((c) => c.chunk_index === index)?.id ?? null;
  return describe(document, chunk, idAt(chunk.chunk_index - 1), idAt(chunk.chunk_index + 1));
}

async function inspectDocument(backend: Backend, document: Document): Promise<DocumentInspection> {
  const chunks = await backend.chunksOf(document.id);
  return {
    is_parent: true,
    id: document.id,
    title: document.title,
    summary: document.summary,
    source_path: document.source_path,
    updated_at: document.updated_at,
    chunk_count: document.chunk_count,
    children: chunks.map((chunk, index) =>
      describe(document, chunk, chunks[index - 1]?.id ?? null, chunks[index + 1]?.id ?? null),
    ),
  };
}

function describe(
  document: Document,
  stored: Chunk,
  previous_id: string | null,
  next_id: string | null,
): ChunkInspection {
  const chunk = { ...stored, loc: trueLoc(stored, document.metadata.format) };
  return {
    is_parent: false,
    id: chunk.id,
    parent_id: document.id,
    title: chunk.title,
    parent_doc_title: document.title,
    title_path: chunk.title_path,
    chunk_index: chunk.chunk_index,
    content_type: chunk.content_type,
    content_types: chunk.content_types,
    content: chunk.content,
    token_count: chunk.token_count,
    start_position: chunk.start_position,
    end_position: chunk.end_position,
    loc: chunk.loc,
    previous_id,
    next_id,
    citation: citation(document, chunk),
  };
}
