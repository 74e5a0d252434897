import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, StrataError } from '../model/errors.js';
import { type Prepared, type PrepareRequest, prepare } from './prepare.js';

/** Documents prepared off the main thread, which goes on reading and committing meanwhile. */
export interface PreparePool {
  /** How many can be under way at once. */
  readonly size: number;
  prepare(bytes: Uint8Array, request: PrepareRequest): Promise<Prepared>;
  close(): Promise<void>;
}

/** More threads than this wait for the one that commits. */
const MOST_WORKERS = 4;
/** Below this many documents, starting threads takes longer than they save. */
const WORTH_THREADS = 12;

/** Workers run the built program; where there is none (tests on the sources), the calling thread does it. */
const WORKER = fileURLToPath(new URL('./prepare-worker.js', import.meta.url));

export function preparePool(documents: number, workers?: number): PreparePool {
  const wanted = workers ?? (documents < WORTH_THREADS ? 0 : Math.min(availableParallelism(), MOST_WORKERS));
  return wanted === 0 || !existsSync(WORKER) ? inline : new Threads(wanted);
}

const inline: PreparePool = {
  size: 1,
  prepare: (bytes, request) => prepare(bytes, request),
  close: async () => {},
};

export interface PrepareJob {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly request: PrepareRequest;
}

export type PrepareReply =
  | { readonly id: number; readonly prepared: Prepared }
  /** Errors lose their class between threads: the code says what they were. */
  | { readonly id: number; readonly code: ErrorCode | null; readonly message: string };

interface Waiting {
  readonly job: PrepareJob;
  readonly resolve: (prepared: Prepared) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  current: Waiting | null;
}

class Threads implements PreparePool {
  readonly size: number;
  readonly #threads: Thread[] = [];
  readonly #queue: Waiting[] = [];
  #nextId = 0;
  #closed = false;

  constructor(size: number) {
    this.size = size;
    for (let at = 0; at < size; at++) this.#start();
  }

  prepare(bytes: Uint8Array, request: PrepareRequest): Promise<Prepared> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job: { id: this.#nextId++, bytes: ownBuffer(bytes), request }, resolve, reject });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(): void {
    const thread: Thread = { worker: new Worker(WORKER), current: null };
    thread.worker.on('message', (reply: PrepareReply) => this.#finish(thread, reply));
    // A thread that dies (out of memory on one document) fails that document alone; another takes its place.
    thread.worker.on('error', (error: Error) => this.#replace(thread, error));
    this.#threads.push(thread);
  }

  #assign(): void {
    for (const thread of this.#threads) {
      if (thread.current !== null) continue;
      const next = this.#queue.shift();
      if (!next) return;
      thread.current = next;
      thread.worker.postMessage(next.job, [next.job.bytes.buffer as ArrayBuffer]);
    }
  }

  #finish(thread: Thread, reply: PrepareReply): void {
    const waiting = thread.current;
    thread.current = null;
    if ('prepared' in reply) waiting?.resolve(reply.prepared);
    else waiting?.reject(reply.code ? new StrataError(reply.code, reply.message) : new Error(reply.message));
    this.#assign();
  }

  #replace(thread: Thread, error: Error): void {
    const waiting = thread.current;
    thread.current = null;
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    waiting?.reject(new StrataError('LIMIT', `could not be parsed: ${error.message}`, { cause: error }));
    if (this.#closed) return;
    this.#start();
    this.#assign();
  }
}

/** A view into Node's shared pool must not be handed over: other buffers live there. */
const ownBuffer = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
