import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Job, JobResult } from './job.js';
import { type JobWatch, NOT_STARTED, WorkerProcess } from './worker-process.js';

/**
 * Work in processes that can be killed. A file that hangs its parser, eats memory or crashes it ends its process, not
 * the run: the file is reported, the process replaced. Processes serve one file after the other, wait a while for more,
 * and never keep the program alive. (Threads would be lighter, but a thread cannot be stopped inside WebAssembly, and
 * when it runs out of memory it may take the program with it.)
 */

/**
 * The program of a worker is the engine's, which knows the drivers. The built one is run also where the sources run
 * (tests): `npm test` builds first.
 */
const PROGRAM = ['../../engine/worker.js', '../../../dist/engine/worker.js']
  .map((place) => fileURLToPath(new URL(place, import.meta.url)))
  .find((path) => existsSync(path));

export const hasWorkers = (): boolean => PROGRAM !== undefined;

const idle: WorkerProcess[] = [];

/** One process at a time for jobs that follow each other; those that are early wait inside it, not for us. */
export class WorkerQueue {
  /** How many jobs the process may have. */
  readonly #most: number;
  #worker: WorkerProcess | undefined;
  /** The last of the jobs it has. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(most = 1) {
    this.#most = most;
  }

  /** Throws what the job threw, or LIMIT or CORRUPT for how its process ended. */
  async run(job: Job, watch: JobWatch = {}): Promise<JobResult> {
    for (;;) {
      const worker = await this.#take(job.limits.memory_megabytes);
      const result = worker.run(job, watch);
      this.#last = result.catch(() => {});
      const answer = await result;
      if (answer !== NOT_STARTED) return answer;
    }
  }

  /** No more jobs: the process may serve others. */
  release(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    if (!worker.isWorthKeeping()) {
      worker.kill();
      return;
    }
    idle.push(worker);
    worker.rest(() => {
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    });
  }

  /** A process that will not do for the job finishes what it has before another takes its place. */
  async #take(memory: number): Promise<WorkerProcess> {
    for (;;) {
      const worker = this.#worker;
      if (worker === undefined) break;
      if (worker.memory === memory && worker.jobs < this.#most && worker.isReusable()) return worker;
      if (worker.jobs > 0) await this.#last;
      else this.release();
    }
    this.#worker = takeIdle(memory) ?? new WorkerProcess(PROGRAM!, memory);
    return this.#worker;
  }
}

function takeIdle(memory: number): WorkerProcess | undefined {
  for (let at = idle.length - 1; at >= 0; at--) {
    const worker = idle[at]!;
    if (worker.memory !== memory) continue;
    idle.splice(at, 1);
    if (!worker.isReusable()) {
      worker.kill();
      continue;
    }
    worker.wake();
    return worker;
  }
  return undefined;
}
