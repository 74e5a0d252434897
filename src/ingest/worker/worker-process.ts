import { type ChildProcess, fork } from 'node:child_process';
import { StrataError } from '../../model/errors.js';
import { SMALL_MEMORY } from '../prepare/limits.js';
import type { Job, JobResult, Reply } from './job.js';
import { cpuSeconds, residentMegabytes } from './process-usage.js';

const IDLE_MILLISECONDS = 15_000;
/** A process that waits for work may occupy this: the parsers, and a small document's leavings. */
const IDLE_MEGABYTES = 160;
/** A process may take some hundred megabytes more in a tenth of a second: it is looked at often. */
const POLL_MILLISECONDS = 25;
/** Time counts while the process works; one that waits for a processor gets this many times as long. */
const WAITING_FACTOR = 10;
/** Of what a process may occupy, the share of JavaScript's own heap; the rest is for buffers and WebAssembly. */
const HEAP_SHARE = 0.75;
/**
 * A process that has grown beyond this share is not used again: WebAssembly's memory never shrinks. Not much less, since
 * V8 collects only when its share is full, and a new process compiles all parsers again.
 */
const REUSE_SHARE = 0.9;
/** What a process occupies before its first document. */
const FRESH_MEGABYTES = 60;

/**
 * Each process compiles the parsers anew, on threads that take the cores from other processes' work. With a third of
 * V8's usual inlining, 2,000 mixed files cost 2 s less of that and the parsers run no slower (2026-11).
 */
const FLAGS = ['--max-inlined-bytecode-size-cumulative=300'];

/**
 * Given instead of a result to jobs that another process can do: those that waited behind the one that ended theirs, and
 * one for which there was no memory left after others.
 */
export const NOT_STARTED = Symbol('not started');

/** How a caller follows a job while it runs, or ends it. */
export interface JobWatch {
  /** Ends the process, and with it the job: for long ones, whose parts are kept elsewhere. */
  readonly signal?: AbortSignal | undefined;
  /** How many pages have been read by OCR so far. */
  readonly onPage?: ((page: number) => void) | undefined;
}

interface Waiting extends JobWatch {
  readonly job: Job;
  readonly resolve: (result: JobResult | typeof NOT_STARTED) => void;
  readonly reject: (error: StrataError) => void;
}

/** One worker process: jobs wait in it in the order they came; limits hold for the one at hand. */
export class WorkerProcess {
  /** What it may occupy, in megabytes. */
  readonly memory: number;
  readonly #process: ChildProcess;
  readonly #jobs: Waiting[] = [];
  /** What the job at hand has sent of its document so far. */
  readonly #parts: Uint8Array[] = [];
  #gone = false;
  /** How many jobs it has done. */
  #done = 0;
  #stderr = '';
  #rest: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  /** When the job at hand began: by the clock, and by what the process had worked until then. */
  #started = 0;
  #before: number | null = null;
  /** What it may occupy meanwhile: what earlier documents have left behind is not this one's. */
  #most = 0;
  /** Why we killed it, if we did. */
  #reason: StrataError | undefined;

