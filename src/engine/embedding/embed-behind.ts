import type { Embedder } from '../../embed/embedder.js';
import { embedPassages } from '../../embed/passages.js';
import { isStrataError, reasonOf } from '../../model/errors.js';
import type { PassageVector } from '../../model/passage-vector.js';
import type { Backend } from '../../store/backend.js';
import type { PendingText } from '../../store/vectors.js';

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Texts embedded so far, and how many there were to embed. */
  onProgress?(done: number, total: number): void;
  /** The first vectors are stored: the model works. */
  onFirst?(): Promise<void>;
}

export interface EmbedReport {
  readonly embedded: number;
  /** Texts that the embedder refused or answered wrongly, every time. */
  readonly failed: readonly { readonly embed_key: string; readonly reason: string }[];
  /** Chunks that still have no vector. */
  readonly remaining: number;
  /** Why it ended before everything was tried: the service is gone, or fails on everything. */
  readonly stopped?: string;
  readonly interrupted: boolean;
}

/** Twice this much work a kill can lose; and as often progress shows. */
const BATCH_MS = 1_000;
/** Texts of a batch. A text takes from a millisecond (a service) to a second (a busy laptop): the time decides. */
const FIRST_BATCH = 16;
const LEAST_BATCH = 8;
const MOST_BATCH = 256;
/** The same failure this often and never a success: it is not the texts' fault. */
const HOPELESS = 5;
/** A new model takes over though a few texts failed; those are found by their words. */
const TOLERATED = 0.01;

/**
 * Vectors follow the words, so that what was added is found at once. The queue is the question "which texts have no vector of this fingerprint", so an
 * interrupted run simply asks again, and no text is embedded twice, in whatever documents it stands.
 *
 * A new model's vectors grow beside the old ones, which searches go on using; when none is missing any more, the new
 * fingerprint is made the active one in a single step.
 */
export async function embedPending(
  backend: Backend,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<EmbedReport> {
  const drain = new Drain(backend, embedder, options);
  await drain.run();
  return drain.finish();
}

class Drain {
  readonly #failed = new Map<string, string>();
  readonly #taken = new Set<string>();
  #embedded = 0;
  #size = FIRST_BATCH;
  #stopped: string | undefined;

  readonly #backend: Backend;
  readonly #embedder: Embedder;
  readonly #options: EmbedOptions;

  constructor(backend: Backend, embedder: Embedder, options: EmbedOptions) {
    this.#backend = backend;
    this.#embedder = embedder;
    this.#options = options;
  }

  /** One batch is embedded while the one before is stored: the workers never wait for the store. */
  async run(): Promise<void> {
    const total = await this.#missing();
    this.#options.onProgress?.(0, total);
    let current = await this.#begin();
    while (current.batch.length > 0) {
      const ahead = await this.#begin();
      const since = performance.now();
      const entries = await current.entries;
      this.#fit(performance.now() - since);
      if (entries.length > 0) await this.#store(entries);
      // Only now: until it is stored, a text still counts as pending there.
      for (const { embed_key } of current.batch) this.#taken.delete(embed_key);
      this.#options.onProgress?.(Math.min(this.#embedded, total), total);
      current = ahead;
    }
  }

  /** Half as many or twice as many from the next one on, at most. */
  #fit(milliseconds: number): void {
    const factor = Math.min(2, Math.max(0.5, BATCH_MS / milliseconds));
    this.#size = Math.round(Math.min(MOST_BATCH, Math.max(LEAST_BATCH, this.#size * factor)));
  }

  async finish(): Promise<EmbedReport> {
    const { vectors } = this.#backend;
    const { fingerprint, dimensions } = this.#embedder;
    const { active, chunks } = await vectors.state();
    let remaining = await this.#missing();
    const complete = remaining <= this.#failed.size && this.#failed.size <= chunks * TOLERATED;
    if (active !== fingerprint && complete && (chunks > 0 || active !== null)) {
      await vectors.activate(fingerprint, dimensions);
      remaining = await this.#missing();
    }
    return {
      embedded: this.#embedded,
      failed: [...this.#failed].map(([embed_key, reason]) => ({ embed_key, reason })),
      remaining,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
      interrupted: this.#options.signal?.aborted ?? false,
    };
  }

  get #over(): boolean {
    return this.#stopped !== undefined || (this.#options.signal?.aborted ?? false);
  }

  async #missing(): Promise<number> {
    const { chunks, embedded } = await this.#backend.vectors.state();
    return chunks - (embedded[this.#embedder.fingerprint] ?? 0);
  }

  /** Start on pending texts that are neither under way nor known to fail. */
  async #begin(): Promise<{ batch: readonly PendingText[]; entries: Promise<readonly Entry[]> }> {
    if (this.#over) return { batch: [], entries: Promise.resolve([]) };
    const busy = this.#taken.size + this.#failed.size;
    const pending = await this.#backend.vectors.pending(this.#embedder.fingerprint, this.#size + busy);
    const batch = pending
      .filter(({ embed_key }) => !this.#taken.has(embed_key) && !this.#failed.has(embed_key))
      .slice(0, this.#size);
    for (const { embed_key } of batch) this.#taken.add(embed_key);
    return { batch, entries: this.#attempt(batch) };
  }

  async #store(entries: readonly Entry[]): Promise<void> {
    const { fingerprint, dimensions } = this.#embedder;
    await this.#backend.vectors.put({ fingerprint, dimensions, entries });
    if (this.#embedded === 0) await this.#options.onFirst?.();
    this.#embedded += entries.length;
  }

  /** The vectors of a batch; a failing batch is halved until the texts at fault stand alone, and those tried once more. */
  async #attempt(batch: readonly PendingText[], again = true): Promise<readonly Entry[]> {
    if (batch.length === 0 || this.#over) return [];
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = await embedPassages(this.#embedder, texts, this.#options.signal);
      return batch.map(({ embed_key }, at) => ({ embed_key, ...vectors[at]! }));
    } catch (error) {
      if (this.#options.signal?.aborted) return [];
      if (!isStrataError(error, 'EMBEDDER_FAILED')) {
        this.#stopped ??= reasonOf(error);
        return [];
      }
      if (batch.length === 1)
        return again ? this.#attempt(batch, false) : this.#giveUp(batch[0]!, reasonOf(error));
      const middle = batch.length >> 1;
      return [
        ...(await this.#attempt(batch.slice(0, middle))),
        ...(await this.#attempt(batch.slice(middle))),
      ];
    }
  }

  #giveUp({ embed_key }: PendingText, reason: string): readonly Entry[] {
    this.#failed.set(embed_key, reason);
    if (this.#failed.size >= HOPELESS && this.#embedded === 0) this.#stopped ??= reason;
    return [];
  }
}

interface Entry extends PassageVector {
  readonly embed_key: string;
}
