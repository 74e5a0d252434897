import { randomUUID } from 'node:crypto';
import {
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStrataError, reasonOf, StrataError } from '../../model/errors.js';
import { OWN_FILE } from '../own-file.js';
import { type LockOwner, pidExists, stateOf, thisProcess } from './lock-owner.js';

/**
 * The writer's lock of a library on disk: one writer at a time over all processes.
 *
 * The folder holds files named by number; the highest one is the lock, and says who holds it or that it is free. To
 * take it is to create the next number with `link`, which only one process can do; a released or taken-over lock is
 * never deleted before a higher number stands. So two processes that find the same dead owner cannot both win, and a
 * slow one cannot delete the winner's lock: the trouble of the usual "delete the stale file and try again".
 *
 * An owner is dead when its pid is gone or belongs to a process that started at another time. Owners on another
 * machine cannot be looked at: they count as alive, and the message says which file to delete.
 */
export interface LockOptions {
  /** Called once when another writer has been in the way for a second. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal;
  /** Give up with STORE_BUSY after this many milliseconds; 0 tries once. */
  readonly patience?: number;
  /** Milliseconds between two looks, for locks that are held for long. */
  readonly poll?: number;
  /** An owner on another machine that has not renewed for so long is taken for dead. Only where two owners do no harm. */
  readonly expires?: number;
}

export interface WriterLock {
  /** Says that the owner is still at work (see `expires`). */
  renew(): Promise<void>;
  release(): Promise<void>;
}

interface LockFile {
  /** null: free. */
  readonly owner: LockOwner | null;
  readonly token: string;
}

/** What keeps us from the lock: its owner, another that was faster, or manners (see COURTESY). */
type Obstacle = LockFile | 'race' | 'courtesy';

/** A writer holds the lock for one commit: milliseconds to seconds. A minute means something is wrong. */
const PATIENCE = 60_000;
const WAIT_NOTICE = 1_000;
/** Between looks at a held lock: costs next to nothing, short against a commit. */
const POLL = 10;
/** A waiter this long in line leaves a mark; who has just written and sees it lets the waiter go first. */
const MARK_AFTER = 50;
const COURTESY = 3 * POLL;
/** A file half written, or left by a process that died, is taken seriously for this long. */
const LEFTOVER_LIFE = 5_000;

/** What this process released last, by folder: before it takes the same lock again, others get a chance. */
const lastReleased = new Map<string, number>();
/** Locks that outlasted a whole patience of this process: the next write need not wait a minute again to be told so. */
const outlasted = new Set<string>();
/** Locks of this process that could not be released on disk (permission lost): free all the same. */
const abandoned = new Set<string>();

export async function acquireLock(folder: string, options: LockOptions = {}): Promise<WriterLock> {
  const patience = options.patience ?? PATIENCE;
  const token = randomUUID();
  const files = {
    claim: join(folder, `claim-${process.pid}-${token}`),
    free: join(folder, `free-${process.pid}-${token}`),
    mark: join(folder, `waiting-${process.pid}-${token}`),
  };
  const since = performance.now();
  let told = false;
  let marked = false;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await refuseLink(folder);
    await writeLock(files.claim, { owner: await thisProcess(), token });
    // Written now, so that a release needs no room on a disk that has meanwhile filled up.
    await writeLock(files.free, { owner: null, token });
    for (;;) {
      options.signal?.throwIfAborted();
      const got = await attempt(folder, files.claim, token, options.expires);
      if (typeof got === 'number') {
        return {
          renew: () => renew(join(folder, String(got))),
          release: () => release(folder, got, files.free, token),
        };
      }
      const waited = performance.now() - since;
      if (waited >= (isOutlasting(got) ? Math.min(patience, WAIT_NOTICE) : patience)) {
        if (typeof got !== 'string' && patience >= WAIT_NOTICE) outlasted.add(got.token);
        throw busy(folder, got, waited);
      }
      if (waited >= WAIT_NOTICE && !told) {
        told = true;
        options.onWait?.();
      }
      if (waited >= MARK_AFTER && !marked) {
        marked = true;
        await writeFile(files.mark, '');
      }
      await sleep(got === 'courtesy' ? COURTESY : (options.poll ?? POLL) * (0.5 + Math.random()));
    }
  } catch (error) {
    await unlink(files.free).catch(() => {});
    throw asLockError(error, folder, options.signal);
  } finally {
    await unlink(files.claim).catch(() => {});
    if (marked) await unlink(files.mark).catch(() => {});
  }
}

const isOutlasting = (obstacle: Obstacle): boolean =>
  typeof obstacle !== 'string' && outlasted.has(obstacle.token);

/** Numbers are made and deleted here: in another folder they might be somebody's files. */
async function refuseLink(folder: string): Promise<void> {
  if ((await lstat(folder)).isDirectory()) return;
  throw new StrataError('STORE_DAMAGED', `${folder} is a link where the library has a folder; remove it`);
}

