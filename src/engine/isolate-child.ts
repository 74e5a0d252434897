import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { reasonOf } from '../model/errors.js';
import { parseDocument } from '../parse/parse.js';
import { packerOf } from './drivers.js';
import { fromDisk, skipReason } from './from-disk.js';
import { giveWay } from './give-way.js';
import { asReply } from './isolate.js';
import type { FileJob, IsolatedJob, IsolatedReply, IsolatedResult, SkippedFile } from './isolated-job.js';
import { fleetingChunkWrite, type PreparedChange, type PrepareRequest, prepare } from './prepare.js';

/** The process that parses (see isolate.ts). */

/** A third of what a process may keep (isolated-process.ts). */
const TIDY_BYTES = 256 * 2 ** 20;

async function replyTo(job: IsolatedJob): Promise<IsolatedReply> {
  try {
    return { result: await resultOf(job) };
  } catch (error) {
    return asReply(error, reasonOf(error));
  }
}

function resultOf(job: IsolatedJob): Promise<IsolatedResult> {
  if (job.kind === 'parse') return parseDocument(job.input);
  return job.kind === 'file' ? prepareFile(job) : prepareChange(job.input.bytes, job.request);
}

async function prepareFile({ file, request }: FileJob): Promise<PreparedChange | SkippedFile> {
  const { bytes, facts, updated_at } = await fromDisk(file);
  const skipped = skipReason(file, bytes);
  if (skipped !== null) return { skipped };
  return prepareChange(bytes, { ...request, updated_at, metadata: { ...facts, ...request.metadata } });
}

async function prepareChange(bytes: Uint8Array, request: PrepareRequest): Promise<PreparedChange> {
  const pack = await packerOf(request.driver);
  const toWrite = pack && fleetingChunkWrite;
  const { write, warnings } = await prepare(bytes, request, parseDocument, toWrite);
  const change = pack ? { packed: [await pack(write, sendAhead)] } : { put: [write] };
  return { document: write.document, change, warnings };
}

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
