import { randomUUID } from 'node:crypto';
import { lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddReport, Library } from '../../engine/library.js';
import { reasonOf, StrataError } from '../../model/errors.js';
import type { Caller } from './served.js';

/** Files that come through the page are kept beside the library, so that they can be read, cited and verified like any other. */
const FOLDER = 'uploads';
export const LARGEST_UPLOAD = 100 * 2 ** 20;
const LONGEST_NAME = 120;
const MOST_FOLDERS = 8;

export interface Upload {
  /** As the browser tells it; below a dropped folder with the folders' names. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export async function keepUpload(
  library: Library,
  { name, bytes }: Upload,
  { signal, progress }: Pick<Caller, 'signal' | 'progress'>,
): Promise<AddReport> {
  const within = await realpath(library.root);
  const parts = [FOLDER, ...safeName(name)];
  const file = parts.pop()!;
  const parent = await makeBelow(within, parts, name);
  const path = join(parent, file);
  // Whole, or not there: a reader of the folder never sees half a file, and a link in its place is replaced, not followed.
  const passing = join(parent, `.${randomUUID()}.part`);
  try {
    await writeFile(passing, bytes, { flag: 'wx', mode: 0o600 });
    await rename(passing, path);
  } catch (error) {
    await rm(passing, { force: true });
    throw refusedBy(error, name);
  }
  return library.add([path], {
    cwd: library.root,
    within: [within],
    embed: false,
    signal,
    onProgress: progress,
  });
}

/** One folder after the other, none of them through a link: what is planted there must not even get a folder elsewhere. */
async function makeBelow(root: string, parts: readonly string[], name: string): Promise<string> {
  let folder = root;
  for (const part of parts) {
    folder = join(folder, part);
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw refusedBy(error, name);
    });
    if (!(await lstat(folder)).isDirectory())
      throw new StrataError('FORBIDDEN', `${name}: the folder for uploads leads out of the library's folder`);
  }
  return folder;
}

/** What the file system refuses, in words that name the next step. */
function refusedBy(error: unknown, name: string): StrataError {
  const { code } = error as { code?: unknown };
  const problem =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'the disk is full; nothing was kept. Free some space and try again'
      : `it cannot be kept in the folder for uploads (${reasonOf(error)})`;
  return new StrataError('STORE_FAILED', `${name}: ${problem}`, { cause: error });
}

/** The parts of a path that stays below the folder, whatever was given. */
export function safeName(given: string): string[] {
  const parts = given
    .normalize('NFC')
    .split(/[\\/]+/)
    .map((part) =>
      part
        // Control and bidirectional characters, and what Windows refuses.
        .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
        .replace(/^[.\s]+|[.\s]+$/g, '')
        .slice(-LONGEST_NAME),
    )
    .filter((part) => part !== '');
  if (parts.length === 0) throw new StrataError('INVALID_ARGUMENT', `"${given}" is no name for a file`);
  return parts.slice(-MOST_FOLDERS);
}
