import { type Chunk, CONTENT_TYPES } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { isStrataError, type StrataError } from '../model/errors.js';
import { contentHash } from '../model/hash.js';
import { isObject } from '../model/json/json.js';
import type { Section } from '../model/section.js';
import { BLOCK_TYPES } from '../model/tree.js';
import type { DocumentContent } from './backend.js';

/**
 * What a driver has read, checked before anybody believes its type. A library may have come with a cloned repository:
 * its checksums only say that whoever wrote it could compute them. Fields that are not named here are let through.
 */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** What can be made of these rows; a damaged one is left out of a list, and is an error only where it is asked for alone. */
export function undamaged<R, T>(
  rows: readonly R[],
  make: (row: R) => T,
  onDamage: (error: StrataError) => void = () => {},
): T[] {
  return rows.flatMap((row) => {
    try {
      return [make(row)];
    } catch (error) {
      if (!isStrataError(error, 'STORE_DAMAGED')) throw error;
      onDamage(error);
      return [];
    }
  });
}

/** A whole number from 0 on that arithmetic can be trusted with. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

export type Fields = Readonly<Record<string, unknown>>;

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isListOf = <T>(value: unknown, is: (one: unknown) => one is T): value is readonly T[] =>
  Array.isArray(value) && value.every(is);

const texts = (value: Fields, names: readonly string[]): boolean =>
  names.every((name) => isText(value[name]));

const isRange = (start: unknown, end: unknown): boolean => isCount(start) && isCount(end) && start <= end;

const DOCUMENT_TEXTS = ['source', 'source_path', 'title', 'summary', 'hash', 'updated_at'];

export const isDocument = (value: unknown): value is Document =>
  isObject(value) &&
  isUuid(value.id) &&
  texts(value, DOCUMENT_TEXTS) &&
  isCount(value.chunk_count) &&
  isObject(value.metadata);

const CHUNK_TEXTS = ['title', 'parent_doc_title', 'summary', 'hash', 'chunk_hash', 'source_hint'];
const TYPES: readonly unknown[] = CONTENT_TYPES;
const isType = (value: unknown): value is Chunk['content_type'] => TYPES.includes(value);

/** All but its content, which may stand elsewhere. Those of earlier versions know their main type only. */
export const isChunk = (value: unknown): value is Omit<Chunk, 'content'> =>
  isObject(value) &&
  isUuid(value.id) &&
  isUuid(value.doc_id) &&
  isCount(value.chunk_index) &&
  isRange(value.start_position, value.end_position) &&
  texts(value, CHUNK_TEXTS) &&
  (value.section_id === null || isText(value.section_id)) &&
  isListOf(value.title_path, isText) &&
  isType(value.content_type) &&
  (value.content_types === undefined || isListOf(value.content_types, isType)) &&
  typeof value.token_count === 'number' &&
  isObject(value.loc) &&
  isChunkMetadata(value.metadata);

/** Its content is what was written: stores without a checksum of their own compare the hash. */
export const isWholeChunk = ({ content, hash }: Chunk): boolean => contentHash(content) === hash;

const isChunkMetadata = (value: unknown): boolean =>
  isObject(value) &&
  (value.table_header === undefined || isText(value.table_header)) &&
  (value.other_title === undefined || isText(value.other_title)) &&
  (value.excluded === undefined || isListOf(value.excluded, isPair));

const isPair = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && isRange(value[0], value[1]);

const isSpan = (value: unknown): value is { start: number; end: number } =>
  isObject(value) && isRange(value.start, value.end);

export const isSection = (value: unknown): value is Section =>
  isObject(value) &&
  texts(value, ['id', 'doc_id', 'parent_id', 'title']) &&
  isListOf(value.title_path, isText) &&
  isCount(value.level) &&
  isRange(value.start_position, value.end_position) &&
  isObject(value.loc) &&
  isListOf(value.blocks, isSectionBlock);

const isSectionBlock = (value: unknown): value is Section['blocks'][number] =>
  isObject(value) && texts(value, ['type', 'text']) && isObject(value.meta) && isObject(value.loc);

const BLOCKS: readonly unknown[] = BLOCK_TYPES;

const isBlock = (value: unknown): value is DocumentContent['blocks'][number] =>
  isObject(value) &&
  isSpan(value) &&
  BLOCKS.includes((value as Fields).type) &&
  Number.isInteger((value as Fields).section) &&
  ((value as Fields).cuts === undefined || isListOf((value as Fields).cuts, isCount)) &&
  ((value as Fields).header === undefined || isSpan((value as Fields).header));

/** The structure of a text, without the text itself. */
export const isStructure = (value: unknown): value is Omit<DocumentContent, 'text'> =>
  isObject(value) &&
  isListOf(value.blocks, isBlock) &&
  isListOf(value.pages, isCount) &&
  isListOf(value.excluded, isSpan);
