import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { IsolatedJob, IsolatedReply } from './isolated-job.js';
import { replyTo } from './isolated-work.js';
import { giveWay } from './lower-priority.js';

/** The process that parses (see isolate.ts). */

/** A third of what a process may keep (isolated-process.ts). */
const TIDY_BYTES = 256 * 2 ** 20;

/** Until it is on its way: what waits to be sent is held in full. */
function sendAhead(ahead: Uint8Array): Promise<void> {
  const reply: IsolatedReply = { ahead };
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(reply, () => resolve());
  });
}

if (process.send !== undefined) {
  giveWay();
  // Jobs that come early wait their turn.
  let last = Promise.resolve();
  process.on('message', (job: IsolatedJob) => {
    last = last.then(async () => {
      const reply = await replyTo(job, sendAhead);
      tidy();
      process.send?.(reply);
    });
  });
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches every process of the terminal; the program decides what becomes of the file at hand.
  process.on('SIGINT', () => {});
  guardAgainstOrphanage();
}

/**
 * With room for gigabytes V8 lets what is dead lie until the process is taken for one that has grown too large, and
 * a new one would have to load and compile everything again.
 */
function tidy(): void {
  if (getHeapStatistics().used_heap_size > TIDY_BYTES) globalThis.gc?.();
}

/** Should the program die while this process is stuck in a parser, nobody else could end it. */
function guardAgainstOrphanage(): void {
  const watch = `const parent = ${process.ppid};
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 2000);`;
  new Worker(watch, { eval: true, stdout: true, stderr: true }).unref();
}
