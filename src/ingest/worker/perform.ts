import type { Tree } from '../../model/tree.js';
import { parseDocument } from '../../parse/parse.js';
import type { ParseInput } from '../../parse/parser.js';
import { type DocumentLimits, within } from '../prepare/limits.js';
import { structureOrText } from '../prepare/parse-fallback.js';
import { type PrepareRequest, prepare } from '../prepare/prepare.js';
import { fromDisk, type Incoming, skipReason } from '../prepare/read.js';
import { performTable } from '../tables/table-job.js';
import type { DocumentJob, Job, JobResult, PackerOf } from './job.js';

/** Takes a part of a packed document; resolves when there is room for the next. */
export type Send = (part: Uint8Array) => Promise<void> | void;

/** Does a job, in whichever process this is. What is sent belongs into `write.parts` of the result. */
export async function perform(job: Job, packerOf: PackerOf, send: Send): Promise<JobResult> {
  if (job.kind === 'tree') return job.orText ? structureOrText(job.input) : parseDocument(job.input);
  if (job.kind === 'table') return performTable(job);
  if (job.kind === 'picture') {
    const { pagePicture } = await import('../../parse/pdf/picture.js');
    return pagePicture(job.request);
  }
  const read = await readTree(job);
  if ('skipped' in read) return read;
  const { limits, driver } = job;
  const { write, warnings } = prepare(read.tree, read.request, limits);
  const pack = await packerOf(driver);
  const packed = await pack(write, limitedTo(limits, send));
  within(packed.size, limits.written, 'bytes in the library');
  return { write: { ...packed, parts: [] }, warnings };
}

/** A function of its own, so that the file's bytes are gone when the rest is made. */
async function readTree(
  job: DocumentJob,
): Promise<{ tree: Tree; request: PrepareRequest } | { skipped: string }> {
  const { from, request } = job;
  const got = 'bytes' in from ? from : await fromDisk(from);
  const skipped = skipReason(got);
  if (skipped !== null) return { skipped };
  const { facts, updated_at, name } = got;
  const metadata = { ...facts, ...request.metadata };
  return {
    tree: await structureOrText(inputOf(got, job)),
    request: { ...request, name, updated_at, metadata },
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
