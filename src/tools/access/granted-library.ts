import type { Library } from '../../engine/library.js';
import { namesIn } from '../../engine/verify/cited.js';
import { tableMetadata } from '../../ingest/tables/table-chunks.js';
import type { Document } from '../../model/document.js';
import { isStrataError, StrataError } from '../../model/errors.js';
import { requireLibraryAccess } from './permission.js';
import { type AccessLevel, includes, type Principal } from './principal.js';

/** What is asked of a library, as far as permissions go: an operation, or its face to agents. */
export interface Asked {
  readonly name: string;
  readonly access: AccessLevel;
  /** Whoever has no role in the library but grants for tables may ask it of the strings of these tables. */
  readonly ofTables?: boolean | undefined;
}

/** Whether somebody may ask this at all. */
export const mayAsk = (principal: Principal, { access, ofTables }: Omit<Asked, 'name'>): boolean =>
  includes(principal.access, access) || (ofTables === true && tablesOf(principal).length > 0);

/**
 * The library as this caller may see it: all of it, or the strings of the tables that were granted. Throws FORBIDDEN for
 * whoever may see neither.
 */
export function libraryFor(principal: Principal, library: Library, asked: Asked): Library {
  if (includes(principal.access, asked.access) || !mayAsk(principal, asked)) {
    requireLibraryAccess(principal, asked.access, asked.name);
    return library;
  }
  return grantedLibrary(library, tablesOf(principal));
}

const tablesOf = ({ grants = [] }: Principal): string[] =>
  grants.flatMap(({ kind, id, access }) => (kind === 'table' && includes(access, 'read') ? [id] : []));

/** Everything else of the library is as if it were not there, and refusals are those for what is not there. */
function grantedLibrary(library: Library, granted_tables: readonly string[]): Library {
  const filterOf = (filter: object | undefined) => ({ ...filter, granted_tables });
  const isGranted = (document: Document): boolean => {
    const string = tableMetadata(document);
    return string !== null && granted_tables.includes(string.table_id);
  };
  const find: Library['find'] = async (target, options) => {
    const document = await library.find(target, options).catch((error: unknown) => {
      // Also what begins several ids: the message would name documents.
      if (isStrataError(error, 'NOT_FOUND') || isStrataError(error, 'INVALID_ARGUMENT')) return null;
      throw error;
    });
    if (document === null || !isGranted(document)) throw absent(target);
    return document;
  };
  return {
    ...refusing(library),
    find,
    search: (query, options = {}) => library.search(query, { ...options, filter: filterOf(options.filter) }),
    scout: (query, options = {}) => library.scout(query, { ...options, filter: filterOf(options.filter) }),
    list: (options = {}) => library.list({ ...options, filter: filterOf(options.filter) }),
    async inspect(target, options) {
      await find(target, options);
      return library.inspect(target, options);
    },
    async around(chunkId, count) {
      await find(chunkId);
      return library.around(chunkId, count);
    },
    async verify(cited, options) {
      for (const name of namesIn(cited)) await find(name, options);
      const answer = await library.verify(cited, options);
      const { place, ...rest } = answer;
      if (place === undefined || (await mayRead(place.citation.doc_id))) return answer;
      const message = `${answer.cited.source_path} no longer holds this passage`;
      return { ...rest, status: 'gone', message };
    },
  };

  async function mayRead(docId: string): Promise<boolean> {
    return find(docId).then(
      () => true,
      () => false,
    );
  }
}

/** A library that does nothing: what somebody without a role may do is added to it by name. */
function refusing(library: Library): Library {
  const refused = () =>
    Promise.reject(new StrataError('FORBIDDEN', 'only tables that were granted can be asked'));
  const { location, root, searchesByMeaning } = library;
  return {
    ...{ location, root, searchesByMeaning },
    warmUp: () => library.warmUp(),
    generation: () => library.generation(),
    close: async () => {},
    ...{ embedder: refused, add: refused, addText: refused, remove: refused, find: refused, list: refused },
    ...{ show: refused, search: refused, scout: refused, inspect: refused, around: refused, near: refused },
    ...{ status: refused, putVectors: refused, embed: refused, rebuild: refused, check: refused },
    ...{ verify: refused, backup: refused, move: refused },
  };
}

const absent = (target: string): StrataError =>
  new StrataError(
    'NOT_FOUND',
    `Nothing in the tables that were granted is "${target.slice(0, 80)}": give an id or a citation as searches print them.`,
  );
