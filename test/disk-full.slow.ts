import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Child,
  DRIVERS,
  lastDone,
  type StartOptions,
  start,
  steps,
  temporaryFolder,
} from './torture/torture.js';

/**
 * Small and read-only file systems are mounted, and processes run as somebody else: that needs root, which CI has.
 * Elsewhere those tests are skipped, and the limit of a process's own stands in for them.
 */

/** `nobody`: whom permissions bind. */
const NOBODY = 65_534;
const SEED = 'full';
const isRoot = process.getuid?.() === 0;

const mounts: string[] = [];
afterEach(() => {
  for (const point of mounts.splice(0)) execFileSync('umount', ['-l', point]);
});

/** A file system of its own, this small; false where mounting is not allowed. */
function mountSmall(point: string, megabytes: number): boolean {
  mkdirSync(point, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'strata', point], { stdio: 'ignore' });
    mounts.push(point);
    return true;
  } catch {
    return false;
  }
}
const remount = (point: string, options: string) =>
  execFileSync('mount', ['-o', `remount,${options}`, point]);

const canMount =
  isRoot &&
  (() => {
    const point = temporaryFolderOutside();
    const can = mountSmall(point, 1);
    for (const mounted of mounts.splice(0)) execFileSync('umount', ['-l', mounted]);
    return can;
  })();

function temporaryFolderOutside(): string {
  return execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
}

/** Writes until there is no room left at all. */
function fill(point: string): string {
  const hog = join(point, 'hog');
  const file = openSync(hog, 'w');
  for (let size = 2 ** 20; size >= 512; ) {
    try {
      writeSync(file, Buffer.alloc(size));
    } catch {
      size >>= 1;
    }
  }
  closeSync(file);
  return hog;
}

const write = (driver: string, folder: string, from: number, count: number, options?: StartOptions): Child =>
  start('writer.js', [driver, folder, SEED, String(from), String(count)], options);

const errorOf = ({ lines }: Child): string => lines.find((line) => line.startsWith('error ')) ?? 'no error';

/** The library holds what the steps up to `last` (or the next one) make of it, and nothing is wrong with it. */
async function holds(driver: string, folder: string, last: number): Promise<void> {
  const { openStore, take, contentsOf, disagreements } = await steps();
  const model = await openStore('memory', folder);
  for (let n = 0; n <= last; n++) await take(model, SEED, n);
  const store = await openStore(driver, folder);
  expect(await contentsOf(store), `${driver} after step ${last}`).toBe(await contentsOf(model));
  expect(await disagreements(store)).toEqual([]);
  await store.close();
}

/** Whoever may not write can read all the same. */
async function isReadBy(driver: string, folder: string, options: StartOptions): Promise<string> {
  const child = start('reader.js', [driver, folder], options);
  await child.ended;
  return child.lines.at(-1) ?? '';
}

async function expectedContents(last: number): Promise<string> {
  const { openStore, take, contentsOf } = await steps();
  const model = await openStore('memory', '');
  for (let n = 0; n <= last; n++) await take(model, SEED, n);
  return `holds ${createHash('sha256')
    .update(await contentsOf(model))
    .digest('hex')}`;
}

/** Goes on from there, with nothing in the way. */
async function goesOn(driver: string, folder: string, from: number): Promise<void> {
  const child = write(driver, folder, from, 5);
  await child.ended;
  expect(child.lines.at(-1)).toBe('closed');
  await holds(driver, folder, from + 4);
}

