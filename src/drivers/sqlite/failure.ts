import { isStrataError, StrataError } from '../../model/errors.js';

/** SQLite's result codes, the low byte: https://sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** The binding does not always pass the code on, but the message is SQLite's own. */
const MESSAGES: readonly (readonly [RegExp, number])[] = [
  [/database (table )?is locked/, BUSY],
  [/readonly database/, READONLY],
  [/disk I\/O error/, IOERR],
  [/malformed/, CORRUPT],
  [/disk is full/, FULL],
  [/unable to open database/, CANTOPEN],
  [/not a database/, NOTADB],
];

function resultCode(error: unknown): number {
  const { code, errcode, message } = (error ?? {}) as {
    code?: unknown;
    errcode?: unknown;
    message?: unknown;
  };
  // A number that none of ours can be: the row's header is damaged.
  if (code === 'ERR_OUT_OF_RANGE') return CORRUPT;
  if (typeof errcode === 'number') return errcode & 0xff;
  return MESSAGES.find(([pattern]) => pattern.test(String(message)))?.[1] ?? 0;
}

export const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes(resultCode(error));
/** Also of an error that has been put into our own words already. */
export const isReadOnly = (error: unknown): boolean =>
  [READONLY, CANTOPEN].includes(resultCode(isStrataError(error) ? error.cause : error));

/** What SQLite says, as an error that names the library, the problem and the next step. */
export function storeError(error: unknown, path: string): unknown {
  if (isStrataError(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const fail = (code: 'STORE_FAILED' | 'STORE_DAMAGED' | 'STORE_BUSY', problem: string) =>
    new StrataError(code, `${path}: ${problem} (${reason}).`, { cause: error });
  switch (resultCode(error)) {
    case BUSY:
    case LOCKED:
      return fail('STORE_BUSY', 'another process is writing; try again');
    case FULL:
      return fail('STORE_FAILED', 'the disk is full; nothing was written. Free some space and try again');
    case READONLY:
      return fail(
        'STORE_FAILED',
        'the library cannot be written; check the permissions of the file and its folder',
      );
    case CANTOPEN:
      return fail(
        'STORE_FAILED',
        'the library cannot be opened; check that the folder exists and may be written',
      );
    case IOERR:
      return fail('STORE_FAILED', 'reading or writing the disk failed; check the drive and free space');
    case CORRUPT:
    case NOTADB:
      return fail(
        'STORE_DAMAGED',
        'the file is damaged or no library. Run `strata doctor --fix`, restore a backup, or remove the file and add the documents again',
      );
    default: {
      const { code } = error as { code?: unknown };
      if (code === 'EACCES' || code === 'EPERM') {
        return fail('STORE_FAILED', 'the library is not yours to open; ask its owner, or name another');
      }
      return code === 'ERR_SQLITE_ERROR' ? fail('STORE_FAILED', 'the store refused') : error;
    }
  }
}
