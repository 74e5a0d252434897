import { type Dirent, lstatSync, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StrataError } from '../model/errors.js';
import { type IgnoreRules, ignoreRules } from './ignore.js';
import { fileError, notAFile } from './read.js';

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  readonly mtime_ms: number;
}

/** What is there but cannot be walked or read, with the reason. */
export interface WalkProblem {
  readonly path: string;
  readonly problem: StrataError;
}

/** What is there and no document: a link, a FIFO. */
export interface WalkSkip {
  readonly path: string;
  readonly skipped: string;
}

export type Walked = FoundFile | WalkProblem | WalkSkip;

export interface WalkOptions {
  /** Folders never entered: the library itself. */
  readonly except?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * The regular files at or below `start`, in the order of their names, minus what the ignore rules leave out.
 *
 * Links below `start` are not followed (as in git, ripgrep and tar): there are no loops, nothing comes twice, and a
 * folder someone may add cannot lead out of itself. FIFOs, sockets and devices are left alone. `start` itself may be
 * a link, and is taken whatever the rules say: whoever names a file means it.
 */
export async function* walk(start: string, options: WalkOptions = {}): AsyncGenerator<Walked> {
  const stats = await stat(start).catch((error: unknown) => fileError(start, error));
  if ('code' in stats) {
    yield { path: start, problem: stats };
  } else if (stats.isDirectory()) {
    yield* walkFolder(start, await ignoreRules(start), options);
  } else if (stats.isFile()) {
    yield { path: start, size: stats.size, mtime_ms: stats.mtimeMs };
  } else {
    yield { path: start, problem: notAFile(start, stats) };
  }
}

async function* walkFolder(folder: string, outer: IgnoreRules, options: WalkOptions): AsyncGenerator<Walked> {
  if (options.signal?.aborted || options.except?.includes(folder)) return;
  let entries: Dirent[];
  let rules: IgnoreRules;
  try {
    entries = await readdir(folder, { withFileTypes: true });
    rules = await outer.enter(
      folder,
      entries.map(({ name }) => name),
    );
  } catch (error) {
    yield { path: folder, problem: fileError(folder, error) };
    return;
  }
  const kept = entries
    .filter((entry) => !rules.ignores(join(folder, entry.name), entry.isDirectory()))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  yield* filesOf(folder, kept);
  for (const entry of kept) {
    if (entry.isFile() || entry.isDirectory()) continue;
    yield { path: join(folder, entry.name), skipped: kindOf(entry) };
  }
  for (const entry of kept) {
    if (entry.isDirectory()) yield* walkFolder(join(folder, entry.name), rules, options);
  }
}

const kindOf = (entry: Dirent): string =>
  entry.isSymbolicLink()
    ? 'a link, not followed'
    : entry.isFIFO()
      ? 'a FIFO'
      : entry.isSocket()
        ? 'a socket'
        : 'a device';

function* filesOf(folder: string, entries: readonly Dirent[]): Generator<Walked> {
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name));
  for (const path of files) {
    const look = lookAt(path);
    if ('code' in look) yield { path, problem: look };
    else yield { path, size: look.size, mtime_ms: look.mtimeMs };
  }
}

/** Synchronous: a look takes microseconds, handing it to another thread and back ten times as long. */
function lookAt(path: string): Stats | StrataError {
  try {
    return lstatSync(path);
  } catch (error) {
    return fileError(path, error);
  }
}
