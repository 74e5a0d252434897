import { availableParallelism } from 'node:os';
import type { ChunkSettings } from '../../chunk/settings.js';
import type { Tree } from '../../model/tree.js';
import { formatOf, PARSERS } from '../../parse/parse.js';
import type { ParseInput } from '../../parse/parser.js';
import type { PagePicture, PictureRequest } from '../../parse/pdf/picture.js';
import { ByteSemaphore } from '../schedule/byte-semaphore.js';
import type { TableJob, TableResult } from '../tables/table-job.js';
import {
  type DocumentJob,
  type Job,
  type JobResult,
  type OcrSetup,
  type PackerOf,
  type PreparedDocument,
  type SkippedFile,
  sizeOf,
  type UnreadFile,
} from '../worker/job.js';
import { perform } from '../worker/perform.js';
import { type JobWatch, withParts } from '../worker/worker-process.js';
import { hasWorkers, WorkerQueue } from '../worker/worker-queue.js';
import type { CutText } from './cut-text.js';
import { documentLimits, ocrLimits } from './limits.js';
import { type FileToRead, fromDisk, type Incoming } from './read.js';

/** A text this small is prepared within a few hundredths of a second, whatever is in it. */
const SMALL = 64 * 1024;
/** Below this many documents, starting a process takes longer than it saves. */
const WORTH_A_PROCESS = 12;
/** More processes than this wait for the one that commits. */
const MOST_WORKERS = 4;
/** A commit takes half a second, as a hundred small documents do. */
const AHEAD = 128;

export interface PoolOptions {
  readonly packerOf: PackerOf;
  /** For servers: nothing is parsed in this process, and limits are tight. */
  readonly guarded: boolean;
  /** How many documents there will be. */
  readonly documents: number;
  /** How many processes; 0 for none where a document is not dangerous. */
  readonly workers?: number | undefined;
}

/** Prepares documents, here or in worker processes while this one goes on reading and committing. */
export class PreparePool {
  /** How many documents can be under way at once. */
  readonly size: number;
  /** How many documents a worker should be given at once, so that it need not wait while this process commits. */
  readonly ahead: number;
  readonly #packerOf: PackerOf;
  readonly #guarded: boolean;
  /** Whether small documents are prepared in this process. */
  readonly #mayStay: boolean;
  readonly #queues: readonly WorkerQueue[];

  constructor({ packerOf, guarded, documents, workers }: PoolOptions) {
    const few = workers === 0 || (workers === undefined && documents < WORTH_A_PROCESS);
    this.size = Math.max(1, workers ?? Math.min(availableParallelism(), MOST_WORKERS));
    // A single worker has one document at a time, and the next is read meanwhile.
    this.ahead = this.size === 1 || few ? 2 : AHEAD;
    this.#packerOf = packerOf;
    this.#guarded = guarded;
    this.#mayStay = few && !guarded;
    this.#queues = Array.from({ length: this.size }, () => new WorkerQueue(few ? 1 : this.ahead));
  }

