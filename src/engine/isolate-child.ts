import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, reasonOf } from '../model/errors.js';
import type { Tree } from '../model/tree.js';
import { parseDocument } from '../parse/parse.js';
import type { ParseInput } from '../parse/parser.js';
import { packerOf } from './drivers.js';
import { giveWay } from './give-way.js';
import { asReply } from './isolate.js';
import { fleetingChunkWrite, type PreparedChange, type PrepareRequest, prepare } from './prepare.js';

/** The process that parses: one job in, one reply out (see isolate.ts). */
export type IsolatedJob = { readonly kind: 'parse'; readonly input: ParseInput } | PrepareJob;

interface PrepareJob {
  readonly kind: 'prepare';
  readonly input: { readonly bytes: Uint8Array };
  readonly request: PrepareRequest;
}

export type IsolatedResult = Tree | PreparedChange;

export type IsolatedReply =
  | { readonly result: IsolatedResult }
  /** Errors lose their class between processes: the code says what they were. */
  | { readonly code: ErrorCode; readonly message: string };

/** A third of what a process may keep (isolated-process.ts). */
const TIDY_BYTES = 256 * 2 ** 20;

async function replyTo(job: IsolatedJob): Promise<IsolatedReply> {
  try {
    return { result: job.kind === 'parse' ? await parseDocument(job.input) : await prepareChange(job) };
  } catch (error) {
    return asReply(error, reasonOf(error));
  }
}

async function prepareChange({ input, request }: PrepareJob): Promise<PreparedChange> {
  const pack = await packerOf(request.driver);
  const toWrite = pack && fleetingChunkWrite;
  const { write, warnings } = await prepare(input.bytes, request, parseDocument, toWrite);
  const change = pack ? { packed: [pack(write)] } : { put: [write] };
  return { document: write.document, change, warnings };
}

if (process.send !== undefined) {
  giveWay();
  // Jobs that come early wait their turn.
  let last = Promise.resolve();
  process.on('message', (job: IsolatedJob) => {
    last = last.then(async () => {
      const reply = await replyTo(job);
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