/** Who holds the lock now: alive, or not to be told from here. */
export async function lockHolder(folder: string): Promise<LockOwner | null> {
  const names = await readdir(folder).catch(() => []);
  const top = highest(names);
  if (top === 0) return null;
  const lock = await readLock(join(folder, String(top)));
  if (lock === null || typeof lock === 'string' || lock.owner === null) return null;
  return (await stateOf(lock.owner)) === 'dead' ? null : lock.owner;
}

/** The number of the lock taken, or what is in the way. */
async function attempt(
  folder: string,
  claim: string,
  token: string,
  expires = Number.POSITIVE_INFINITY,
): Promise<number | Obstacle> {
  const names = await readdir(folder);
  const top = highest(names);
  if (top > 0) {
    const path = join(folder, String(top));
    const lock = await readLock(path);
    if (lock === 'unclear') return 'race';
    if (lock?.owner && !abandoned.has(lock.token)) {
      const state = await stateOf(lock.owner);
      const isGone = state === 'dead' || (state === 'unknown' && (await age(path)) > expires);
      if (!isGone) return lock;
    }
    if (lastReleased.get(folder) === top && othersWait(names, token)) {
      lastReleased.delete(folder);
      return 'courtesy';
    }
  }
  const next = top + 1;
  if (!(await create(claim, join(folder, String(next))))) return 'race';
  // Whoever slept between looking and creating may have made a number that was used and deleted meanwhile.
  const now = await readdir(folder);
  if (highest(now) > next) {
    // The holder may have swept it away already.
    await unlink(join(folder, String(next))).catch(() => {});
    return 'race';
  }
  await sweep(folder, now, next);
  return next;
}

/** False if somebody else was faster. */
async function create(claim: string, path: string): Promise<boolean> {
  try {
    await link(claim, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(code ?? '')) throw error;
  }
  // No hard links here (exFAT, some network drives): exclusive creation, with a moment in which the file is empty.
  try {
    await writeFile(path, await readFile(claim), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A lock that somebody else has taken over meanwhile is no concern of ours. */
async function renew(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

/** Replaced, not deleted: the name must stand until a higher one does. */
async function release(folder: string, number: number, free: string, token: string): Promise<void> {
  try {
    await rename(free, join(folder, String(number)));
    lastReleased.set(folder, number);
  } catch {
    abandoned.add(token);
  }
}

async function sweep(folder: string, names: readonly string[], held: number): Promise<void> {
  for (const name of names) {
    const path = join(folder, name);
    const number = numberOf(name);
    if (number > 0 && number < held) await unlink(path).catch(() => {});
    const pid = leftoverPid(name);
    if (pid > 0 && !pidExists(pid) && (await age(path)) > LEFTOVER_LIFE) await unlink(path).catch(() => {});
  }
}

function othersWait(names: readonly string[], token: string): boolean {
  return names.some(
    (name) => name.startsWith('waiting-') && !name.endsWith(token) && pidExists(leftoverPid(name)),
  );
}

/** null: dead without a trace of whose it was; `unclear`: just being written, or just replaced. */
async function readLock(path: string): Promise<LockFile | null | 'unclear'> {
  try {
    const lock = JSON.parse(
      await readFile(path, { encoding: 'utf8', flag: OWN_FILE }),
    ) as Partial<LockFile> | null;
    if (lock && typeof lock.token === 'string' && (lock.owner === null || isOwner(lock.owner))) {
      return lock as LockFile;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'unclear';
    if (code !== undefined) throw error;
  }
  return (await age(path)) > LEFTOVER_LIFE ? null : 'unclear';
}

const isOwner = (owner: LockOwner | undefined): boolean =>
  typeof owner?.pid === 'number' && typeof owner.host === 'string';

const writeLock = (path: string, lock: LockFile): Promise<void> => writeFile(path, JSON.stringify(lock));

/** Fifteen digits are exact; a longer number is no lock of ours. */
const numberOf = (name: string): number => (/^[1-9]\d{0,14}$/.test(name) ? Number(name) : 0);

const highest = (names: readonly string[]): number =>
  names.reduce((top, name) => Math.max(top, numberOf(name)), 0);

const leftoverPid = (name: string): number => Number(/^(?:claim|free|waiting)-(\d+)-/.exec(name)?.[1] ?? 0);

const age = async (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );

function busy(folder: string, obstacle: Obstacle, waited: number): StrataError {
  const time = waited < 1000 ? '' : ` for ${Math.round(waited / 1000)} s`;
  if (typeof obstacle === 'string') {
    return new StrataError(
      'STORE_BUSY',
      `${folder}: other processes have been writing${time}; try again later`,
    );
  }
  const { pid, host } = obstacle.owner!;
  return new StrataError(
    'STORE_BUSY',
    `${folder}: process ${pid} on ${host} has been writing${time}; try again when it has finished` +
      ` (if that machine is gone, delete the files in ${folder})`,
  );
}

function asLockError(error: unknown, folder: string, signal?: AbortSignal): unknown {
  if (isStrataError(error)) return error;
  if (signal?.aborted)
    return new StrataError('ABORTED', 'cancelled while waiting to write', { cause: error });
  const message = `${dirname(folder)} cannot be written; check permissions and free space (${reasonOf(error)}).`;
  return new StrataError('STORE_FAILED', message, { cause: error });
}
