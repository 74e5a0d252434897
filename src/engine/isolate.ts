import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, StrataError } from '../model/errors.js';
import type { IsolatedJob, IsolatedReply, IsolatedResult } from './isolate-child.js';

/**
 * Parsing in processes that can be killed. A file that hangs its parser, eats memory or crashes it ends its process,
 * not the run: the file is reported, the process replaced. Processes serve one file after the other, wait a while for
 * more, and never keep the program alive. (Threads would be lighter, but a thread cannot be stopped inside WebAssembly,
 * and when it runs out of memory it may take the program with it.)
 */
export interface FileLimits {
  /** How long one file may take: so many seconds, and so many more a megabyte, at most `most_seconds`. */
  readonly seconds: number;
  readonly seconds_per_megabyte: number;
  readonly most_seconds: number;
  /** What its process may occupy. */
  readonly memory_megabytes: number;
}

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
  new URL('../../dist/engine/isolate-child.js', import.meta.url),
]
  .map((url) => fileURLToPath(url))
  .find((path) => existsSync(path));

export const canIsolate = (): boolean => CHILD !== undefined;

// A process that has grown beyond this while at work is not kept: WebAssembly's memory never shrinks.
const KEEP_MEGABYTES = 768;
const IDLE_MILLISECONDS = 15_000;
const POLL_MILLISECONDS = 100;
// Time counts while the process works; one that waits for its turn gets this many times as long.
const PATIENCE = 4;

const idle: IsolatedProcess[] = [];

/** Runs the job in a process of its own, started or waiting; throws what the job threw, or LIMIT or CORRUPT for how it ended. */
export async function runIsolated(
  job: IsolatedJob,
  limits: FileLimits = fileLimits(),
): Promise<IsolatedResult> {
  const child = takeIdle(limits) ?? new IsolatedProcess(limits);
  try {
    return await child.run(job);
  } finally {
    if (child.isReusable()) {
      idle.push(child);
      child.rest(() => {
        const at = idle.indexOf(child);
        if (at >= 0) idle.splice(at, 1);
      });
    } else child.kill();
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

class IsolatedProcess {
  limits: FileLimits;
  readonly #process: ChildProcess;
  #gone = false;
  #stderr = '';
  #rest: NodeJS.Timeout | undefined;
  /** Why we killed it, if we did. */
  #reason: StrataError | undefined;

  constructor(limits: FileLimits) {
    this.limits = limits;
    this.#process = fork(CHILD!, [], {
      serialization: 'advanced',
      // What starts this program (a test runner, a debugger) is not meant for the child.
      execArgv: [`--max-old-space-size=${limits.memory_megabytes}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    this.#process.stderr?.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('utf8')).slice(-4096);
    });
    this.#process.once('exit', () => {
      this.#gone = true;
    });
  }

  run(job: IsolatedJob): Promise<IsolatedResult> {
    return new Promise((resolve, reject) => {
      const child = this.#process;
      const megabytes = job.input.bytes.byteLength / 2 ** 20;
      const seconds = Math.min(
        this.limits.most_seconds,
        this.limits.seconds + this.limits.seconds_per_megabyte * megabytes,
      );
      const finish = (): void => {
        clearInterval(poll);
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
      };
      const stop = (message: string): void => {
        this.#reason = new StrataError('LIMIT', message);
        this.kill();
      };
      const started = Date.now();
      const before = this.#cpuSeconds();
      const poll = setInterval(() => {
        const wall = (Date.now() - started) / 1000;
        const spent = before === null ? wall : (this.#cpuSeconds() ?? wall) - before;
        if (spent > seconds || wall > PATIENCE * seconds) {
          stop(`took longer than the ${Math.round(seconds)} s a file of this size may take to parse`);
        } else if (this.#megabytes() > this.limits.memory_megabytes) stop(this.#tooMuchMemory());
      }, POLL_MILLISECONDS);
      const onMessage = (reply: IsolatedReply): void => {
        finish();
        if ('result' in reply) resolve(reply.result);
        else reject(new StrataError(reply.code, reply.message));
      };
      const onExit = (code: number | null, signal: string | null): void => {
        finish();
        reject(this.#reason ?? this.#obituary(code, signal));
      };
      const onError = (error: Error): void => {
        finish();
        this.kill();
        reject(
          new StrataError('INTERNAL', `could not be handed to a process of its own: ${error.message}`, {
            cause: error,
          }),
        );
      };
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      child.send(job, (error) => error && onError(error));
    });
  }

  isReusable(): boolean {
    return !this.#gone && this.#process.connected && this.#megabytes() < KEEP_MEGABYTES;
  }

  /** Wait for more work without keeping the program alive; `ended` is called when it is over. */
  rest(ended: () => void): void {
    this.#process.unref();
    this.#process.channel?.unref();
    (this.#process.stderr as unknown as { unref?: () => void } | null)?.unref?.();
    this.#rest = setTimeout(() => {
      ended();
      this.kill();
    }, IDLE_MILLISECONDS);
    this.#rest.unref();
  }

  wake(limits: FileLimits): void {
    clearTimeout(this.#rest);
    this.limits = limits;
    this.#process.ref();
    this.#process.channel?.ref();
  }

  kill(): void {
    if (!this.#gone) this.#process.kill('SIGKILL');
  }

  /** Resident size, WebAssembly's memory included; where the system does not tell, V8's own limit must do. */
  #megabytes(): number {
    try {
      const pages = Number(readFileSync(`/proc/${this.#process.pid}/statm`, 'utf8').split(' ')[1]);
      return (pages * 4096) / 2 ** 20;
    } catch {
      return 0;
    }
  }

  /** What its main thread has worked so far: on a busy machine a file must not fail for the others' sake. */
  #cpuSeconds(): number | null {
    try {
      const { pid } = this.#process;
      const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      // utime and stime, in hundredths of a second on every Linux Node runs on.
      return (Number(fields[11]) + Number(fields[12])) / 100;
    } catch {
      return null;
    }
  }

  #tooMuchMemory(): string {
    return `needs more than the ${this.limits.memory_megabytes} MB of memory a file may take to parse`;
  }

  #obituary(code: number | null, signal: string | null): StrataError {
    if (/heap out of memory|Array buffer allocation failed/.test(this.#stderr)) {
      return new StrataError('LIMIT', this.#tooMuchMemory());
    }
    // The system's own answer to too much memory.
    if (signal === 'SIGKILL')
      return new StrataError('LIMIT', 'its parser was killed by the system, probably for memory');
    return new StrataError(
      'CORRUPT',
      `its parser crashed (${signal ?? `exit code ${code}`}): the file is damaged or hostile`,
    );
  }
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
