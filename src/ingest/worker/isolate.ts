import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, StrataError } from '../../model/errors.js';
import type { IsolatedJob, IsolatedResult } from './isolated-job.js';
import { BEREAVED, type FileLimits, IsolatedProcess } from './isolated-process.js';

/**
 * Parsing in processes that can be killed. A file that hangs its parser, eats memory or crashes it ends its process,
 * not the run: the file is reported, the process replaced. Processes serve one file after the other, wait a while for
 * more, and never keep the program alive. (Threads would be lighter, but a thread cannot be stopped inside WebAssembly,
 * and when it runs out of memory it may take the program with it.)
 */
const fromEnvironment = (name: string): number | undefined => {
  const value = Number(process.env[name]);
  return Number.isFinite(value) && value > 0 ? value : undefined;
};

/**
 * 20 s is what a person waits before thinking a program hangs; PDFs read at 1–4 s a megabyte of text on a slow core.
 * Memory: ten times the largest file we take would be 5 GB, so half of the machine, at most 4 GB.
 */
export const fileLimits = (): FileLimits => ({
  seconds: fromEnvironment('STRATA_PARSE_SECONDS') ?? 20,
  seconds_per_megabyte: 2,
  most_seconds: Math.max(300, fromEnvironment('STRATA_PARSE_SECONDS') ?? 0),
  memory_megabytes:
    fromEnvironment('STRATA_PARSE_MEMORY_MB') ?? Math.min(4096, Math.round(totalmem() / 2 ** 21)),
});

/** The child runs the built program, also where the sources run (tests): `npm test` builds first. */
const CHILD = [
  new URL('./isolate-child.js', import.meta.url),
  new URL('../../../dist/ingest/worker/isolate-child.js', import.meta.url),
]
  .map((url) => fileURLToPath(url))
  .find((path) => existsSync(path));

export const canIsolate = (): boolean => CHILD !== undefined;

const idle: IsolatedProcess[] = [];

/** Runs the job in a process, started or waiting; throws what the job threw, or LIMIT or CORRUPT for how it ended. */
export async function runIsolated(
  job: IsolatedJob,
  limits: FileLimits = fileLimits(),
): Promise<IsolatedResult> {
  const queue = new IsolatedQueue(1, limits);
  try {
    return await queue.run(job);
  } finally {
    queue.release();
  }
}

/** One process at a time for jobs that follow each other; those that are early wait inside it, not for us. */
export class IsolatedQueue {
  readonly #limits: FileLimits;
  /** How many jobs the process may have. */
  readonly #most: number;
  #child: IsolatedProcess | undefined;
  /** The last of the jobs it has. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(most: number, limits: FileLimits = fileLimits()) {
    this.#most = most;
    this.#limits = limits;
  }

  async run(job: IsolatedJob): Promise<IsolatedResult> {
    for (;;) {
      const child = await this.#take();
      const result = child.run(job);
      this.#last = result.catch(() => {});
      const answer = await result;
      if (answer !== BEREAVED) return answer;
    }
  }

  /** No more jobs: the process may serve others. */
  release(): void {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    if (!child.isReusable()) {
      child.kill();
      return;
    }
    idle.push(child);
    child.rest(() => {
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
    });
  }

  /** A process that is not to be used again finishes what it has before another takes its place. */
  async #take(): Promise<IsolatedProcess> {
    while (this.#child !== undefined && (this.#child.jobs >= this.#most || !this.#child.isReusable())) {
      if (this.#child.jobs > 0) await this.#last;
      else this.release();
    }
    this.#child ??= takeIdle(this.#limits) ?? new IsolatedProcess(CHILD!, this.#limits);
    return this.#child;
  }
}

function takeIdle(limits: FileLimits): IsolatedProcess | undefined {
  for (let at = idle.length - 1; at >= 0; at--) {
    const child = idle[at]!;
    if (child.limits.memory_megabytes !== limits.memory_megabytes) continue;
    idle.splice(at, 1);
    if (!child.isReusable()) continue;
    child.wake(limits);
    return child;
  }
  return undefined;
}

/** How an error is told to the other process: a code and a message. */
export function asReply(error: unknown, reason: string): { code: ErrorCode; message: string } {
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
  return { code: 'INTERNAL', message: `could not be parsed: ${reason}` };
}
