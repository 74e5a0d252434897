import { ByteSemaphore } from './byte-semaphore.js';
import { WorkQueue } from './work-queue.js';

interface Item {
  readonly name: string;
  /** In bytes; negative where nobody knows. */
  readonly size: number;
}

export interface Schedule {
  readonly workers: number;
  /** How many items a worker may have at once. */
  readonly ahead: number;
  readonly signal: AbortSignal | undefined;
}

/** What a worker may have waiting, in bytes: large files are not read before their time. */
const AHEAD_BYTES = 4 * 2 ** 20;

/** Keeps every worker busy until all items are done, the signal says to stop, or one has thrown. */
export async function scheduleAll<T extends Item>(
  items: readonly T[],
  schedule: Schedule,
  run: (item: T, worker: number) => Promise<void>,
): Promise<void> {
  const queue = new WorkQueue(items, schedule.workers);
  const workers = Array.from({ length: schedule.workers }, (_, worker) =>
    keepBusy(worker, queue, schedule, run),
  );
  await Promise.all(workers);
}

async function keepBusy<T extends Item>(
  worker: number,
  queue: WorkQueue<T>,
  { workers, ahead, signal }: Schedule,
  run: (item: T, worker: number) => Promise<void>,
): Promise<void> {
  const room = new ByteSemaphore(() => (workers === 1 ? ahead : queue.share(ahead)), AHEAD_BYTES);
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  while (failure === undefined) {
    const item = queue.next(worker);
    if (item === undefined) break;
    // What is of unknown size (a page of the web) is asked for alone.
    const bytes = item.size < 0 ? AHEAD_BYTES : item.size;
    await room.enter(bytes);
    if (signal?.aborted) break;
    const one = run(item, worker)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        running.delete(one);
        room.leave(bytes);
      });
    running.add(one);
  }
  await Promise.all(running);
  if (failure) throw failure.error;
}
