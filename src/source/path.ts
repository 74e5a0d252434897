import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/** Records hold paths with `/` on every system. */
export const toPosix = (path: string, separator: string = sep): string =>
  separator === '/' ? path : path.replaceAll(separator, '/');

/** A page to be fetched, not a file. */
export const isWebAddress = (target: string): boolean => /^https?:\/\//i.test(target);

/** Is `path` the folder itself or below it? Both absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** `isInside` for many folders, absolute and normalized: a path has few parents, and a library may have thousands of folders. */
export function insideAny(folders: Iterable<string>): (path: string) => boolean {
  const known = new Set(folders);
  const isBelow = (path: string): boolean =>
    known.has(path) || (dirname(path) !== path && isBelow(dirname(path)));
  return isBelow;
}

/** A file as records name it: relative to the library's root where it is below it, else absolute. */
export function sourcePath(root: string, path: string): string {
  return toPosix(isInside(root, path) ? relative(root, path) : path);
}

const FILE = 'file:';

/** What a file *is* to the library (`Document.source`). */
export const fileSource = (root: string, path: string): string => `${FILE}${sourcePath(root, path)}`;

/** A file that was below the library's root when it was added. */
export const isBelowRoot = (source: string): boolean =>
  source.startsWith(FILE) && !isAbsolute(source.slice(FILE.length));

/** The absolute path of a file's source; null for sources that are no files. */
export function pathOfSource(root: string, source: string): string | null {
  return source.startsWith(FILE) ? resolve(root, source.slice(FILE.length)) : null;
}

/** `guide.zh.md` → `guide.zh`; `.env` stays. */
export function nameWithoutExtension(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}
