import { Worker } from 'node:worker_threads';
import { type ErrorCode, reasonOf, StrataError } from '../../model/errors.js';
import type { OnnxModel } from '../models/model-folder.js';

export interface WorkerSetup {
  /** The module that runs models. */
  readonly runtime: string;
  readonly models: readonly OnnxModel[];
  /** Passages run in the background and give way; a query does not. */
  readonly background: boolean;
}
export type ToWorker =
  | (PartText & { readonly kind: 'embed'; readonly id: number })
  | { readonly kind: 'close' };
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'vector'; readonly id: number; readonly vector: Float32Array }
  | { readonly kind: 'error'; readonly id: number; readonly code: ErrorCode; readonly message: string };

/** A text, and which of the models is to read it. */
export interface PartText {
  readonly part: number;
  readonly text: string;
  /** Of a cross-encoder: the passage that it reads behind the text. Its vector is one number, the score. */
  readonly pair?: string;
}

interface Job extends PartText {
  resolve(vector: Float32Array): void;
  reject(error: Error): void;
}

interface Seat {
  readonly worker: Worker;
  /** Given to the worker and not yet answered. */
  readonly running: Map<number, Job>;
  readonly ready: Promise<void>;
  readonly gone: Promise<void>;
}

/** One text runs, one waits beside it: a worker never idles while the main thread is busy, and little is lost if it dies. */
const DEPTH = 2;

/** Compiled workers live in dist; under vitest this module itself is run from src. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith('.ts')
    ? import.meta.url.replace(/\/src\/embed\/local\/[^/]+$/, '/dist/embed/local/worker.js')
    : './worker.js',
  import.meta.url,
);

/** Worker threads that run ONNX models, fed from one queue. They start when work comes and keep no process alive. */
export class WorkerPool {
  readonly #seats = new Set<Seat>();
  #queue: Job[] = [];
  #nextId = 0;
  #closed = false;

  readonly #setup: WorkerSetup;
  readonly #size: number;

  constructor(setup: WorkerSetup, size: number) {
    this.#setup = setup;
    this.#size = size;
  }

  /** Resolves when a worker has loaded the runtime; EMBEDDER_UNAVAILABLE with the reason when it cannot. */
  async start(): Promise<void> {
    const [first] = this.#seats;
    await (first ?? this.#open()).ready;
  }

  /** One vector a text, in order. Cancelling drops what no worker has begun. */
  run(texts: readonly PartText[], signal?: AbortSignal): Promise<Float32Array[]> {
    if (this.#closed)
      return Promise.reject(new StrataError('EMBEDDER_UNAVAILABLE', 'The embedder was closed.'));
    if (signal?.aborted) return Promise.reject(aborted());
    const jobs: Job[] = [];
    const vectors = texts.map(
      (text) => new Promise<Float32Array>((resolve, reject) => jobs.push({ ...text, resolve, reject })),
    );
    const abort = (): void => {
      const dropped = new Set(jobs);
      this.#queue = this.#queue.filter((job) => !dropped.has(job));
      for (const job of jobs) job.reject(aborted());
    };
    signal?.addEventListener('abort', abort, { once: true });
    for (const job of jobs) this.#queue.push(job);
    this.#feed();
    return Promise.all(vectors).finally(() => signal?.removeEventListener('abort', abort));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = new StrataError('ABORTED', 'The embedder was closed.');
    for (const job of this.#queue.splice(0)) job.reject(error);
    await Promise.all(
      [...this.#seats].map(async (seat) => {
        for (const job of seat.running.values()) job.reject(error);
        seat.worker.postMessage({ kind: 'close' } satisfies ToWorker);
        seat.worker.ref();
        await seat.gone;
      }),
    );
  }

  #feed(): void {
    while (this.#queue.length > 0) {
      const seat = this.#freeSeat();
      if (seat === undefined) return;
      const job = this.#queue.shift()!;
      const id = this.#nextId++;
      seat.running.set(id, job);
      seat.worker.ref();
      const { part, text, pair } = job;
      const asked = { part, text, ...(pair === undefined ? {} : { pair }) };
      seat.worker.postMessage({ kind: 'embed', id, ...asked } satisfies ToWorker);
    }
  }

  #freeSeat(): Seat | undefined {
    const [least] = [...this.#seats].sort((a, b) => a.running.size - b.running.size);
    if (least !== undefined && least.running.size === 0) return least;
    if (this.#seats.size < this.#size) return this.#open();
    return least !== undefined && least.running.size < DEPTH ? least : undefined;
  }

  #open(): Seat {
    // The runtime reports to its makers unless it is told not to. Told here, for a worker's own environment is a copy
    // that native code does not see.
    process.env.ORT_DISABLE_TELEMETRY = '1';
    // The options of the program around it (`node -e`, a test runner's loaders) are not for it.
    const worker = new Worker(WORKER_FILE, {
      workerData: this.#setup,
      execArgv: [],
      stdout: false,
      stderr: false,
    });
    worker.unref();
    const running = new Map<number, Job>();
    let isReady: () => void = () => {};
    let isBroken: (error: Error) => void = () => {};
    const ready = new Promise<void>((resolve, reject) => {
      isReady = resolve;
      isBroken = reject;
    });
    ready.catch(() => {});
    const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const seat: Seat = { worker, running, ready, gone };
    this.#seats.add(seat);
    const lose = (error: StrataError): void => {
      this.#seats.delete(seat);
      isBroken(error);
      for (const job of running.values()) job.reject(error);
      running.clear();
    };
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') return isReady();
      if (message.kind === 'unavailable') {
        lose(unavailable(message.message));
        // It has loaded nothing that must be let go of, and would keep the process waiting.
        void worker.terminate();
        return;
      }
      const job = running.get(message.id);
      running.delete(message.id);
      if (message.kind === 'vector') job?.resolve(message.vector);
      else job?.reject(new StrataError(message.code, message.message));
      if (running.size === 0 && !this.#closed) worker.unref();
      this.#feed();
    });
    worker.on('error', (error) => lose(failed(`stopped: ${reasonOf(error)}`)));
    worker.on('exit', (code) => lose(failed(`ended with code ${code}`)));
    return seat;
  }
}

const aborted = (): StrataError => new StrataError('ABORTED', 'Embedding was cancelled.');
const failed = (what: string): StrataError =>
  new StrataError('EMBEDDER_FAILED', `The embedding worker ${what}.`);
/** The cause of an error that another build of the runtime may not have. */
export const RUNTIME_UNLOADABLE = 'the runtime cannot be loaded';
const unavailable = (reason: string): StrataError =>
  new StrataError('EMBEDDER_UNAVAILABLE', `ONNX Runtime cannot be loaded here (${reason}).`, {
    cause: RUNTIME_UNLOADABLE,
  });
