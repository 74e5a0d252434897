import { isStrataError } from '../model/errors.js';
import type { Backend, Change, DocumentWrite } from '../store/backend.js';

/** One document's step, and what became of it. */
export interface Step {
  readonly change: Pick<Change, 'put' | 'rename' | 'touch' | 'remove'>;
  readonly done: (error: unknown) => void;
}

/**
 * Commits documents in the order they come, as many at once as have gathered while the last commit ran: one
 * transaction a document would wait for the disk each time. A step that cannot be committed fails alone.
 */
export class Committer {
  kept = 0;
  added = 0;
  removed = 0;
  readonly #backend: Backend;
  readonly #onWait: () => void;
  #queue: Step[] = [];
  #running: Promise<void> | null = null;
  #failure: unknown;

  constructor(backend: Backend, onWait: () => void) {
    this.#backend = backend;
    this.#onWait = onWait;
  }

  /** Resolves when there is room for more, not when the step is committed; throws when the store itself has failed. */
  async add(step: Step): Promise<void> {
    this.#queue.push(step);
    if (this.#running === null) this.#running = this.#drain();
    while (this.#running !== null && weightOf(this.#queue) > MOST_QUEUED) await this.#running;
    this.#throwFailure();
  }

  async finish(): Promise<void> {
    while (this.#running !== null) await this.#running;
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #drain(): Promise<void> {
    // Let what is ready at this moment gather first.
    await new Promise((go) => setImmediate(go));
    const steps = this.#queue.splice(0, batchSize(this.#queue));
    try {
      await this.#commitAll(steps);
    } catch (error) {
      this.#failure ??= error;
      this.#queue = [];
    }
    this.#running = this.#queue.length > 0 ? this.#drain() : null;
  }

  async #commitAll(steps: readonly Step[]): Promise<void> {
    try {
      await this.#commit(steps);
      for (const step of steps) step.done(null);
    } catch (error) {
      // A full disk or a lock is nobody's fault; a record the store refuses is one document's.
      if (isFatal(error)) throw error;
      if (steps.length === 1) steps[0]!.done(error);
      else for (const step of steps) await this.#commitAll([step]);
    }
  }

  async #commit(steps: readonly Step[]): Promise<void> {
    const report = await this.#backend.commit({
      put: steps.flatMap(({ change }) => change.put ?? []),
      rename: steps.flatMap(({ change }) => change.rename ?? []),
      touch: steps.flatMap(({ change }) => change.touch ?? []),
      remove: steps.flatMap(({ change }) => change.remove ?? []),
      onWait: this.#onWait,
    });
    this.kept += report.kept;
    this.added += report.added;
    this.removed += report.removed;
  }
}

const isFatal = (error: unknown): boolean =>
  (['STORE_BUSY', 'STORE_DAMAGED', 'STORE_VERSION', 'STORE_FAILED'] as const).some((code) =>
    isStrataError(error, code),
  );

/** In characters of text. A transaction is held in memory by some stores, and Ctrl-C waits for it. */
const MOST_QUEUED = 16 * 2 ** 20;
const MOST_A_COMMIT = 4 * 2 ** 20;
const MOST_STEPS = 64;

const weight = (write: DocumentWrite): number => write.content.text.length + 1_000;
const weightOf = (steps: readonly Step[]): number =>
  steps.reduce(
    (sum, { change }) => sum + (change.put ?? []).reduce((own, write) => own + weight(write), 100),
    0,
  );

function batchSize(queue: readonly Step[]): number {
  let total = 0;
  for (let at = 0; at < queue.length && at < MOST_STEPS; at++) {
    total += weightOf([queue[at]!]);
    if (total > MOST_A_COMMIT) return Math.max(1, at);
  }
  return Math.min(queue.length, MOST_STEPS);
}
