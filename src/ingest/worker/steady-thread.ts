import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { StrataError } from '../../model/errors.js';
import { DEFAULT_LIMITS } from '../../parse/parser.js';
import type { FileToRead } from '../from-disk.js';
import type { PreparedChange, PrepareRequest } from '../prepare.js';
import { writeFrugally } from './frugal.js';
import { fileLimits } from './isolate.js';
import type { FileJob, IsolatedReply, SkippedFile } from './isolated-job.js';
import { withAhead } from './isolated-process.js';
import { isNamedSteady, steadyLimits } from './steady.js';

/**
 * A thread for one file that is read in time and memory its size foretells (JSON): the program goes on meanwhile, and a
 * process of its own would take 60 MB before it has read a byte. Nothing else is left to threads: one cannot be stopped
 * inside WebAssembly, and one without an end to its memory may take the program with it.
 */

/** In bytes: beside a larger file, a process does not matter, and its memory has an end. */
const MOST = 64 * 2 ** 20;
/** In MB, for new objects: most die at once, and V8 would take 32 and more. (docs/decisions/json-memory.md) */
const YOUNG = 4;
/** By the clock, while others work too: so many times what the file may take. */
const PATIENCE = 4;

/** Also where the sources run (tests): `npm test` builds first. */
const PROGRAM = [
  new URL('./steady-child.js', import.meta.url),
  new URL('../../../dist/ingest/worker/steady-child.js', import.meta.url),
].find((url) => existsSync(fileURLToPath(url)));

export const takesSteady = ({ name, size }: FileToRead): boolean =>
  PROGRAM !== undefined && size <= MOST && isNamedSteady(name);

/** Null where the file needs a process after all: it is not what its name says, or beyond what a thread may take. */
export async function prepareSteady(
  file: FileToRead,
  request: PrepareRequest,
): Promise<PreparedChange | SkippedFile | null> {
  const limits = steadyLimits(request.limits ?? DEFAULT_LIMITS, file.size);
  const worker = new Worker(PROGRAM!, {
    execArgv: [],
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG,
      maxOldGenerationSizeMb: fileLimits().memory_megabytes,
    },
  });
  try {
    return await answerOf(worker, { kind: 'file', file, request: { ...request, limits }, onlySteady: true });
  } finally {
    // Before its answer is used: what it holds is larger than that.
    await worker.terminate();
  }
}

function answerOf(worker: Worker, job: FileJob): Promise<PreparedChange | SkippedFile | null> {
  const ahead: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => resolve(null), PATIENCE * mostSeconds(job) * 1000);
    const settle = (reply: IsolatedReply): void => {
      if ('ahead' in reply) ahead.push(reply.ahead);
      else if ('code' in reply && reply.code !== 'LIMIT') reject(new StrataError(reply.code, reply.message));
      else if ('code' in reply || 'unsteady' in reply.result) resolve(null);
      else resolve(withAhead(reply.result, ahead) as PreparedChange | SkippedFile);
    };
    worker.on('online', writeFrugally);
    worker.on('message', settle);
    // Out of memory, most likely: a process will say so.
    worker.on('error', () => resolve(null));
    worker.on('exit', () => {
      clearTimeout(patience);
      resolve(null);
    });
    worker.postMessage(job);
  });
}

function mostSeconds(job: FileJob): number {
  const { seconds, seconds_per_megabyte, most_seconds } = fileLimits();
  return Math.min(most_seconds, seconds + (seconds_per_megabyte * job.file.size) / 2 ** 20);
}
