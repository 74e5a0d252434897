import { availableParallelism } from 'node:os';
import { canIsolate, IsolatedQueue } from './isolate.js';
import { needsProcess } from './needs-process.js';
import { type PreparedChange, type PrepareRequest, prepare } from './prepare.js';

/** Documents prepared off the main thread, which goes on reading and committing meanwhile. */
export interface PreparePool {
  /** How many can be under way at once. */
  readonly size: number;
  /** How many documents a worker should be given at once, so that it need not wait while the main thread commits. */
  readonly ahead: number;
  /** By the worker of this number. */
  prepare(worker: number, bytes: Uint8Array, request: PrepareRequest): Promise<PreparedChange>;
  close(): void;
}

/** More processes than this wait for the one that commits. */
const MOST_WORKERS = 4;
/** Below this many documents, starting a process takes longer than it saves. */
const WORTH_A_PROCESS = 12;
/** A commit takes as long as a dozen small documents. */
const AHEAD = 16;

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
    close: () => {
      for (const queue of queues) queue.release();
    },
  };
}

async function prepareHere(bytes: Uint8Array, request: PrepareRequest): Promise<PreparedChange> {
  const { write, warnings } = await prepare(bytes, request);
  return { document: write.document, change: { put: [write] }, warnings };
}
