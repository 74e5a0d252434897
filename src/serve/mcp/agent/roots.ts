import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { StrataError } from '../../../model/errors.js';

const isUrl = (target: string): boolean => /^https?:\/\//i.test(target);

/**
 * Paths an agent names must lie below one of the allowed folders, after links are followed: a link inside that points
 * outside is outside. Web addresses pass (the fetcher has its own rules). Gives the paths made absolute.
 */
export async function confine(
  targets: readonly string[],
  roots: readonly string[],
  cwd: string,
): Promise<string[]> {
  const real = await Promise.all(roots.map((root) => followed(resolve(root))));
  return Promise.all(
    targets.map(async (target) => {
      if (isUrl(target)) return target;
      const path = await followed(resolve(cwd, target));
      if (real.some((root) => contains(root, path))) return path;
      throw new StrataError(
        'FORBIDDEN',
        `${target}: outside the folders that may be added; see --allow-root`,
      );
    }),
  );
}

/** Links followed as far as the path exists; a path that does not exist keeps its end, to be reported as missing. */
async function followed(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = resolve(path, '..');
    return parent === path
      ? path
      : resolve(await followed(parent), path.slice(parent.length).replace(/^[\\/]+/, ''));
  }
}

function contains(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}