  constructor(program: string, memory: number) {
    this.memory = memory;
    this.#process = fork(program, [], {
      serialization: 'advanced',
      // What starts this program (a test runner, a debugger) is not meant for the child.
      execArgv: [`--max-old-space-size=${Math.round(memory * HEAP_SHARE)}`, ...FLAGS],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    this.#process.stderr?.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('utf8')).slice(-4096);
    });
    this.#process.on('message', (reply: Reply) => this.#answer(reply));
    this.#process.once('exit', (code, signal) => this.#end(this.#reason ?? this.#exitError(code, signal)));
    this.#process.on('error', (error) => this.#unreachable(error));
  }

  /** How many jobs it has, the one at hand included. */
  get jobs(): number {
    return this.#jobs.length;
  }

  run(job: Job, { signal, onPage }: JobWatch = {}): Promise<JobResult | typeof NOT_STARTED> {
    const stop = (): void => {
      this.#reason ??= new StrataError('ABORTED', 'reading it was cancelled');
      this.kill();
    };
    signal?.addEventListener('abort', stop, { once: true });
    return new Promise<JobResult | typeof NOT_STARTED>((resolve, reject) => {
      this.#jobs.push({ job, resolve, reject, onPage });
      if (this.#jobs.length === 1) this.#begin();
      this.#process.send(job, (error) => error && this.#unreachable(error));
    }).finally(() => signal?.removeEventListener('abort', stop));
  }

  isReusable(): boolean {
    const used = residentMegabytes(this.#process.pid);
    return !this.#gone && this.#process.connected && used < this.memory * REUSE_SHARE;
  }

  /** One that has grown, or may, ends with its file: its memory is better given back. */
  isWorthKeeping(): boolean {
    const used = residentMegabytes(this.#process.pid);
    return this.memory <= SMALL_MEMORY * 2 && used < IDLE_MEGABYTES && this.isReusable();
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

  wake(): void {
    clearTimeout(this.#rest);
    this.#process.ref();
    this.#process.channel?.ref();
  }

  kill(): void {
    if (!this.#gone) this.#process.kill('SIGKILL');
  }

  #begin(): void {
    this.#started = Date.now();
    this.#before = cpuSeconds(this.#process.pid);
    this.#most = this.memory + Math.max(0, residentMegabytes(this.#process.pid) - FRESH_MEGABYTES);
    this.#poll ??= setInterval(() => this.#watch(), POLL_MILLISECONDS);
  }

  #watch(): void {
    const { seconds } = this.#jobs[0]!.job.limits;
    const { pid } = this.#process;
    const wall = (Date.now() - this.#started) / 1000;
    const spent = this.#before === null ? wall : (cpuSeconds(pid) ?? wall) - this.#before;
    if (spent > seconds || wall > WAITING_FACTOR * seconds) {
      this.#stop(`took longer than the ${Math.round(seconds)} s a file of this size may take to parse`);
    } else if (residentMegabytes(pid) > this.#most) this.#stop(this.#tooMuchMemory());
  }

  #stop(message: string): void {
    this.#reason ??= new StrataError('LIMIT', message);
    this.kill();
  }

  #answer(reply: Reply): void {
    if ('part' in reply) {
      this.#parts.push(reply.part);
      return;
    }
    if ('page' in reply) {
      // A page has its own time: a thick book is no reason to end it.
      this.#begin();
      this.#jobs[0]?.onPage?.(reply.page);
      return;
    }
    const parts = this.#parts.splice(0);
    const job = this.#jobs.shift();
    this.#done++;
    if (this.#jobs.length > 0) this.#begin();
    else this.#stopWatching();
    if ('result' in reply) job?.resolve(withParts(reply.result, parts));
    else job?.reject(new StrataError(reply.code, reply.message));
  }

  #unreachable(error: Error): void {
    const message = `could not be handed to a process of its own: ${error.message}`;
    this.#reason ??= new StrataError('INTERNAL', message, { cause: error });
    this.kill();
    if (this.#process.pid === undefined) this.#end(this.#reason);
  }

  #end(reason: StrataError): void {
    this.#gone = true;
    this.#stopWatching();
    const [atHand, ...others] = this.#jobs.splice(0);
    // What earlier documents have left behind is not this one's fault.
    if (this.#done > 0 && reason.message === this.#tooMuchMemory()) atHand?.resolve(NOT_STARTED);
    else atHand?.reject(reason);
    for (const other of others) other.resolve(NOT_STARTED);
  }

  #stopWatching(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }

  #tooMuchMemory(): string {
    return `needs more than the ${this.memory} MB of memory a file of this size may take to parse`;
  }

  #exitError(code: number | null, signal: string | null): StrataError {
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

/** What was sent before the result belongs to it. */
export const withParts = (result: JobResult, parts: readonly Uint8Array[]): JobResult =>
  'write' in result && parts.length > 0
    ? { ...result, write: { ...result.write, parts: [...parts, ...result.write.parts] } }
    : result;
