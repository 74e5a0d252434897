import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Library } from '../../engine/library.js';
import { StrataError } from '../../model/errors.js';

const isWebAddress = (target: string): boolean => /^https?:\/\//i.test(target);

interface Confined {
  /** Absolute, links followed; web addresses as they are (the fetcher has its own rules). */
  readonly paths: readonly string[];
  /** The allowed folders, links followed: every file is asked for its real path again when it is open. */
  readonly within: readonly string[];
}

/**
 * Paths an agent names must lie below one of the allowed folders, after links are followed: a link inside that points
 * outside is outside. Hidden files hold settings and secrets, and the library holds everyone's: an agent that was talked
 * into adding one would hand it to every reader.
 */
export async function confine(
  targets: readonly string[],
  { location }: Pick<Library, 'location'>,
  { roots, cwd }: { readonly roots: readonly string[]; readonly cwd: string },
): Promise<Confined> {
  const within = await Promise.all(roots.map((root) => followed(resolve(root))));
  const own = await followed(location);
  const check = async (target: string): Promise<string> => {
    if (isWebAddress(target)) return target;
    const path = await followed(resolve(cwd, target));
    const root = within.find((folder) => isInside(folder, path));
    if (root === undefined)
      throw forbidden(target, 'outside the folders that may be added; see --allow-root');
    if (isInside(own, path) || isHidden(relative(root, path)))
      throw forbidden(target, 'hidden files and the library itself are not added for agents');
    return path;
  };
  return { paths: await Promise.all(targets.map(check)), within };
}

const forbidden = (target: string, why: string): StrataError =>
  new StrataError('FORBIDDEN', `${target}: ${why}`);

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

const isHidden = (way: string): boolean => way.split(sep).some((part) => part.startsWith('.'));

/** Links followed as far as the path exists; a path that does not exist keeps its end, to be reported as missing. */
async function followed(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = resolve(path, '..');
    return parent === path ? path : resolve(await followed(parent), relative(parent, path));
  }
}
