import { type Chunk, CONTENT_TYPES } from './chunk.js';
import { StrataError } from './errors.js';
import type { Json, JsonObject } from './json.js';

/**
 * A chunk as plain JSON and back (S2.1). What comes back is checked field by field: a record from a file, a network or
 * another version is refused with the name of the field that is missing, unknown or wrong.
 */
export function toDict(chunk: Chunk): JsonObject {
  return JSON.parse(JSON.stringify(chunk)) as JsonObject;
}

export function fromDict(dict: unknown): Chunk {
  const fields = objectOf(dict, 'the chunk');
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(FIELDS, name)) refuse(name, 'is no field of a chunk');
  }
  for (const [name, { wants, accepts, optional }] of Object.entries(FIELDS)) {
    if (fields[name] === undefined) {
      if (optional !== true) refuse(name, 'is missing');
    } else if (!accepts(fields[name])) refuse(name, `must be ${wants}`);
  }
  const chunk = JSON.parse(JSON.stringify(fields)) as Chunk;
  if (chunk.end_position < chunk.start_position) refuse('end_position', 'must not be before start_position');
  return chunk;
}

interface Field {
  readonly wants: string;
  readonly optional?: boolean;
  accepts(value: unknown): boolean;
}

const text: Field = { wants: 'a string', accepts: (value) => typeof value === 'string' };
const filled: Field = {
  wants: 'a string that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
};
const count: Field = {
  wants: 'a whole number of at least 0',
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0,
};

/** One line a field of the record; the type checker says when one is missing. */
const FIELDS: { readonly [name in keyof Required<Chunk>]: Field } = {
  id: filled,
  doc_id: filled,
  section_id: { wants: 'a string or null', accepts: (value) => value === null || typeof value === 'string' },
  title: text,
  title_path: {
    wants: 'a list of strings',
    accepts: (value) => isList(value, (item) => typeof item === 'string'),
  },
  parent_doc_title: text,
  chunk_index: count,
  content_type: {
    wants: `one of ${CONTENT_TYPES.join(', ')}`,
    accepts: (value) => CONTENT_TYPES.some((type) => type === value),
  },
  content: filled,
  summary: text,
  token_count: count,
  start_position: count,
  end_position: count,
  loc: { wants: 'a place (page, page_end, paragraph, offset: numbers; lines: from, to)', accepts: isLoc },
  hash: filled,
  chunk_hash: filled,
  source_hint: text,
  is_parent: { wants: 'false', accepts: (value) => value === false },
  metadata: { wants: 'an object of JSON', accepts: (value) => isObject(value) && isJson(value) },
  json_pointer: { ...text, optional: true },
  total_chunks: { ...count, optional: true },
  content_hash: { ...filled, optional: true },
};

function isLoc(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, part]) => {
    if (name === 'lines')
      return (
        isObject(part) && Object.keys(part).length === 2 && count.accepts(part.from) && count.accepts(part.to)
      );
    return ['page', 'page_end', 'paragraph', 'offset'].includes(name) && count.accepts(part);
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isList = (value: unknown, accepts: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(accepts);

function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isObject(value) && Object.values(value).every(isJson);
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  return isObject(value) ? value : refuse(name, 'must be an object');
}

function refuse(name: string, problem: string): never {
  throw new StrataError('INVALID_RECORD', `${name} ${problem}`);
}
