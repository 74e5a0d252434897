import { lstat } from 'node:fs/promises';
import type { Staleness } from '../../model/brief.js';
import type { Document } from '../../model/document.js';
import { sha256 } from '../../model/hash.js';
import { isInside, pathOfSource } from '../../source/path.js';
import { readSource } from './read-source.js';

/** What became of a document's file since it was added; `unknown` for sources that are no files. */
export type SourceState = 'same' | 'changed' | 'missing' | 'unknown';

/** Where a library's sources may be looked for. */
export interface SourcePlace {
  /** The folder that holds the library. */
  readonly root: string;
  /** Files and folders outside it that the user has added from. */
  agreedFolders(): Promise<readonly string[]>;
}

/** A library can name any file as a source: what the user has not added from is not asked. */
async function mayAsk(place: SourcePlace, path: string): Promise<boolean> {
  if (isInside(place.root, path)) return true;
  return (await place.agreedFolders()).some((folder) => isInside(folder, path));
}

/** A look at size and time first; the bytes are hashed only where the time differs and the size does not. */
export async function sourceState(
  place: SourcePlace,
  { source, metadata }: Pick<Document, 'source' | 'metadata'>,
): Promise<SourceState> {
  // A table is in the library itself, and the documents of its strings follow it.
  if (source.startsWith('table:')) return 'same';
  const path = pathOfSource(place.root, source);
  if (path === null || !(await mayAsk(place, path))) return 'unknown';
  try {
    const now = await lstat(path);
    if (now.isSymbolicLink() || now.size !== metadata.size) return 'changed';
    if (now.mtimeMs === metadata.mtime_ms) return 'same';
    const bytes = await readSource(place.root, source);
    return sha256(bytes) === metadata.bytes_hash ? 'same' : 'changed';
  } catch (error) {
    const { code, cause } = error as NodeJS.ErrnoException;
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? code;
    return reason === 'ENOENT' || reason === 'ENOTDIR' ? 'missing' : 'unknown';
  }
}

/** What an answer says about a document whose file has changed or vanished since it was added. */
export async function stalenessOf(
  place: SourcePlace,
  document: Pick<Document, 'source' | 'metadata'>,
): Promise<Staleness> {
  const state = await sourceState(place, document);
  if (state === 'missing') return { stale: true, gone: true };
  return state === 'changed' ? { stale: true } : {};
}
