import { basename, resolve } from 'node:path';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import { isInside } from '../source/path.js';
import { isRuleFile, keptBelow, lookAt, watchFolder } from '../source/watch.js';
import type { AddOptions } from './add-options.js';
import type { AddEntry, AddReport } from './add-report.js';
import { ChangeQueue } from './change-queue.js';

export interface WatchOptions extends Omit<AddOptions, 'sync' | 'dry_run' | 'force'> {
  /** Ends the watch; it returns when the change at hand is done. */
  readonly signal: AbortSignal;
  /** What became of one file. */
  readonly onEntry: (entry: AddEntry) => void;
  readonly onNotice: (line: string) => void;
  /** The library is up to date with the folder for the first time. */
  readonly onReady?: () => void;
}

/** The part of a library that watching needs. */
export interface WatchingLibrary {
  readonly location: string;
  add(targets: readonly string[], options: AddOptions): Promise<AddReport>;
}

// The writer of another process may hold the library for a while; then we try again.
const RETRY_MS = 2000;
// After a burst of changes we look through the folder once it is quiet.
const QUIET_MS = 1500;
const MANY = 20;

/** Where the folder is. Throws INVALID_ARGUMENT where there is none: ask before a library is made for it. */
export async function folderToWatch(target: string, cwd = process.cwd()): Promise<string> {
  const folder = resolve(cwd, target);
  if ((await lookAt(folder))?.isDirectory()) return folder;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `${target}: is no folder that could be watched; name one that is there`,
  );
}

/**
 * Keeps the library in step with a folder: first what changed while nobody watched, then every change, soon after it
 * has settled. Ends when the signal says so.
 */
export async function watch(library: WatchingLibrary, target: string, options: WatchOptions): Promise<void> {
  const { signal, onNotice } = options;
  const folder = await folderToWatch(target, options.cwd);
  const queue = new ChangeQueue();
  signal.addEventListener('abort', () => queue.close(), { once: true });
  // Watch first, look second: what changes in between is told twice rather than never.
  const watching = await watchFolder(folder, {
    onChanges: (paths) => queue.changed(paths.filter((path) => !isInside(library.location, path))),
    onLost: () => queue.everything(),
    onPresence: (isThere) =>
      onNotice(isThere ? `${target} is back` : `${target} is gone; waiting for it to come back`),
  });
  try {
    queue.everything(0);
    let isReady = false;
    for (;;) {
      const due = await queue.next();
      if (due === null || signal.aborted) return;
      // Folders that come and go fast can slip the system's watch: a new one, then a look, misses nothing.
      if (due === 'everything') await watching.renew();
      const targets = due === 'everything' ? await wholeFolder(folder) : await toBeAdded(folder, due, queue);
      const changes = targets.length > 0 ? await bring(library, targets, options) : 0;
      if (changes === null) {
        due === 'everything' ? queue.everything(RETRY_MS) : queue.changed(due, RETRY_MS);
        continue;
      }
      // What a look has found, nobody had told us of: there may be more of the kind. The last look finds nothing.
      if (due === 'everything' && changes > 0 && isReady) queue.everything(QUIET_MS);
      if (!isReady) options.onReady?.();
      isReady = true;
    }
  } finally {
    await watching.close();
  }
}

/** Nothing is forgotten because a folder is away: it may be a disk that is not plugged in. */
const wholeFolder = async (folder: string): Promise<string[]> => ((await lookAt(folder)) ? [folder] : []);

/** The files among the changes that a walk would find, and what is gone for good. */
async function toBeAdded(folder: string, paths: readonly string[], queue: ChangeQueue): Promise<string[]> {
  const isKept = keptBelow(folder);
  const targets: string[] = [];
  for (const path of paths) {
    const look = await lookAt(path);
    if (look !== null) queue.isThere(path);
    if (isRuleFile(path)) queue.everything();
    else if (look === null) {
      // With a folder go files that nobody had told us of.
      if (mayHaveBeenFolder(path)) queue.everything(QUIET_MS);
      // Some editors delete a file and write it anew: wait a moment before believing it.
      if (queue.isGoneForGood(path)) targets.push(path);
    } else if (!(await isKept(path, look.isDirectory()))) continue;
    else if (look.isFile()) targets.push(path);
    // Files may have been put into a new folder before anybody watched it.
    else if (look.isDirectory() && path !== folder) queue.everything();
  }
  // Many at once: some may have gone by unseen.
  if (paths.length >= MANY) queue.everything(QUIET_MS);
  return targets;
}

/** Nobody can tell what a vanished path was; folders seldom have a dot in their name, files seldom have none. */
const mayHaveBeenFolder = (path: string): boolean => !basename(path).includes('.');

/** How many documents have changed by it; null for what must be tried again. */
async function bring(
  library: WatchingLibrary,
  targets: readonly string[],
  options: WatchOptions,
): Promise<number | null> {
  const { onEntry, onReady, onNotice, ...add } = options;
  try {
    const report = await library.add(targets, { ...add, sync: true });
    const told = report.entries.filter(({ outcome }) => outcome !== 'unchanged' && outcome !== 'skipped');
    for (const entry of told) onEntry(entry);
    return told.filter(({ outcome }) => outcome !== 'failed').length;
  } catch (error) {
    if (options.signal.aborted) return 0;
    // A full disk or another writer may pass; a damaged library will not.
    if (!isStrataError(error) || isStrataError(error, 'STORE_DAMAGED')) throw error;
    onNotice(`${reasonOf(error)}; trying again`);
    return null;
  }
}
