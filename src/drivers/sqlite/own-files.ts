import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { StrataError } from '../../model/errors.js';
import { OWN_FILE } from '../../store/own-file.js';

/** What SQLite keeps beside a database. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/** The end of a journal that names another one, from SQLite's file format. */
const NAMES_ANOTHER = Buffer.from('d9d505f920a163d7', 'hex');

/**
 * Before SQLite opens a library that may have come from anybody: its files must be files, since links are followed for
 * writing, and its journal must not name another. SQLite deletes a "super-journal" that a journal names, wherever that
 * is; ours never name one, for no transaction of ours spans two files.
 */
export function refuseForeignFiles(path: string): void {
  for (const suffix of SUFFIXES) {
    const file = path + suffix;
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) continue;
    // Where the library itself is a link, the engine has asked the user; what SQLite keeps beside it never is one.
    const isFine = found.isFile() || (suffix === '' && found.isSymbolicLink());
    if (!isFine) throw foreign(file, 'is a link or no file');
    if (suffix === '-journal' && namesAnother(file)) throw foreign(file, 'names a file outside the library');
  }
}

function namesAnother(file: string): boolean {
  const journal = openSync(file, OWN_FILE);
  try {
    const end = Buffer.alloc(NAMES_ANOTHER.length);
    const { size } = fstatSync(journal);
    return (
      readSync(journal, end, 0, end.length, Math.max(0, size - end.length)) > 0 && end.equals(NAMES_ANOTHER)
    );
  } finally {
    closeSync(journal);
  }
}

const foreign = (file: string, problem: string): StrataError =>
  new StrataError('STORE_DAMAGED', `${file} ${problem}: Strata did not write it. Remove it, or the library`);
