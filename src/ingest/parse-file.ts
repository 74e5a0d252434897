import { basename, resolve } from 'node:path';
import { DocumentRecords } from '../chunk/chunk.js';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import { derivedId } from '../model/id.js';
import type { ParsedDoc } from '../model/parsed.js';
import type { Tree } from '../model/tree.js';
import { nameWithoutExtension, toPosix } from '../source/path.js';
import { readFileBytes } from '../source/read.js';
import { type ChunkingOptions, settingsOf } from './chunking.js';
import { ParsedDocument } from './parsed-doc.js';
import { parseTree } from './prepare/prepare-pool.js';

export interface ParseOptions extends ChunkingOptions {
  readonly password?: string | undefined;
}

/**
 * A file's structure and chunks, with no library involved. A path that is missing or cannot be read, and bytes no
 * parser can make sense of, give a StrataError that names the path and the reason.
 */
export async function parse(path: string, options: ParseOptions = {}): Promise<ParsedDoc> {
  const settings = settingsOf(options);
  const tree = await treeOf(path, options);
  const title = tree.title || nameWithoutExtension(basename(path));
  // The same file gives the same ids every time; a library mints its own.
  const id = derivedId('parse', toPosix(resolve(path)));
  const records = new DocumentRecords(tree, { doc_id: id, title, source: toPosix(path), settings });
  return new ParsedDocument({ id, path, title, tree, records });
}

/** By itself, so that the file's bytes are gone when the rest is made. */
async function treeOf(path: string, { password }: ParseOptions): Promise<Tree> {
  const { bytes } = await readFileBytes(path, { follow: true });
  try {
    return await parseTree({ bytes, name: basename(path), ...(password !== undefined && { password }) });
  } catch (error) {
    const code = isStrataError(error) ? error.code : 'INTERNAL';
    throw new StrataError(code, `${path}: ${reasonOf(error)}`, { cause: error });
  }
}
