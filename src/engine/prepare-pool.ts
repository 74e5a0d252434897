import { availableParallelism } from 'node:os';
import { canIsolate, runIsolated } from './isolate.js';
import { needsProcess } from './needs-process.js';
import { type Prepared, type PrepareRequest, prepare } from './prepare.js';

/** Documents prepared off the main thread, which goes on reading and committing meanwhile. */
export interface PreparePool {
  /** How many can be under way at once. */
  readonly size: number;
  prepare(bytes: Uint8Array, request: PrepareRequest): Promise<Prepared>;
}

/** More processes than this wait for the one that commits. */
const MOST_WORKERS = 4;
/** Below this many documents, starting a process takes longer than it saves. */
const WORTH_A_PROCESS = 12;

export function preparePool(documents: number, workers?: number): PreparePool {
  const size = workers ?? Math.min(availableParallelism(), MOST_WORKERS);
  const few = workers === 0 || (workers === undefined && documents < WORTH_A_PROCESS);
  const turn = turns(Math.max(1, size));
  return {
    size: Math.max(1, size),
    prepare: (bytes, request) =>
      canIsolate() && (!few || needsProcess(bytes, request.name))
        ? turn(async () => (await runIsolated({ kind: 'prepare', input: { bytes }, request })) as Prepared)
        : prepare(bytes, request),
  };
}

/** At most `size` at once, in the order they came. */
function turns(size: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = size;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
