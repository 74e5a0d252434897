import { parentPort } from 'node:worker_threads';
import { isStrataError, reasonOf } from '../model/errors.js';
import { prepare } from './prepare.js';
import type { PrepareJob, PrepareReply } from './prepare-pool.js';

/** One thread of the pool: a document in, its records and words out. */
parentPort?.on('message', async ({ id, bytes, request }: PrepareJob) => {
  parentPort?.postMessage(await replyTo(id, bytes, request));
});

async function replyTo(id: number, bytes: Uint8Array, request: PrepareJob['request']): Promise<PrepareReply> {
  try {
    return { id, prepared: await prepare(bytes, request) };
  } catch (error) {
    return { id, code: isStrataError(error) ? error.code : null, message: reasonOf(error) };
  }
}
