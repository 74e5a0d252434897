import { realpath } from 'node:fs/promises';
import { StrataError } from '../../model/errors.js';
import { isBelowRoot, pathOfSource } from '../../source/path.js';
import { readFileBytes } from '../../source/read.js';

/**
 * A document's file as it is now. Whoever asks may be a stranger, and whoever can write to the folder can put a link in a
 * file's or a folder's place: what was added from below the root is read from below the root, or not at all.
 */
export async function readSource(root: string, source: string): Promise<Buffer> {
  const path = pathOfSource(root, source);
  if (path === null) throw new StrataError('INTERNAL', `${source}: no file`);
  const within = isBelowRoot(source) ? [await realpath(root)] : undefined;
  const { bytes } = await readFileBytes(path, { within });
  return Buffer.from(bytes);
}
