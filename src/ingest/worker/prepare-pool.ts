import { availableParallelism } from 'node:os';
import type { FileToRead } from '../from-disk.js';
import { type PreparedChange, type PrepareRequest, prepare } from '../prepare.js';
import { canIsolate, IsolatedQueue } from './isolate.js';
import type { SkippedFile } from './isolated-job.js';
import { isLarge, needsProcess } from './needs-process.js';
import { prepareSteady, takesSteady } from './steady-thread.js';

/** Documents prepared off the main thread, which goes on reading and committing meanwhile. */
export interface PreparePool {
  /** How many can be under way at once. */
  readonly size: number;
  /** How many documents a worker should be given at once, so that it need not wait while the main thread commits. */
  readonly ahead: number;
  /** By the worker of this number. */
  prepare(worker: number, bytes: Uint8Array, request: PrepareRequest): Promise<PreparedChange>;
  /** Whether a file of this size is sure to go to a process, which can then read it too. */
  takesFile(size: number): boolean;
  /** Read there and prepared; see `FileJob` for what the request lacks. */
  prepareFile(
    worker: number,
    file: FileToRead,
    request: PrepareRequest,
  ): Promise<PreparedChange | SkippedFile>;
  close(): void;
}

/** More processes than this wait for the one that commits. */
const MOST_WORKERS = 4;
/** Below this many documents, starting a process takes longer than it saves. */
const WORTH_A_PROCESS = 12;
/** A commit takes half a second, as a hundred small documents do. */
const AHEAD = 128;

export function preparePool(documents: number, workers?: number): PreparePool {
  const size = Math.max(1, workers ?? Math.min(availableParallelism(), MOST_WORKERS));
  const few = workers === 0 || (workers === undefined && documents < WORTH_A_PROCESS);
  // A single worker has one document at a time, and the next is read meanwhile.
  const ahead = size === 1 || few ? 2 : AHEAD;
  const queues = Array.from({ length: size }, () => new IsolatedQueue(ahead > 2 ? ahead : 1));
  return {
    size,
    ahead,
    prepare: async (worker, bytes, request) => {
      if (!canIsolate() || (few && !needsProcess(bytes, request.name))) return prepareHere(bytes, request);
      return (await queues[worker]!.run({ kind: 'prepare', input: { bytes }, request })) as PreparedChange;
    },
    takesFile: (size) => canIsolate() && (!few || isLarge(size)),
    prepareFile: async (worker, file, request) => {
      const prepared = few && takesSteady(file) ? await prepareSteady(file, request) : null;
      if (prepared !== null) return prepared;
      return (await queues[worker]!.run({ kind: 'file', file, request })) as PreparedChange | SkippedFile;
    },
    close: () => {
      for (const queue of queues) queue.release();
    },
  };
}

async function prepareHere(bytes: Uint8Array, request: PrepareRequest): Promise<PreparedChange> {
  const { write, warnings } = await prepare(bytes, request);
  return { document: write.document, change: { put: [write] }, warnings };
}
