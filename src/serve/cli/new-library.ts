import { existsSync } from 'node:fs';
import type { Library, LibraryOptions } from '../../engine/library.js';

/** Whether opening it with `create` makes a library that was not there. */
export async function wouldBeNew(options: LibraryOptions): Promise<boolean> {
  const { locate } = await import('../../engine/locate.js');
  return !existsSync((await locate(options)).location);
}

/** Work that failed must leave no empty library, which later commands would find and believe. */
export const isEmptyLibrary = async (library: Library): Promise<boolean> =>
  (await library.list({ limit: 1 })).documents.length === 0;
