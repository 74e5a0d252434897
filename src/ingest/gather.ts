import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { StrataError } from '../model/errors.js';
import { fileSource, insideAny, isWebAddress, pathOfSource, sourcePath } from '../source/path.js';
import { walk } from '../source/walk.js';
import { normaliseUrl } from '../source/web.js';
import type { Known, KnownSources } from './known.js';

/** A file to be added, named as the library names it. */
export interface Candidate {
  readonly path: string;
  readonly name: string;
  readonly source: string;
  readonly source_path: string;
  readonly size: number;
  readonly mtime_ms: number;
  /** Named by the caller, not met in a folder: whoever names a file means it. */
  readonly named: boolean;
  /** Real folders, one of which must hold it (see `AddOptions`). */
  readonly within?: readonly string[] | undefined;
  /** A web address: `path`, `source` and `source_path` are the address. */
  readonly isPage?: true;
}

export interface Trouble {
  readonly path: string;
  readonly source_path: string;
  readonly problem: StrataError;
}

/** No document, and not meant to be one. */
export interface Skip {
  readonly source_path: string;
  readonly reason: string;
}

export interface Gathered {
  readonly candidates: readonly Candidate[];
  readonly troubles: readonly Trouble[];
  readonly skips: readonly Skip[];
  /** The targets, absolute. */
  readonly targets: readonly string[];
}

/** Everything the targets name, once each, in the order it was met. */
export async function gather(
  targets: readonly string[],
  place: { readonly root: string; readonly location: string },
  options: {
    cwd?: string | undefined;
    within?: readonly string[] | undefined;
    signal?: AbortSignal | undefined;
    onFound?: (count: number) => void;
  },
): Promise<Gathered> {
  const candidates = new Map<string, Candidate>();
  const troubles: Trouble[] = [];
  const skips: Skip[] = [];
  for (const address of targets.filter(isWebAddress)) {
    const found = page(address);
    if ('problem' in found) troubles.push(found);
    else candidates.set(found.source, found);
  }
  const { cwd = process.cwd(), within } = options;
  const absolute = await Promise.all(
    targets.filter((target) => !isWebAddress(target)).map((target) => linkedFile(resolve(cwd, target))),
  );
  for (const target of absolute) {
    const found = walk(target, {
      except: [place.location],
      ...(options.signal && { signal: options.signal }),
    });
    for await (const file of found) {
      const source_path = sourcePath(place.root, file.path);
      if ('skipped' in file) {
        skips.push({ source_path, reason: file.skipped });
        continue;
      }
      if ('problem' in file) {
        troubles.push({
          path: file.path,
          source_path,
          problem: renamed(file.problem, file.path, source_path),
        });
        continue;
      }
      const source = fileSource(place.root, file.path);
      const named = file.path === target || candidates.get(source)?.named === true;
      candidates.set(source, { ...file, name: basename(file.path), source, source_path, named, within });
      options.onFound?.(candidates.size);
    }
  }
  return { candidates: [...candidates.values()], troubles, skips, targets: absolute };
}

/**
 * A person who names a link to a file means the file: it is added by its own path, where it can be found again. What
 * vanishes while it is looked at keeps its name, and the walk says that it is gone.
 */
async function linkedFile(path: string): Promise<string> {
  const isLink = await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (!isLink) return path;
  const target = await realpath(path).catch(() => path);
  const isFile = await stat(target).then(
    (found) => found.isFile(),
    () => false,
  );
  return isFile ? target : path;
}

/** A page is always asked for: only its server knows whether it has changed. */
function page(address: string): Candidate | Trouble {
  try {
    const url = normaliseUrl(address);
    const size = { size: -1, mtime_ms: -1 };
    return { path: url, name: url, source: url, source_path: url, ...size, named: true, isPage: true };
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    return { path: address, source_path: address, problem: error };
  }
}

/** The same problem, with the path as the library shows it. */
function renamed(problem: StrataError, path: string, source_path: string): StrataError {
  const rest = problem.message.startsWith(path) ? problem.message.slice(path.length) : `: ${problem.message}`;
  return new StrataError(problem.code, `${source_path}${rest}`, { cause: problem });
}

/**
 * Documents whose files have vanished below the targets (`--sync`): those that were not met. What lies at or below a
 * place that could not be looked at has not vanished, unless the place itself is gone.
 */
export function vanished(known: KnownSources, gathered: Gathered, root: string): Known[] {
  const met = new Set(gathered.candidates.map(({ source }) => source));
  const isBelowTarget = insideAny(gathered.targets);
  const isUnseen = insideAny(
    gathered.troubles.filter(({ problem }) => problem.code !== 'FILE_MISSING').map(({ path }) => path),
  );
  return [...known.bySource.values()].filter((document) => {
    const path = pathOfSource(root, document.source);
    if (path === null || met.has(document.source)) return false;
    return isBelowTarget(path) && !isUnseen(path);
  });
}
