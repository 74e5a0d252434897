import { closeSync, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from '../../model/errors.js';
import { OWN_FILE } from '../../store/own-file.js';
import { LOCK_FOLDER, RECORDS_FOLDER, STATE_FOLDER, VECTORS_FOLDER } from './layout.js';

/** A document's text of 100 MB and its words stay well below; a string in Node ends at 512 MB. */
const MOST_BYTES = 400 * 2 ** 20;

/** A file of the library. A link, which may lead anywhere, and a pipe, which may never end, are no files of ours. */
export function readLibraryFile(path: string): Buffer {
  const file = openSync(path, OWN_FILE);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new StrataError('STORE_DAMAGED', `${path} is no file`);
    if (found.size > MOST_BYTES)
      throw new StrataError('STORE_DAMAGED', `${path} is too large (${found.size} bytes)`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

export const readLibraryText = (path: string): string => readLibraryFile(path).toString('utf8');

/** A folder itself, not a link to one. */
export const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The folders that everything else stands in must be folders of this library: a link would lead out of it. */
export async function refuseLinkedFolders(path: string): Promise<void> {
  for (const name of [STATE_FOLDER, RECORDS_FOLDER, VECTORS_FOLDER, LOCK_FOLDER]) {
    const folder = join(path, name);
    const found = await lstat(folder).catch(() => null);
    if (found === null || found.isDirectory()) continue;
    throw new StrataError(
      'STORE_DAMAGED',
      `${folder} is a link or a file where the library has a folder; remove it if you do not know what it is for`,
    );
  }
}
