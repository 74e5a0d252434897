import { isStrataError, StrataError } from '../../model/errors.js';

/** The server or the network is gone: what was not committed was not written, and may be tried again. */
const GONE = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01', // The administrator stopped the server.
  '57P02',
  '57P03', // It is starting or stopping.
  '08006',
  '08003',
  '08001',
]);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

export const isGone = (error: unknown): boolean => GONE.has(codeOf(error));
/** `lock_timeout` has passed: another writer has its turn. */
export const isLocked = (error: unknown): boolean => codeOf(error) === '55P03';
/** Two transactions were in each other's way, and the server ended this one. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** What the server says, as an error that names the library, the problem and the next step; never a secret. */
export function storeError(error: unknown, place: string): unknown {
  if (isStrataError(error)) return error;
  const code = codeOf(error);
  const problem = isGone(error) ? unreachable(code) : problemOf(code, messageOf(error));
  if (problem === null) return error;
  return new StrataError('STORE_FAILED', `${place}: ${problem}`, { cause: withoutSecrets(error) });
}

const unreachable = (code: string): string =>
  code === 'ECONNREFUSED' || code === 'CONNECT_TIMEOUT'
    ? 'no PostgreSQL server answers there; check that it runs, and the host and port'
    : 'the server went away; nothing half was written. Try again when it is back';

function problemOf(code: string, message: string): string | null {
  switch (code) {
    case '28P01':
    case '28000':
      return `the server refused the user or the password (${message}); correct STRATA_POSTGRES_URL`;
    case '3D000':
      return `${message}; create the database, or correct the address`;
    case '3F000':
      return `${message}; create the schema, or name another with ?schema=`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host is not known; correct the address';
    case '25006':
      return 'the server is read-only (a standby?); write to its primary';
    case '42501':
      return `the role may not do that (${message}); grant it what docs/guides/stores.md lists`;
    case '53100':
      return "the server's disk is full; nothing was written. Free some space there and try again";
    case '53200':
    case '53300':
      return `the server has no more room for this (${message}); try again, or lower ?pool=`;
    case '54000':
      return `something is too long for the server's index (${message}); shorten the document's source`;
    case '57014':
      return `the server ended a statement (${message}); raise its statement_timeout`;
    case '42P07':
      return `${message}, and is not Strata's; name another schema with ?schema=`;
    case '22P05':
      return `${message}; the database must have the encoding UTF8`;
    default:
      // Five characters: a state of the SQL standard.
      return /^[0-9A-Z]{5}$/.test(code)
        ? `the server refused: ${message} (${code})`
        : tlsProblem(code, message);
  }
}

function tlsProblem(code: string, message: string): string | null {
  if (!/CERT|SSL|TLS/.test(`${code}${message}`)) return null;
  return `no secure connection (${message || code}); see sslmode in docs/guides/stores.md`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The client's errors carry the query, its parameters and the connection's options. */
const withoutSecrets = (error: unknown): Error => {
  const plain = new Error(messageOf(error));
  return Object.assign(plain, { code: codeOf(error) });
};
