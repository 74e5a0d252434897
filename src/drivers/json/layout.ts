import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { StrataError } from '../../model/errors.js';
import { sha256 } from '../../model/hash.js';
import { isUuid } from '../../store/stored.js';

/**
 * Where things stand in the library's folder:
 *
 *     <document id>.<revision>/    a document: document.json (twice), text.json, words.json and one file per slice
 *     records/<name>.<revision>.json   small things: settings, tables, tools
 *     vectors/<revision>.vec       vectors, a batch a file
 *     state/<generation>.json      which of these count; the highest number is the library
 *     lock/                        the writer's lock
 *     .temp-<uuid>/                being written, or left by a writer that died
 *     .damaged-<name>/             set aside by `doctor --fix`
 *
 * A revision is the generation that brought it. Nothing is ever changed in place. Whatever else lies in the folder is
 * not ours and is left alone.
 *
 * Every name is made here, and of nothing but UUIDs, whole numbers and hashes: a library is data that may have come
 * from anybody, and an id such as `../../x` would be a path out of it.
 */
export const STATE_FOLDER = 'state';
export const RECORDS_FOLDER = 'records';
export const VECTORS_FOLDER = 'vectors';
export const LOCK_FOLDER = 'lock';

export const DOCUMENT_FILE = 'document.json';
export const DOCUMENT_COPY = 'document.copy.json';
export const TEXT_FILE = 'text.json';
export const WORDS_FILE = 'words.json';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const DOCUMENT_NAME = new RegExp(`^(${UUID})\\.([1-9]\\d*)$`);
const TEMP_NAME = /^\.temp-/;

export const tempName = (): string => `.temp-${randomUUID()}`;
export const isTempName = (name: string): boolean => TEMP_NAME.test(name);

/** A revision or generation: far more commits than a library will ever see, and arithmetic stays exact. */
export const isRevision = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < 2 ** 48;

function uuid(id: string): string {
  if (isUuid(id)) return id;
  throw new StrataError('STORE_DAMAGED', `the library names a record "${id}", which is no id of Strata's`);
}

function numbered(revision: number): string {
  if (isRevision(revision)) return String(revision);
  throw new StrataError('STORE_DAMAGED', `the library names a revision "${revision}", which is none`);
}

export const documentName = (id: string, revision: number): string => `${uuid(id)}.${numbered(revision)}`;

export function parseDocumentName(name: string): { readonly id: string; readonly revision: number } | null {
  const match = DOCUMENT_NAME.exec(name);
  const revision = Number(match?.[2]);
  return match === null || !isRevision(revision) ? null : { id: match[1]!, revision };
}

export const damagedName = (name: string): string => `.damaged-${name}`;

/** In reading order, so that a person who opens the folder reads the document. */
export const sliceName = (index: number, chunkId: string): string =>
  `${index === 0 ? '00000' : numbered(index).padStart(5, '0')}-${uuid(chunkId)}.json`;

/** Ids may hold anything and be long; a file name may not. */
export const recordName = (kind: string, id: string, revision: number): string =>
  `${kind.replace(/[^a-z0-9_-]/gi, '_').slice(0, 40)}-${sha256(`${kind}\u0000${id}`).slice(0, 32)}.${numbered(revision)}.json`;

export const vectorsName = (revision: number): string => `${numbered(revision)}.vec`;

export const stateName = (generation: number): string => `${numbered(generation)}.json`;

export function parseStateName(name: string): number {
  const generation = /^[1-9]\d*\.json$/.test(name) ? Number.parseInt(name, 10) : 0;
  return isRevision(generation) ? generation : 0;
}

export const statePath = (path: string, generation: number): string =>
  join(path, STATE_FOLDER, stateName(generation));
