import { basename, dirname } from 'node:path';
import { StrataError } from '../../model/errors.js';

/** Which library of which server. The URL has the secret, and stays in memory. */
export interface Address {
  readonly url: string;
  /** As it is shown and written down: no user, no password. */
  readonly shown: string;
  readonly library: string;
  readonly schema: string;
  /** How many connections a process may hold. */
  readonly pool: number;
}

/** Ours, in the URL's query; what else stands there (`sslmode`, …) is the server's. */
const OURS = ['library', 'schema', 'pool'];
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;
const POOL = 4;
/** Supabase's and other poolers' port for transactions: prepared statements do not live that long there. */
const TRANSACTION_POOLER = '6543';

export const VARIABLE = 'STRATA_POSTGRES_URL';

/**
 * The address a library is opened at. Where it was only found written down beside the library (which may have come with
 * somebody's repository), the server is taken from the environment, and must be the same one: no password goes to a
 * server that its owner did not name.
 */
export function addressOf(
  place: string | undefined,
  { location, isAsked }: { readonly location: string; readonly isAsked: boolean },
  env: NodeJS.ProcessEnv = process.env,
): Address {
  const named = env[VARIABLE] || undefined;
  if (named === undefined && (place === undefined || !isAsked)) {
    const where = place === undefined ? '' : ` (${parse(place, location).shown})`;
    throw new StrataError(
      'INVALID_ARGUMENT',
      `the library is kept by PostgreSQL${where}: set ${VARIABLE} to postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
    );
  }
  if (place === undefined) return parse(named!, location);
  const wanted = parse(place, location);
  if (named === undefined) return wanted;
  const given = parse(named, location);
  if (serverOf(given) !== serverOf(wanted)) {
    if (isAsked) return wanted;
    throw new StrataError(
      'INVALID_ARGUMENT',
      `the library is kept at ${wanted.shown}, and ${VARIABLE} names ${serverOf(given)}; set it to that server`,
    );
  }
  const { library, schema } = wanted;
  return { ...given, library, schema, shown: shownAs(new URL(given.url), library, schema) };
}

/** With the library's name in it, so that a folder that is renamed keeps its library. */
export function placeOfAddress(
  written: string | undefined,
  location: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const text = written ?? (env[VARIABLE] || undefined);
  if (text === undefined) return undefined;
  const url = urlOf(text);
  url.searchParams.set('library', parse(text, location).library);
  return url.href;
}

/** The address as it is written down beside the library: without a password. */
export const keptPlace = (place: string): string => parse(place, '').shown;

function parse(text: string, location: string): Address {
  const url = urlOf(text);
  const asked = url.searchParams;
  const library = asked.get('library') ?? (basename(dirname(location)) || 'main');
  const schema = asked.get('schema') ?? 'public';
  const pool = Number(asked.get('pool') ?? POOL);
  if (!SCHEMA.test(schema)) throw refused(`schema=${schema} is no name of a schema (a–z, 0–9 and _)`);
  if (!Number.isInteger(pool) || pool < 1 || pool > 100) throw refused('pool= is a number from 1 to 100');
  if (library.trim() === '' || library.length > 200 || library.includes('\u0000'))
    throw refused('library= is a name of 1 to 200 characters');
  const shown = shownAs(url, library, schema);
  for (const name of OURS) asked.delete(name);
  return { url: url.href, shown, library, schema, pool };
}

function urlOf(text: string): URL {
  // The driver's name has been taken off: `postgres://…` comes as `//…`.
  const full = text.startsWith('//') ? `postgres:${text}` : text.replace(/^postgresql:/, 'postgres:');
  try {
    const url = new URL(full);
    if (url.protocol === 'postgres:' && url.hostname !== '') return url;
  } catch {
    // The error below says so, without the text: it may hold a password.
  }
  throw refused('write postgres://USER:PASSWORD@HOST:PORT/DATABASE?library=NAME');
}

const refused = (problem: string): StrataError =>
  new StrataError('INVALID_ARGUMENT', `the address of the PostgreSQL store is not right: ${problem}`);

function shownAs(url: URL, library: string, schema: string): string {
  const query = new URLSearchParams({ library, ...(schema !== 'public' && { schema }) });
  return `postgres://${serverOf({ url: url.href })}?${query}`;
}

function serverOf({ url }: Pick<Address, 'url'>): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname === '/' ? '' : pathname}`;
}

/** Statements are prepared unless the address is a transaction pooler's, or says so itself (`prepare=false`). */
export function preparesStatements({ url }: Address): boolean {
  const { port, searchParams } = new URL(url);
  const asked = searchParams.get('prepare');
  return asked === null ? port !== TRANSACTION_POOLER : asked !== 'false';
}
