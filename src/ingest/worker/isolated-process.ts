import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StrataError } from '../../model/errors.js';
import { type IsolatedJob, type IsolatedReply, type IsolatedResult, sizeOf } from './isolated-job.js';

export interface FileLimits {
  /** How long one file may take: so many seconds, and so many more a megabyte, at most `most_seconds`. */
  readonly seconds: number;
  readonly seconds_per_megabyte: number;
  readonly most_seconds: number;
  /** What its process may occupy. */
  readonly memory_megabytes: number;
}

// A process that has grown beyond this while at work is not kept: WebAssembly's memory never shrinks.
const KEEP_MEGABYTES = 768;
const IDLE_MILLISECONDS = 15_000;
const POLL_MILLISECONDS = 100;
// Time counts while the process works; one that waits for its turn gets this many times as long.
const PATIENCE = 4;

/**
 * Each process compiles the parsers anew, on threads that take the cores from other processes' work. With a third of
 * V8's usual inlining, 2,000 mixed files cost 2 s less of that and the parsers run no slower (2026-11).
 */
const FLAGS = ['--max-inlined-bytecode-size-cumulative=300', '--expose-gc'];

/** Given instead of a result to jobs that waited behind the one that ended the process: they may try another. */
export const BEREAVED = Symbol('bereaved');

interface Waiting {
  readonly job: IsolatedJob;
  readonly resolve: (result: IsolatedResult | typeof BEREAVED) => void;
  readonly reject: (error: StrataError) => void;
}

/** One process that parses: jobs wait in it in the order they came; limits hold for the one at hand. */
export class IsolatedProcess {
  limits: FileLimits;
  readonly #process: ChildProcess;
  readonly #jobs: Waiting[] = [];
  /** What the job at hand has sent of its document so far. */
  readonly #ahead: Uint8Array[] = [];
  #gone = false;
  #stderr = '';
  #rest: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  /** When the job at hand began: by the clock, and by what the process had worked until then. */
  #started = 0;
  #before: number | null = null;
  /** Why we killed it, if we did. */
  #reason: StrataError | undefined;

  constructor(program: string, limits: FileLimits) {
    this.limits = limits;
    this.#process = fork(program, [], {
      serialization: 'advanced',
      // What starts this program (a test runner, a debugger) is not meant for the child.
      execArgv: [`--max-old-space-size=${limits.memory_megabytes}`, ...FLAGS],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    this.#process.stderr?.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('utf8')).slice(-4096);
    });
    this.#process.on('message', (reply: IsolatedReply) => this.#answer(reply));
    this.#process.once('exit', (code, signal) => this.#end(this.#reason ?? this.#obituary(code, signal)));
    this.#process.on('error', (error) => this.#unreachable(error));
  }

  /** How many jobs it has, the one at hand included. */
  get jobs(): number {
    return this.#jobs.length;
  }

  run(job: IsolatedJob): Promise<IsolatedResult | typeof BEREAVED> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ job, resolve, reject });
      if (this.#jobs.length === 1) this.#begin();
      this.#process.send(job, (error) => error && this.#unreachable(error));
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

  #begin(): void {
    this.#started = Date.now();
    this.#before = this.#cpuSeconds();
    this.#poll ??= setInterval(() => this.#watch(), POLL_MILLISECONDS);
  }

  #watch(): void {
    const megabytes = sizeOf(this.#jobs[0]!.job) / 2 ** 20;
    const { limits } = this;
    const seconds = Math.min(limits.most_seconds, limits.seconds + limits.seconds_per_megabyte * megabytes);
    const wall = (Date.now() - this.#started) / 1000;
    const spent = this.#before === null ? wall : (this.#cpuSeconds() ?? wall) - this.#before;
    if (spent > seconds || wall > PATIENCE * seconds) {
      this.#stop(`took longer than the ${Math.round(seconds)} s a file of this size may take to parse`);
    } else if (this.#megabytes() > limits.memory_megabytes) this.#stop(this.#tooMuchMemory());
  }

  #stop(message: string): void {
    this.#reason ??= new StrataError('LIMIT', message);
    this.kill();
  }

  #answer(reply: IsolatedReply): void {
    if ('ahead' in reply) {
      this.#ahead.push(reply.ahead);
      return;
    }
    const ahead = this.#ahead.splice(0);
    const job = this.#jobs.shift();
    if (this.#jobs.length > 0) this.#begin();
    else this.#stopWatching();
    if ('result' in reply) job?.resolve(ahead.length > 0 ? withAhead(reply.result, ahead) : reply.result);
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
    atHand?.reject(reason);
    for (const other of others) other.resolve(BEREAVED);
  }

  #stopWatching(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
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

/** Only a document that was packed is sent in parts. */
export function withAhead(result: IsolatedResult, ahead: readonly Uint8Array[]): IsolatedResult {
  if (!('change' in result)) return result;
  const packed = result.change.packed?.map((write) => ({ ...write, ahead }));
  return { ...result, change: { ...result.change, ...(packed && { packed }) } };
}
