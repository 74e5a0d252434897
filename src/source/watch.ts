import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type IgnoreRules, ignoreRules } from './ignore.js';
import { isInside } from './path.js';

/** Told of changes below a folder, for as long as wanted, whatever becomes of the folder meanwhile. */
export interface FolderWatch {
  /** Starts over: every folder that is there now is watched from now on. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export interface WatchHandlers {
  /** Absolute paths that were created, changed or deleted, files and folders. */
  readonly onChanges: (paths: readonly string[]) => void;
  /** Changes may have been missed: everything must be looked at. */
  readonly onLost: () => void;
  /** The folder is gone, or back. */
  readonly onPresence: (isThere: boolean) => void;
}

// A folder that is deleted takes its watch along without a word: so often we look whether it is still the same one.
const PRESENCE_MS = 500;

export async function watchFolder(folder: string, handlers: WatchHandlers): Promise<FolderWatch> {
  const watcher = await import('@parcel/watcher');
  let subscription: { unsubscribe(): Promise<void> } | null = null;
  let inode: number | null = null;
  let isClosed = false;

  const stop = async (): Promise<void> => {
    const old = subscription;
    subscription = null;
    // What watched a folder that is gone may fail to let go of it.
    await old?.unsubscribe().catch(() => {});
  };
  const start = async (): Promise<void> => {
    inode = (await lookAt(folder))?.ino ?? null;
    if (inode === null) return;
    subscription = await watcher.subscribe(folder, (error, events) => {
      if (error) handlers.onLost();
      else handlers.onChanges(events.map((event) => event.path));
    });
  };
  const check = async (): Promise<void> => {
    const now = (await lookAt(folder))?.ino ?? null;
    if (now === inode || isClosed) return;
    if (inode !== null) {
      await stop();
      if (now === null) handlers.onPresence(false);
    }
    const wasAway = inode === null;
    inode = null;
    if (now === null) return;
    await start();
    if (wasAway) handlers.onPresence(true);
    handlers.onLost();
  };

  await start();
  let checking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    checking = checking.then(check).catch(() => {});
  }, PRESENCE_MS);
  return {
    async renew() {
      checking = checking.then(async () => {
        if (isClosed || inode === null) return;
        await stop();
        await start();
      });
      await checking.catch(() => {});
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await checking;
      await stop();
    },
  };
}

export const lookAt = (path: string): Promise<Stats | null> => lstat(path).catch(() => null);

/** Files whose change may change what is ignored. */
export const isRuleFile = (path: string): boolean => /^\.(?:git|strata)ignore$/.test(basename(path));

/**
 * Would a walk from `folder` come by this path? The same rules, asked from the other end. Rules are read once, so ask
 * for a new function when they may have changed.
 */
export function keptBelow(folder: string): (path: string, isFolder: boolean) => Promise<boolean> {
  const inside = new Map<string, Promise<IgnoreRules | null>>();
  /** The rules inside a folder; null where a walk does not go. */
  const rulesIn = (place: string): Promise<IgnoreRules | null> => {
    const known = inside.get(place);
    if (known) return known;
    const found = (async () => {
      if (place === folder) return (await ignoreRules(folder)).enter(folder);
      const above = await rulesIn(dirname(place));
      return above === null || above.ignores(place, true) ? null : above.enter(place);
    })();
    inside.set(place, found);
    return found;
  };
  return async (path, isFolder) => {
    if (path === folder || !isInside(folder, path)) return path === folder;
    const rules = await rulesIn(join(folder, relative(folder, path).split(sep).slice(0, -1).join(sep)));
    return rules !== null && !rules.ignores(path, isFolder);
  };
}
