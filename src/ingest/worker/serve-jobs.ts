import { Worker } from 'node:worker_threads';
import { type ErrorCode, reasonOf, StrataError } from '../../model/errors.js';
import type { Job, PackerOf, ReaderOf, Reply } from './job.js';
import { lowerPriority } from './lower-priority.js';
import { perform } from './perform.js';

/** What a worker process does: one job after the other, until the program that started it is gone. */
export function serveJobs(packerOf: PackerOf, readerOf: ReaderOf): void {
  lowerPriority();
  // Jobs that come early wait their turn.
  let last = Promise.resolve();
  process.on('message', (job: Job) => {
    last = last.then(async () => post(await replyTo(job, packerOf, readerOf)));
  });
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches every process of the terminal; the program decides what becomes of the file at hand.
  process.on('SIGINT', () => {});
  endWithParent();
}

/** Resolves when the message is on its way: what waits to be sent is held in full. */
const post = (reply: Reply): Promise<void> =>
  new Promise((resolve) => process.send?.(reply, () => resolve()));

async function replyTo(job: Job, packerOf: PackerOf, readerOf: ReaderOf): Promise<Reply> {
  // The last part goes with the result: small documents are one message.
  let held: Uint8Array | undefined;
  const send = async (part: Uint8Array): Promise<void> => {
    const before = held;
    held = part;
    if (before !== undefined) await post({ part: before });
  };
  try {
    const result = await perform(job, packerOf, send, { readerOf, onPage: (page) => void post({ page }) });
    if (held === undefined || !('write' in result)) return { result };
    return { result: { ...result, write: { ...result.write, parts: [held] } } };
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): { code: ErrorCode; message: string } {
  if (error instanceof StrataError) return { code: error.code, message: error.message };
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return { code: 'LIMIT', message: 'is nested too deeply to parse' };
  }
  if (
    error instanceof RangeError &&
    /invalid (?:string|array|typed array|array buffer) length|allocation/i.test(error.message)
  ) {
    return { code: 'LIMIT', message: 'is too large to parse' };
  }
  return { code: 'INTERNAL', message: `could not be parsed: ${reasonOf(error)}` };
}

/** Should the program die while this process is stuck in a parser, nobody else could end it. */
function endWithParent(): void {
  const watch = `const parent = ${process.ppid};
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 2000);`;
  new Worker(watch, { eval: true, stdout: true, stderr: true }).unref();
}
