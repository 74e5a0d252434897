import { Worker } from 'node:worker_threads';
import { type ErrorCode, reasonOf } from '../model/errors.js';
import type { Tree } from '../model/tree.js';
import { parseDocument } from '../parse/parse.js';
import type { ParseInput } from '../parse/parser.js';
import { asReply } from './isolate.js';
import { type Prepared, type PrepareRequest, prepare } from './prepare.js';

/** The process that parses: one job in, one reply out (see isolate.ts). */
export type IsolatedJob =
  | { readonly kind: 'parse'; readonly input: ParseInput }
  | {
      readonly kind: 'prepare';
      readonly input: { readonly bytes: Uint8Array };
      readonly request: PrepareRequest;
    };

export type IsolatedResult = Tree | Prepared;

export type IsolatedReply =
  | { readonly result: IsolatedResult }
  /** Errors lose their class between processes: the code says what they were. */
  | { readonly code: ErrorCode; readonly message: string };

async function replyTo(job: IsolatedJob): Promise<IsolatedReply> {
  try {
    return {
      result:
        job.kind === 'parse' ? await parseDocument(job.input) : await prepare(job.input.bytes, job.request),
    };
  } catch (error) {
    return asReply(error, reasonOf(error));
  }
}

if (process.send !== undefined) {
  process.on('message', async (job: IsolatedJob) => {
    const reply = await replyTo(job);
    process.send?.(reply);
  });
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches every process of the terminal; the program decides what becomes of the file at hand.
  process.on('SIGINT', () => {});
  guardAgainstOrphanage();
}

/** Should the program die while this process is stuck in a parser, nobody else could end it. */
function guardAgainstOrphanage(): void {
  const watch = `const parent = ${process.ppid};
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 2000);`;
  new Worker(watch, { eval: true, stdout: true, stderr: true }).unref();
}
