import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StrataError } from '../../model/errors.js';

const POLL_MS = 250;
/** A holder touches nothing for this long only if its machine slept or died without a trace (another host's pid). */
const STALE_MS = 15 * 60_000;

/**
 * One process at a time does this work; the others wait until it is done. The lock file holds the holder's pid: one
 * left by a dead process is taken over.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  for (;;) {
    if (signal?.aborted) throw new StrataError('ABORTED', 'Waiting for another download was cancelled.');
    try {
      const handle = await open(path, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (await isAbandoned(path)) await rm(path, { force: true });
      else await sleep(POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const age = Date.now() - (await stat(path)).mtimeMs;
    if (age > STALE_MS) return true;
    const pid = Number(await readFile(path, 'utf8'));
    // Empty for the instant between creating and writing it.
    if (!Number.isInteger(pid) || pid <= 0) return age > 5_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