describe.each(DRIVERS)('the disk says no, %s', (driver) => {
  it.skipIf(!canMount)(
    'S1.2 a full disk: a clear error, the old state intact, and on it goes when there is room',
    async () => {
      const point = join(temporaryFolder(), 'small');
      expect(mountSmall(point, 24)).toBe(true);
      const folder = join(point, 'library');
      const child = write(driver, folder, 0, 100_000);
      expect(await child.said('done 15')).toBe(true);
      const hog = fill(point);
      await child.ended;
      expect(errorOf(child)).toMatch(/^error STORE_FAILED .*(full|no space|ENOSPC)/i);
      const last = lastDone(child.lines, -1);
      // Still full: opened and read all the same, and another try says so again.
      const again = write(driver, folder, last + 1, 100);
      await again.ended;
      expect(errorOf(again)).toMatch(/^error STORE_FAILED /);
      rmSync(hog);
      const now = lastDone(again.lines, last);
      await holds(driver, folder, now);
      await goesOn(driver, folder, now + 1);
    },
  );

  // Works everywhere: what a process may write to one file is limited, and the signal for it ignored.
  it('S1.2 a file that may not grow: a clear error, the old state intact', async () => {
    const folder = join(temporaryFolder(), 'library');
    const first = write(driver, folder, 0, 8);
    await first.ended;
    const child = write(driver, folder, 8, 10_000, { shell: "trap '' XFSZ; ulimit -f 16" });
    await child.ended;
    expect(errorOf(child)).toMatch(/^error STORE_FAILED .{20,}/);
    const last = lastDone(child.lines, 7);
    await holds(driver, folder, last);
    await goesOn(driver, folder, last + 1);
  });

  it.skipIf(!canMount)(
    'S1.2 a read-only file system: a clear error for writers, the old state intact',
    async () => {
      const point = join(temporaryFolder(), 'small');
      expect(mountSmall(point, 64)).toBe(true);
      const folder = join(point, 'library');
      await write(driver, folder, 0, 10).ended;
      remount(point, 'ro');
      const child = write(driver, folder, 10, 5);
      await child.ended;
      expect(errorOf(child)).toMatch(/^error STORE_FAILED .{20,}/);
      expect(await isReadBy(driver, folder, {})).toBe(await expectedContents(9));
      remount(point, 'rw');
      await holds(driver, folder, 9);
      await goesOn(driver, folder, 10);
    },
  );

  it.skipIf(!isRoot)(
    "B15 somebody else's library: not to be read, a clear error, the old state intact",
    async () => {
      const folder = join(temporaryFolder(), 'library');
      chmodSync(join(folder, '..'), 0o755);
      await write(driver, folder, 0, 10).ended;
      const child = write(driver, folder, 10, 5, { uid: NOBODY });
      await child.ended;
      expect(errorOf(child)).toMatch(/^error STORE_FAILED .{20,}/);
      expect(await isReadBy(driver, folder, { uid: NOBODY })).toMatch(/^error STORE_FAILED .{20,}/);
      await holds(driver, folder, 9);
    },
  );

  it.skipIf(!isRoot)('S1.2 permission lost half-way: a clear error, the old state intact', async () => {
    const outer = temporaryFolder();
    chmodSync(outer, 0o755);
    const folder = join(outer, 'library');
    mkdirSync(folder);
    chownSync(folder, NOBODY, NOBODY);
    const child = write(driver, folder, 0, 10_000, { uid: NOBODY });
    await child.said('done 5');
    await sleep(20);
    // Everything becomes somebody else's while it writes.
    takeAway(folder);
    const ended = await Promise.race([
      child.ended,
      sleep(driver === 'json' ? 20_000 : 2_000).then(() => null),
    ]);
    if (driver === 'json') {
      expect(ended, 'the writer goes on without permission').not.toBeNull();
      expect(errorOf(child)).toMatch(/^error STORE_FAILED .{20,}/);
    } else child.process.kill('SIGKILL');
    await child.ended;
    const last = lastDone(child.lines, -1);
    // SQLite's files are open already: what they have granted they cannot take back, until the next open.
    const copy = join(outer, 'copy');
    cpSync(folder, copy, { recursive: true });
    await holdsThisOrNext(driver, copy, last);
    if (driver === 'sqlite') {
      const next = write(driver, folder, last + 1, 1, { uid: NOBODY });
      await next.ended;
      expect(errorOf(next)).toMatch(/^error STORE_FAILED .{20,}/);
    }
  });
});

function takeAway(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    try {
      chownSync(path, 0, 0);
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
    } catch {
      // Gone meanwhile: it writes.
    }
  }
  chownSync(folder, 0, 0);
  chmodSync(folder, 0o755);
}

async function holdsThisOrNext(driver: string, folder: string, last: number): Promise<void> {
  try {
    await holds(driver, folder, last);
  } catch {
    await holds(driver, folder, last + 1);
  }
}
