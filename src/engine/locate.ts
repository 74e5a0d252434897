import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StrataError } from '../model/errors.js';

/** The library's folder inside a project. */
export const FOLDER = '.strata';
/** What a project says about its library, beside that folder: see config.ts. */
export const CONFIG_FILE = 'strata.config.json';

export interface LibraryPlace {
  /** The library's folder. */
  readonly location: string;
  /** The folder that holds it: sources below are kept relative to it, so a project can be moved with its library. */
  readonly root: string;
  /** The user has named it, by a flag or in the environment; else it was found. */
  readonly isNamed: boolean;
}

/**
 * Which library is meant: the one named, else `STRATA_LIBRARY`, else that of the nearest folder at or above `cwd` that
 * holds a `.strata` or a `strata.config.json`, else a new one beside the nearest `.git`, else the user's own in the
 * system's data folder.
 */
export async function locate(
  options: { library?: string | undefined; cwd?: string | undefined },
  env: NodeJS.ProcessEnv = process.env,
): Promise<LibraryPlace> {
  const cwd = resolve(options.cwd ?? process.cwd());
  const named = options.library ?? (env.STRATA_LIBRARY || undefined);
  if (named !== undefined) return { ...place(resolve(cwd, named)), isNamed: true };
  const project = nearest(cwd, [FOLDER, CONFIG_FILE]) ?? nearest(cwd, ['.git']);
  if (project !== undefined) return place(join(project, FOLDER));
  const { default: envPaths } = await import('env-paths');
  return place(join(envPaths('strata', { suffix: '' }).data, 'library'));
}

function place(location: string): LibraryPlace {
  if (existsSync(location) && !statSync(location).isDirectory()) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${location}: a library is a folder, and this is a file; name a folder with --library`,
    );
  }
  return { location, root: dirname(location), isNamed: false };
}

function nearest(start: string, names: readonly string[]): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
