import { isStrataError } from '../model/errors.js';
import type { Backend, Change, PackedWrite } from '../store/backend.js';

/** One document's step, and what became of it. */
export interface Step {
  readonly change: Pick<Change, 'rename' | 'touch' | 'remove' | 'records'> & {
    readonly put?: readonly PackedWrite[];
  };
  readonly done: (error: unknown) => void;
}

/** In bytes: some stores hold a transaction in memory, and Ctrl-C waits for it. */
const MOST_BYTES = 8 * 2 ** 20;
const MOST_STEPS = 128;
/** What may wait while a commit runs. */
const MOST_QUEUED = 4 * MOST_BYTES;
/** How long a step waits for company: half a second of work is what a crash may cost. */
const GATHER_MS = 500;

/**
 * Commits documents in the order they come, several in one transaction: one each would wait for the disk, and leave
 * the index in small pieces. A step that cannot be committed fails alone.
 */
export class Committer {
  kept = 0;
  added = 0;
  removed = 0;
  readonly #backend: Backend;
  readonly #onWait: () => void;
  readonly #queue: Step[] = [];
  #queued = 0;
  #running: Promise<void> | null = null;
  #failure: unknown;
  #finishing = false;
  #wake: (() => void) | null = null;

  constructor(backend: Backend, onWait: () => void) {
    this.#backend = backend;
    this.#onWait = onWait;
  }

  /** Resolves when there is room for more, not when the step is committed; throws when the store itself has failed. */
  async add(step: Step): Promise<void> {
    this.#throwFailure();
    this.#queue.push(step);
    this.#queued += weight(step);
    if (this.#isRipe()) this.#wake?.();
    if (this.#running === null) this.#running = this.#drain();
    while (this.#running !== null && this.#queued > MOST_QUEUED) await this.#running;
    this.#throwFailure();
  }

  /** All that was added is committed, or has failed. */
  async finish(): Promise<void> {
    this.#finishing = true;
    this.#wake?.();
    while (this.#running !== null) await this.#running;
    this.#finishing = false;
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #isRipe(): boolean {
    return this.#finishing || this.#queued >= MOST_BYTES || this.#queue.length >= MOST_STEPS;
  }

  async #drain(): Promise<void> {
    if (!this.#isRipe()) await this.#gather();
    try {
      await this.#commitAll(this.#take());
    } catch (error) {
      this.#failure ??= error;
      this.#queue.length = 0;
    }
    this.#running = this.#queue.length > 0 ? this.#drain() : null;
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(): Step[] {
    const steps: Step[] = [];
    let total = 0;
    while (this.#queue.length > 0 && steps.length < MOST_STEPS && total < MOST_BYTES) {
      const step = this.#queue.shift()!;
      total += weight(step);
      steps.push(step);
    }
    this.#queued -= total;
    return steps;
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
      records: steps.flatMap(({ change }) => change.records ?? []),
      onWait: this.#onWait,
    });
    this.kept += report.kept;
    this.added += report.added;
    this.removed += report.removed;
  }
}

const isFatal = (error: unknown): boolean => isStrataError(error) && error.code.startsWith('STORE_');

const weight = ({ change: { put = [] } }: Step): number =>
  put.reduce((sum, { size }) => sum + size + 1_000, 100);
