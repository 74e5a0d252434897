import { basename, resolve } from 'node:path';
import { DocumentRecords } from '../chunk/chunk.js';
import type { ChunkingOptions } from '../engine/library.js';
import { nameWithoutExtension } from '../engine/names.js';
import { settingsOf } from '../engine/settings.js';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import { derivedId } from '../model/id.js';
import type { ParsedDoc } from '../model/parsed.js';
import type { Tree } from '../model/tree.js';
import { collect } from '../parse/collect.js';
import { parseDocument } from '../parse/parse.js';
import { DEFAULT_LIMITS, type ParseInput } from '../parse/parser.js';
import { toPosix } from '../source/path.js';
import { readFileBytes } from '../source/read.js';
import { ParsedDocument } from './parsed-doc.js';
import { needsProcess } from './worker/needs-process.js';
import { isSteady, steadyLimits } from './worker/steady.js';

export interface ParseOptions extends ChunkingOptions {
  readonly password?: string | undefined;
}

/**
 * S0.4: a file's structure and chunks, with no library involved. A path that is missing or cannot be read, and bytes no
 * parser can make sense of, give a StrataError that names the path and the reason.
 */
export async function parse(path: string, options: ParseOptions = {}): Promise<ParsedDoc> {
  const settings = settingsOf(options);
  const tree = await treeOf(path, options);
  collect(tree.text.length);
  const title = tree.title || nameWithoutExtension(basename(path));
  // The same file gives the same ids every time; a library mints its own.
  const id = derivedId('parse', toPosix(resolve(path)));
  const records = new DocumentRecords(tree, { doc_id: id, title, source: toPosix(path), settings });
  return new ParsedDocument({ id, path, title, tree, records });
}

/** By itself, so that the file's bytes are gone when the rest is made. */
async function treeOf(path: string, { password }: ParseOptions): Promise<Tree> {
  const { bytes } = await readFileBytes(path);
  const input = { bytes, name: basename(path), limits: DEFAULT_LIMITS };
  try {
    return await parseHere(password === undefined ? input : { ...input, password });
  } catch (error) {
    const code = isStrataError(error) ? error.code : 'INTERNAL';
    throw new StrataError(code, `${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * The result is wanted in this process. What is steady is read here: another process would need as much again, and
 * its answer twice as much on the way.
 */
async function parseHere(input: ParseInput): Promise<Tree> {
  if (!isSteady(input)) return parseSafely(input);
  try {
    return await parseDocument({ ...input, limits: steadyLimits(input.limits, input.bytes.byteLength) });
  } catch (error) {
    if (isStrataError(error, 'LIMIT')) return parseSafely(input);
    throw error;
  }
}

/** In a process of its own where the format is prone to hostile files. */
export async function parseSafely(input: ParseInput): Promise<Tree> {
  if (!needsProcess(input.bytes, input.name)) return parseDocument(input);
  const { canIsolate, runIsolated } = await import('./worker/isolate.js');
  return canIsolate() ? ((await runIsolated({ kind: 'parse', input })) as Tree) : parseDocument(input);
}
