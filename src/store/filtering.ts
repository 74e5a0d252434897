import type { ContentType } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { StrataError } from '../model/errors.js';
import { globMatcher } from '../model/glob.js';
import type { Filter } from './filter.js';

/** What a filter asks of a document; its `content_types` are asked of units (see `contentTypesOf`). */
export type FilterableDocument = Pick<Document, 'id' | 'source_path' | 'updated_at' | 'metadata'>;

/** Whether a document passes the filter's document-level fields. Throws INVALID_ARGUMENT for a date that is none. */
export function documentMatcher(filter: Filter): (document: FilterableDocument) => boolean {
  const tests: ((document: FilterableDocument) => boolean)[] = [];
  const { doc_ids, path, file_types, tags, collections, updated_after, updated_before } = filter;
  const { tools, granted_tables } = filter;
  if (doc_ids !== undefined) {
    const ids = new Set(doc_ids);
    tests.push((document) => ids.has(document.id));
  }
  if (path !== undefined) {
    const matches = pathMatcher(path);
    tests.push((document) => matches(document.source_path));
  }
  if (file_types !== undefined) tests.push(({ metadata }) => includes(file_types, metadata.format));
  if (collections !== undefined) tests.push(({ metadata }) => includes(collections, metadata.collection));
  if (tags !== undefined) {
    tests.push(({ metadata }) => {
      const own = metadata.tags;
      return tags.every((tag) => Array.isArray(own) && own.includes(tag));
    });
  }
  if (updated_after !== undefined) {
    const limit = moment('updated_after', updated_after);
    tests.push((document) => Date.parse(document.updated_at) >= limit);
  }
  if (updated_before !== undefined) {
    const limit = moment('updated_before', updated_before);
    tests.push((document) => Date.parse(document.updated_at) < limit);
  }
  if (tools !== undefined) {
    tests.push(
      ({ metadata: { search_tools } }) =>
        Array.isArray(search_tools) && search_tools.some((tool) => includes(tools, tool)),
    );
  }
  if (granted_tables !== undefined) {
    tests.push(({ metadata }) => includes(granted_tables, metadata.table_id));
  }
  return (document) => tests.every((test) => test(document));
}

/**
 * A chunk passes `content_types` by holding one of them; a document by having such a chunk, so that `--type code` finds
 * documents with code. Null: no restriction.
 */
export const contentTypesOf = (filter: Filter | undefined): ReadonlySet<ContentType> | null =>
  filter?.content_types === undefined ? null : new Set(filter.content_types);

/** Whether any field that asks about documents is given. */
export function restrictsDocuments(filter: Filter | undefined): boolean {
  return (
    filter !== undefined &&
    Object.entries(filter).some(([key, v]) => key !== 'content_types' && v !== undefined)
  );
}

/** A folder or a file by its path from the start; or a glob. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const wanted = withoutLastSlashes(slashes(pattern).replace(/^\.\//, ''));
  if (/[*?]/.test(wanted)) {
    const matches = globMatcher(wanted);
    return (path) => matches(slashes(path));
  }
  if (wanted === '' || wanted === '.') return () => true;
  const folder = wanted.endsWith('/') ? wanted : `${wanted}/`;
  return (path) => {
    const own = slashes(path);
    return own === wanted || own.startsWith(folder);
  };
}

/** `docs//` → `docs`; what consists of slashes alone stays one of them. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

const slashes = (path: string): string => path.replaceAll('\\', '/');

const includes = (wanted: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && wanted.includes(value);

function moment(field: string, value: string): number {
  const time = Date.parse(value);
  if (Number.isNaN(time)) {
    throw new StrataError('INVALID_ARGUMENT', `${field} "${value}" is no date: write it as 2026-01-31.`);
  }
  return time;
}
