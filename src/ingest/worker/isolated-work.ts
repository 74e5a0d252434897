import { packerOf } from '../../engine/drivers.js';
import { reasonOf } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { collect } from '../../parse/collect.js';
import { parseDocument } from '../../parse/parse.js';
import { fromDisk, skipReason } from '../from-disk.js';
import { type PreparedChange, type PrepareRequest, prepareTree, streamTree, treeOf } from '../prepare.js';
import { asReply } from './isolate.js';
import type {
  FileJob,
  IsolatedJob,
  IsolatedReply,
  IsolatedResult,
  SkippedFile,
  UnsteadyFile,
} from './isolated-job.js';
import { isSteady } from './steady.js';

/** Takes a part of a packed document before the rest; resolves when it is on its way. */
export type SendAhead = (ahead: Uint8Array) => Promise<void>;

/** What processes and threads do that parse (see isolate.ts). */
export async function replyTo(job: IsolatedJob, sendAhead: SendAhead): Promise<IsolatedReply> {
  try {
    return { result: await resultOf(job, sendAhead) };
  } catch (error) {
    return asReply(error, reasonOf(error));
  }
}

async function resultOf(job: IsolatedJob, sendAhead: SendAhead): Promise<IsolatedResult> {
  if (job.kind === 'parse') return parseDocument(job.input);
  if (job.kind === 'prepare')
    return prepareChange(await treeOf(job.input.bytes, job.request), job.request, sendAhead);
  const read = await readTree(job);
  return 'tree' in read ? prepareChange(read.tree, read.request, sendAhead) : read;
}

interface ReadFile {
  readonly tree: Tree;
  /** With what reading told. */
  readonly request: PrepareRequest;
}

/** By itself, so that the file's bytes are gone when the rest is made. */
async function readTree({
  file,
  request,
  onlySteady = false,
}: FileJob): Promise<ReadFile | SkippedFile | UnsteadyFile> {
  const { bytes, facts, updated_at } = await fromDisk(file);
  const skipped = skipReason(file, bytes);
  if (skipped !== null) return { skipped };
  if (onlySteady && !isSteady({ bytes, name: file.name })) return { unsteady: true };
  const complete = { ...request, updated_at, metadata: { ...facts, ...request.metadata } };
  return { tree: await treeOf(bytes, complete), request: complete };
}

async function prepareChange(
  tree: Tree,
  request: PrepareRequest,
  sendAhead: SendAhead,
): Promise<PreparedChange> {
  collect(tree.text.length);
  const pack = await packerOf(request.driver);
  if (pack === undefined) {
    const { write, warnings } = prepareTree(tree, request);
    return { document: write.document, change: { put: [write] }, warnings };
  }
  const { write, warnings } = streamTree(tree, request);
  collect(tree.text.length);
  return { document: write.document, change: { packed: [await pack(write, sendAhead)] }, warnings };
}
