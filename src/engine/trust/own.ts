import { chmodSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../source/path.js';
import { CONFIG_FILE } from '../locate.js';
import { LibraryTrust, realPath, type TrustOptions } from './trust.js';

/** What a library's folder holds itself, and what the project says about it, in the order a stranger's would be noticed. */
const PARTS = ['', 'store.json', 'library.db', 'json', join('..', CONFIG_FILE)];

/**
 * A library of another user is not used unless it is trusted, as git does with repositories: its owner decides what is
 * found in it. Under sudo the user who called it counts as well.
 */
export async function refuseOthers(location: string, trust: LibraryTrust): Promise<void> {
  const own = process.getuid?.();
  if (own === undefined) return;
  const caller = own === 0 ? Number(process.env.SUDO_UID ?? own) : own;
  for (const part of PARTS) {
    const owner: number = lstatSync(join(location, part), { throwIfNoEntry: false })?.uid ?? own;
    if (owner !== own && owner !== caller) return void (await trust.require('owner', String(owner)));
  }
}

/**
 * A folder that is a link may have come with a repository, and leads wherever its writer liked: to another library of the
 * user's, or to a folder where none should be made. Links inside the project are its own affair.
 */
export async function refuseLink(location: string, options: TrustOptions): Promise<void> {
  if (!lstatSync(location, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const target = realPath(location);
  if (isInside(realPath(dirname(location)), target)) return;
  await new LibraryTrust(location, { ...options, isLink: true }).require('store', target);
}

/**
 * Only the user may read what was read from their files: older libraries were open to everybody. What belongs to somebody
 * else, or stands on a drive that is not written, stays as it is.
 */
export function tighten(location: string): void {
  for (const [part, mode] of [['', 0o700], ...FILES.map((name) => [name, 0o600] as const)] as const) {
    const path = join(location, part);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink() || (found.mode & 0o077) === 0) continue;
    try {
      chmodSync(path, found.isDirectory() ? 0o700 : mode);
    } catch {
      // Not ours to change.
    }
  }
}

const FILES = [
  'store.json',
  '.gitignore',
  'library.db',
  'library.db-wal',
  'library.db-shm',
  'json',
  'embedding',
  'lock',
];