  /** By the worker of this number, unless it is done here. */
  async prepare(
    worker: number,
    asked: Omit<DocumentJob, 'kind' | 'limits' | 'ocr'>,
  ): Promise<PreparedDocument | SkippedFile | UnreadFile> {
    const from = this.#mayStay && sizeOf(asked.from) <= SMALL ? await read(asked.from) : asked.from;
    const isHere = this.#mayStay && 'bytes' in from && isHarmless({ ...from, format: asked.format });
    const limits = documentLimits(sizeOf(from), this.#guarded);
    const job: DocumentJob = { kind: 'document', ...asked, from, limits };
    const work = (): Promise<JobResult> =>
      isHere || !hasWorkers() ? runHere(job, this.#packerOf) : this.#queues[worker]!.run(job);
    return (await (this.#guarded ? inTurn(work) : work())) as PreparedDocument | SkippedFile | UnreadFile;
  }

  close(): void {
    for (const queue of this.#queues) queue.release();
  }
}

/** One document after the other, their pictures read. A process of its own: no other job has such limits. */
export class ReadingQueue {
  readonly #queue = new WorkerQueue();

  async prepare(asked: Omit<DocumentJob, 'kind' | 'limits'>, watch: JobWatch): Promise<PreparedDocument> {
    const job: DocumentJob = { kind: 'document', ...asked, limits: ocrLimits(sizeOf(asked.from)) };
    return (await this.#queue.run(job, watch)) as PreparedDocument;
  }

  close(): void {
    this.#queue.release();
  }
}

/** A file's structure for whoever wants to look at it, here or in a worker. */
export async function parseTree(
  input: Omit<ParseInput, 'limits' | 'ocr'>,
  { guarded = false, orText = false, ocr }: { guarded?: boolean; orText?: boolean; ocr?: OcrSetup } = {},
): Promise<Tree> {
  const limits = ocr ? ocrLimits(input.bytes.byteLength) : documentLimits(input.bytes.byteLength, guarded);
  const asked = { ...input, limits: limits.parse };
  const job: Job = { kind: 'tree', input: asked, orText, limits, ...(ocr && { ocr }) };
  return (await runAlone(job, !guarded && isHarmless(input))) as Tree;
}

/** A caller's text and where it would be cut, in a worker: see `guarded` in `PoolOptions`. */
export async function cutInWorker(
  input: Pick<ParseInput, 'bytes' | 'name'>,
  settings: ChunkSettings,
): Promise<CutText> {
  const limits = documentLimits(input.bytes.byteLength, true);
  const job: Job = { kind: 'cut', input: { ...input, limits: limits.parse }, settings, limits };
  return (await runAlone(job)) as CutText;
}

/** A table's JSON, looked at here or in a worker. `bytes` is how large it is, `guarded` as in `PoolOptions`. */
export async function runTableJob(
  job: Omit<TableJob, 'kind' | 'limits'>,
  bytes: number,
  guarded: boolean,
): Promise<TableResult> {
  // What a table may take depends on its size alone: whoever may write one may make it large.
  const whole: TableJob = { kind: 'table', ...job, limits: documentLimits(bytes, false) };
  return (await runAlone(whole, !guarded && bytes <= SMALL)) as TableResult;
}

/** A page of a PDF as a picture, made in a worker: PDFium reads what may be hostile. */
export async function pagePicture(request: PictureRequest): Promise<PagePicture> {
  const limits = documentLimits(request.bytes.byteLength, true);
  const job: Job = { kind: 'picture', request, limits };
  return (await runAlone(job)) as PagePicture;
}

/** Jobs of a crowd of callers wait for each other: as many processes as callers would leave no core for answers. */
const crowd = new ByteSemaphore(() => Math.min(availableParallelism(), MOST_WORKERS));

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  await crowd.enter();
  try {
    return await work();
  } finally {
    crowd.leave();
  }
}

/** One job, in a worker unless it may be done here. */
async function runAlone(job: Job, isHere = false): Promise<JobResult> {
  if (isHere || !hasWorkers()) return runHere(job, noPacker);
  const queue = new WorkerQueue();
  return inTurn(() => queue.run(job)).finally(() => queue.release());
}

/** Small, and of a format whose parser is not prone to hostile input. Only content tells the format. */
function isHarmless({
  bytes,
  name,
  format = formatOf({ bytes, name }),
}: Pick<ParseInput, 'bytes' | 'name'> & { readonly format?: string | undefined }): boolean {
  if (bytes.byteLength > SMALL) return false;
  return !PARSERS.some((parser) => parser.format === format && parser.isolated === true);
}

const read = async (from: FileToRead | Incoming): Promise<Incoming> =>
  'bytes' in from ? from : fromDisk(from);

async function runHere(job: Job, packerOf: PackerOf): Promise<JobResult> {
  const parts: Uint8Array[] = [];
  return withParts(await perform(job, packerOf, (part) => void parts.push(part)), parts);
}

const noPacker: PackerOf = () => Promise.reject(new Error('a tree is not packed'));
