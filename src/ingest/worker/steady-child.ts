import { parentPort } from 'node:worker_threads';
import { collectFrom } from '../../parse/collect.js';
import { keepFewTerms } from '../../text/terms.js';
import { exposeCollector } from './frugal.js';
import type { FileJob } from './isolated-job.js';
import { replyTo } from './isolated-work.js';

/** In characters; and in bytes. */
const SMALL = 64 * 1024;
const DEAD = 3 * 2 ** 20;

/** The thread that reads one steady file (see steady-thread.ts), and ends. */
parentPort?.once('message', async (job: FileJob) => {
  exposeCollector();
  collectFrom(SMALL, DEAD);
  keepFewTerms();
  const sendAhead = async (ahead: Uint8Array): Promise<void> => post({ ahead }, [ahead]);
  const reply = await replyTo(job, sendAhead);
  post(reply, []);
});

/** What is bytes of its own is handed over, not copied. */
function post(message: unknown, bytes: readonly Uint8Array[]): void {
  const own = bytes.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength);
  parentPort?.postMessage(
    message,
    own.map(({ buffer }) => buffer as ArrayBuffer),
  );
}
