import { basename, resolve } from 'node:path';
import { chunkDocument } from '../chunk/chunk.js';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import { contentHash } from '../model/hash.js';
import { derivedId } from '../model/id.js';
import type { ParsedDoc } from '../model/parsed.js';
import type { Tree } from '../model/tree.js';
import { parseDocument } from '../parse/parse.js';
import { DEFAULT_LIMITS, type ParseInput } from '../parse/parser.js';
import { toPosix } from '../source/path.js';
import { readFileBytes } from '../source/read.js';
import type { ChunkingOptions } from './library.js';
import { nameWithoutExtension } from './names.js';
import { needsProcess } from './needs-process.js';
import { settingsOf } from './settings.js';

export interface ParseOptions extends ChunkingOptions {
  readonly password?: string | undefined;
}

/**
 * S0.4: a file's structure and chunks, with no library involved. A path that is missing or cannot be read, and bytes no
 * parser can make sense of, give a StrataError that names the path and the reason.
 */
export async function parse(path: string, options: ParseOptions = {}): Promise<ParsedDoc> {
  const settings = settingsOf(options);
  const { bytes } = await readFileBytes(path);
  const name = basename(path);
  const { password } = options;
  const input = { bytes, name, limits: DEFAULT_LIMITS, ...(password !== undefined && { password }) };
  try {
    const tree = await parseSafely(input);
    const title = tree.title || nameWithoutExtension(name);
    // The same file gives the same ids every time; a library mints its own.
    const id = derivedId('parse', toPosix(resolve(path)));
    const cut = chunkDocument(tree, { doc_id: id, title, source: toPosix(path), settings });
    const { format, text, metadata, warnings } = tree;
    return {
      id,
      path,
      title,
      summary: cut.summary,
      format,
      text,
      hash: contentHash(text),
      metadata,
      warnings,
      sections: cut.sections,
      blocks: cut.blocks,
      chunks: cut.chunks,
      chunk_count: cut.chunks.length,
    };
  } catch (error) {
    const code = isStrataError(error) ? error.code : 'INTERNAL';
    throw new StrataError(code, `${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** In a process of its own where the format is prone to hostile files. */
export async function parseSafely(input: ParseInput): Promise<Tree> {
  if (!needsProcess(input.bytes, input.name)) return parseDocument(input);
  const { canIsolate, runIsolated } = await import('./isolate.js');
  return canIsolate() ? ((await runIsolated({ kind: 'parse', input })) as Tree) : parseDocument(input);
}
