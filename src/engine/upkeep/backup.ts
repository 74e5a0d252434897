import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { reasonOf, StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import { lockHolder } from '../../store/lock/lock.js';
import { DEFAULT_DRIVER, insideOf, keepSpec, openBackend } from '../drivers.js';
import { makeFolders } from '../make-folders.js';
import { copyLibrary } from './move-library.js';

export interface BackupReport {
  readonly destination: string;
  readonly documents: number;
  readonly chunks: number;
  readonly bytes: number;
}

/**
 * A consistent copy of a live library: others may read and write meanwhile. The copy is a library itself, which
 * `--library` opens and `restore` puts back.
 */
export async function backupLibrary(backend: Backend, destination: string): Promise<BackupReport> {
  const target = resolve(destination);
  if (existsSync(target) && (await readdir(target)).length > 0) {
    throw new StrataError('INVALID_ARGUMENT', `${target}: is not empty; name a new folder for the backup`);
  }
  try {
    await makeFolders(target);
    await copyTo(target, backend);
    return { destination: target, ...(await countsIn(target)), bytes: await bytesIn(target) };
  } catch (error) {
    await rm(target, { recursive: true, force: true }).catch(() => {});
    throw error instanceof StrataError
      ? error
      : new StrataError('STORE_FAILED', `${target}: the backup failed: ${reasonOf(error)}`, { cause: error });
  }
}

/** A store that keeps no files here is copied document by document into one that does. */
async function copyTo(target: string, backend: Backend): Promise<void> {
  const inside = insideOf(backend.driver);
  await keepSpec(target, { driver: inside === undefined ? DEFAULT_DRIVER : backend.driver });
  if (inside !== undefined) return backend.backup(join(target, inside));
  const copy = await openBackend(undefined, target, { location: target, create: false });
  try {
    await copyLibrary(backend, copy);
  } finally {
    await copy.close();
  }
}

export interface RestoreReport {
  readonly location: string;
  readonly documents: number;
  readonly chunks: number;
  /** Where the library that was there before stands now; null if there was none. */
  readonly replaced: string | null;
}

/**
 * Puts a backup in a library's place. It is checked and copied beside it first; what was there is kept under another
 * name until the new one stands, and deleted only when told to.
 */
export async function restoreLibrary(
  source: string,
  location: string,
  { replace = false }: { replace?: boolean } = {},
): Promise<RestoreReport> {
  const from = resolve(source);
  if (!existsSync(join(from, 'store.json'))) {
    throw new StrataError(
      'NOT_FOUND',
      `${from}: is no backup of a library (it holds no store.json); name a folder that \`strata backup\` made`,
    );
  }
  const isThere = existsSync(location) && (await readdir(location)).length > 0;
  if (isThere && !replace) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${location}: there is a library already; --replace puts it aside`,
    );
  }
  if (isThere) await refuseWhileWritten(location);
  const beside = join(dirname(location), `.${basename(location)}-restored-${randomUUID()}`);
  try {
    await cp(from, beside, { recursive: true });
    const counts = await countsIn(beside);
    const replaced = isThere ? await putAside(location) : null;
    await rm(location, { recursive: true, force: true });
    await rename(beside, location);
    return { location, ...counts, replaced };
  } catch (error) {
    await rm(beside, { recursive: true, force: true }).catch(() => {});
    throw error instanceof StrataError
      ? error
      : new StrataError('STORE_FAILED', `${location}: could not be restored: ${reasonOf(error)}`, {
          cause: error,
        });
  }
}

async function putAside(location: string): Promise<string> {
  const stamp = new Date().toISOString().replace(/[-:]|\..*$/g, '');
  const aside = `${location}.before-restore-${stamp}`;
  await rename(location, aside);
  return aside;
}

async function refuseWhileWritten(location: string): Promise<void> {
  for (const folder of [join(location, 'lock'), join(location, 'json', 'lock')]) {
    const writer = await lockHolder(folder);
    if (writer === null || writer.pid === process.pid) continue;
    throw new StrataError(
      'STORE_BUSY',
      `${location}: process ${writer.pid} is writing to it; try again when it has finished`,
    );
  }
}

/** The copy is opened and checked: a backup that cannot be read is none. */
async function countsIn(location: string): Promise<{ documents: number; chunks: number }> {
  const backend = await openBackend(undefined, location, { location, create: false });
  try {
    const wrong = (await backend.check()).filter(({ fixed }) => !fixed);
    if (wrong.length > 0) {
      const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : '';
      throw new StrataError('STORE_DAMAGED', `${location}: the copy is damaged: ${wrong[0]!.message}${more}`);
    }
    return await backend.counts();
  } finally {
    await backend.close();
  }
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const stats = await Promise.all(names.map((name) => stat(join(folder, name))));
  return stats.reduce((sum, { size }, i) => sum + (stats[i]!.isFile() ? size : 0), 0);
}
