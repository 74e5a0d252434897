import { acquireLock } from './lock.js';

/** Between two looks at another's lease: it lasts for minutes, and looking costs a little. */
const POLL_MS = 250;
const RENEW_MS = 10_000;
/** Of a machine or container that is gone without a trace. Two that work at once would do no harm, only work twice. */
const EXPIRES_MS = 60_000;

export interface LeaseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once when another process has been at it for a second. */
  readonly onWait?: (() => void) | undefined;
}

/**
 * One process at a time does this work; the others wait, for what it has done need not be done again. A lease ends with
 * its process, however that ends. Throws ABORTED.
 */
export async function withLease<T>(
  folder: string,
  work: () => Promise<T>,
  { signal, onWait }: LeaseOptions = {},
): Promise<T> {
  const lease = await acquireLock(folder, {
    patience: Number.POSITIVE_INFINITY,
    poll: POLL_MS,
    expires: EXPIRES_MS,
    ...(signal && { signal }),
    ...(onWait && { onWait }),
  });
  const renewing = setInterval(() => void lease.renew(), RENEW_MS);
  renewing.unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await lease.release();
  }
}
