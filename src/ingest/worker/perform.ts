import { StrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { parseDocument } from '../../parse/parse.js';
import { NeedsOcrError, type OcrReader, type ParseInput } from '../../parse/parser.js';
import { type DocumentLimits, within } from '../prepare/limits.js';
import { structureOrText } from '../prepare/parse-fallback.js';
import { type PrepareRequest, prepare } from '../prepare/prepare.js';
import { fromDisk, type Incoming, skipReason } from '../prepare/read.js';
import { performTable } from '../tables/table-job.js';
import type {
  DocumentJob,
  Job,
  JobResult,
  OcrSetup,
  PackerOf,
  ReaderOf,
  SkippedFile,
  UnreadFile,
} from './job.js';

/** Takes a part of a packed document; resolves when there is room for the next. */
export type Send = (part: Uint8Array) => Promise<void> | void;

/** Does a job, in whichever process this is. What is sent belongs into `write.parts` of the result. */
export async function perform(
  job: Job,
  packerOf: PackerOf,
  send: Send,
  reading: Reading = {},
): Promise<JobResult> {
  if (job.kind === 'table') return performTable(job);
  if (job.kind === 'picture') {
    const { pagePicture } = await import('../../parse/pdf/picture.js');
    return pagePicture(job.request);
  }
  if (job.kind === 'cut') {
    const { cutText } = await import('../prepare/cut-text.js');
    return cutText(await structureOrText(job.input), job.input.name, job.settings);
  }
  const ocr = job.ocr && (await countedReader(job.ocr, reading));
  if (job.kind === 'tree') {
    const input = { ...job.input, ...(ocr && { ocr }) };
    return job.orText ? structureOrText(input) : parseDocument(input);
  }
  const read = await readTree(job, ocr);
  if (!('tree' in read)) return read;
  const { limits, driver } = job;
  const { write, warnings } = prepare(read.tree, read.request, limits);
  const pack = await packerOf(driver);
  const packed = await pack(write, limitedTo(limits, send));
  within(packed.size, limits.written, 'bytes in the library');
  const unread = read.tree.unread_pages?.length ?? 0;
  return { write: { ...packed, parts: [] }, warnings, ...(unread > 0 && { unread_pages: unread }) };
}

/** A function of its own, so that the file's bytes are gone when the rest is made. */
async function readTree(
  job: DocumentJob,
  ocr: OcrReader | undefined,
): Promise<{ tree: Tree; request: PrepareRequest } | SkippedFile | UnreadFile> {
  const { from, request } = job;
  const got = 'bytes' in from ? from : await fromDisk(from);
  const skipped = skipReason(got);
  if (skipped !== null) return { skipped };
  const { facts, updated_at, name } = got;
  const metadata = { ...facts, ...request.metadata };
  try {
    const tree = await structureOrText({ ...inputOf(got, job), ...(ocr && { ocr }) });
    return { tree, request: { ...request, name, updated_at, metadata } };
  } catch (error) {
    if (error instanceof NeedsOcrError) return { needs_ocr: error.pages, reason: error.message };
    throw error;
  }
}

/** What reads pictures in this process, and who is told of every page. */
export interface Reading {
  readonly readerOf?: ReaderOf;
  readonly onPage?: (page: number) => void;
}

async function countedReader(setup: OcrSetup, { readerOf, onPage }: Reading): Promise<OcrReader> {
  if (readerOf === undefined) throw new StrataError('INTERNAL', 'pictures are read by worker processes only');
  const reader = await readerOf(setup);
  let pages = 0;
  return {
    ...reader,
    read: async (picture) => {
      const read = await reader.read(picture);
      onPage?.(++pages);
      return read;
    },
  };
}

function inputOf(
  { bytes, name, url, charset }: Incoming,
  { password, format, limits }: DocumentJob,
): ParseInput {
  return {
    bytes,
    name,
    limits: limits.parse,
    ...(url !== undefined && { url }),
    ...(charset !== undefined && { charset }),
    ...(password !== undefined && { password }),
    ...(format !== undefined && { format }),
  };
}

/** Stops a document that grows beyond its limit while it is packed. */
function limitedTo({ written }: DocumentLimits, send: Send): Send {
  let bytes = 0;
  return (part) => {
    bytes += part.byteLength;
    within(bytes, written, 'bytes in the library');
    return send(part);
  };
}
