import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLease } from './lease.js';
import { acquireLock, lockHolder } from './lock.js';
import { type LockOwner, startOf, stateOf, thisProcess } from './lock-owner.js';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'strata-lock-')), 'lock');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(join(folder, '..'), { recursive: true, force: true });
});

/** A real process that lives until it is killed. */
async function sleeper(): Promise<{ owner: LockOwner; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)']);
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const pid = child.pid!;
  const start = await startOf(pid);
  return {
    owner: { pid, start, host: hostname() },
    kill: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

async function heldBy(owner: LockOwner): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '7'), JSON.stringify({ owner, token: 'theirs' }));
}

describe('the writer lock', () => {
  it('B6 one holder at a time, and every waiter has its turn', async () => {
    let inside = 0;
    let most = 0;
    let done = 0;
    const writers = Array.from({ length: 8 }, async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const lock = await acquireLock(folder);
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inside -= 1;
        done += 1;
        await lock.release();
      }
    });
    await Promise.all(writers);
    expect({ most, done }).toEqual({ most: 1, done: 40 });
    // One file, the free lock: claims and marks are gone.
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^\d+$/)]);
  });

  it('B6 a live process is never robbed: the waiter is told after a second and gives up with STORE_BUSY', async () => {
    const { owner } = await sleeper();
    await heldBy(owner);
    let told = 0;
    const started = performance.now();
    const waiting = acquireLock(folder, { patience: 1300, onWait: () => (told += 1) });
    await expect(waiting).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: expect.stringContaining(`process ${owner.pid}`),
    });
    expect(performance.now() - started).toBeGreaterThanOrEqual(1300);
    expect(told).toBe(1);
    expect(await lockHolder(folder)).toEqual(owner);
    expect(await readdir(folder)).toEqual(['7']);
    // The same lock again: with all its patience this would take longer than a test may.
    await expect(acquireLock(folder, { patience: 600_000 })).rejects.toMatchObject({ code: 'STORE_BUSY' });
  });

  it('B6 the lock of a killed process is taken over', async () => {
    const { owner, kill } = await sleeper();
    await heldBy(owner);
    expect(await stateOf(owner)).toBe('alive');
    await kill();
    expect(await stateOf(owner)).toBe('dead');
    expect(await lockHolder(folder)).toBeNull();
    const lock = await acquireLock(folder, { patience: 0 });
    expect(await lockHolder(folder)).toEqual(await thisProcess());
    await lock.release();
  });

  it('B6 a pid that is used again does not keep a dead lock alive', async () => {
    const { owner } = await sleeper();
    await heldBy({ ...owner, start: 'another boot/12345' });
    const lock = await acquireLock(folder, { patience: 0 });
    await lock.release();
  });

  it('B6 a lock of another machine counts as alive, and the message says what to do', async () => {
    await heldBy({ pid: 1, start: null, host: 'elsewhere' });
    await expect(acquireLock(folder, { patience: 0 })).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: expect.stringMatching(/process 1 on elsewhere.*delete the files in/),
    });
  });

  it('a lease ends with its process, and waits for a living one of another machine until it expires', async () => {
    await heldBy({ pid: 2 ** 22 + 1, start: null, host: hostname() });
    expect(await withLease(folder, async () => 'done')).toBe('done');
    await writeFile(
      join(folder, '8'),
      JSON.stringify({ owner: { pid: 1, start: null, host: 'elsewhere' }, token: 'theirs' }),
    );
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 50);
    const waiting = withLease(folder, async () => 'never', { signal: cancel.signal });
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    await utimes(join(folder, '8'), new Date(0), new Date(0));
    expect(await withLease(folder, async () => 'done')).toBe('done');
  });

  it('B6 many waiters on one dead lock: one wins at a time', async () => {
    await heldBy({ pid: 2 ** 22 + 1, start: null, host: hostname() });
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const lock = await acquireLock(folder);
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside -= 1;
        await lock.release();
      }),
    );
    expect(most).toBe(1);
  });

  it('waiting ends when the caller gives up', async () => {
    const lock = await acquireLock(folder);
    const stop = new AbortController();
    const waiting = acquireLock(folder, { signal: stop.signal });
    setTimeout(() => stop.abort(), 30);
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    await lock.release();
  });

  it('a lock file that is no longer readable as one is not for ever', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '3'), '{"owner":{"pid":');
    await expect(acquireLock(folder, { patience: 0 })).rejects.toMatchObject({ code: 'STORE_BUSY' });
    await utimes(join(folder, '3'), new Date(0), new Date(0));
    await (await acquireLock(folder, { patience: 0 })).release();
    expect(await readdir(folder)).toEqual(['4']);
  });
});
