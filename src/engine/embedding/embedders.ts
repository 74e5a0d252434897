import type { Embedder } from '../../embed/embedder.js';
import type { PullProgress } from '../../embed/models/pull.js';
import type { OpenEmbedderOptions } from '../../embed/open.js';
import { formatEmbedderSpec, parseEmbedderSpec } from '../../embed/spec.js';
import { staysHere } from '../../embed/stays-here.js';
import { isStrataError, reasonOf, StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import { withLease } from '../../store/lock/lease.js';
import type { LibraryTrust } from '../trust/trust.js';
import { type EmbedOptions, type EmbedReport, embedPending } from './embed-behind.js';

const RETRY_MS = 30_000;
/** What is open already answers within a turn of the event loop; opening a model takes a second or more. */
const READY_MS = 20;
const OTHERS_EMBED = 'Another process is making the vectors of this library; waiting for it.';
/** Records that say, by fingerprint, which spec made the vectors: `{ spec }`. */
export const EMBEDDER_RECORDS = 'embedder';

export interface EmbeddersOptions extends Pick<OpenEmbedderOptions, 'env'> {
  /** What the caller or the library's settings ask for; `STRATA_EMBEDDER` or the default pair otherwise. */
  readonly wanted?: string | Embedder | undefined;
  /** `wanted` is what the library itself remembers: it counts only as far as the user has agreed. */
  readonly isKept?: boolean | undefined;
  /** What the user has agreed to for this library. */
  readonly trust?: LibraryTrust | undefined;
  /** Where processes agree who embeds; none for a library that only this process has. */
  readonly lease?: string | undefined;
  /** Says what leaves this machine, or which process is waited for. */
  onNotice?(line: string): void;
  /** Said once: why there is no search by meaning. Answers say so too: for those who see none. */
  onProblem?(reason: string): void;
}

export interface DrainOptions extends EmbedOptions {
  /** The model's files arrive. */
  onFetch?(progress: PullProgress): void;
}

/**
 * A library's embedders. New vectors are made by the wanted one; questions must be embedded by the one that made the
 * vectors now searched. The two differ while a change of model is under way, else they are the same.
 */
export class Embedders {
  readonly #backend: Backend;
  #options: EmbeddersOptions;
  #wanted: Promise<Embedder> | undefined;
  readonly #opened = new Map<string, Promise<Embedder>>();
  #asked:
    | { readonly active: string; readonly embedder: Promise<Embedder | null>; readonly until: number }
    | undefined;
  #problem: string | undefined;
  #onFetch: DrainOptions['onFetch'];

  constructor(backend: Backend, options: EmbeddersOptions = {}) {
    this.#backend = backend;
    this.#options = options;
  }

  /** Why there is no search by meaning; undefined while nothing has gone wrong. */
  get reason(): string | undefined {
    return this.#problem;
  }

  /** Search by meaning is switched off (`none`): nothing is missing, and nothing need be said. */
  get off(): boolean {
    const { wanted, env = process.env } = this.#options;
    if (typeof wanted === 'object') return false;
    return parseEmbedderSpec(wanted, env).kind === 'none';
  }

  /** The embedder for passages. Throws EMBEDDER_UNAVAILABLE; the reason is told once. */
  async forPassages(): Promise<Embedder> {
    this.#wanted ??= this.#openWanted();
    try {
      return await this.#wanted;
    } catch (error) {
      this.#wanted = undefined;
      this.#tell(reasonOf(error));
      throw error;
    }
  }

  /** The embedder for questions: null where there are no vectors, or what made them cannot be had (see `reason`). */
  async forQueries(): Promise<Embedder | null> {
    if (this.off) return null;
    const { active, chunks } = await this.#backend.vectors.state();
    if (active === null) return chunks > 0 ? this.#onHand() : null;
    // Another process may have switched to another model since the last question.
    const asked = this.#asked;
    if (asked?.active === active && asked.until > performance.now()) return asked.embedder;
    const embedder = this.#thatMade(active);
    this.#asked = { active, embedder, until: Number.POSITIVE_INFINITY };
    // What could not be had may come: the network, a model somebody pulls.
    if ((await embedder) === null) this.#asked = { active, embedder, until: performance.now() + RETRY_MS };
    return embedder;
  }

  /** As `forQueries`, but never waits for a model: `loading` while one is being opened or fetched. */
  async readyForQueries(): Promise<Embedder | null | 'loading'> {
    const asked = this.forQueries();
    asked.catch(() => {});
    const soon = new Promise<'loading'>((resolve) => setTimeout(resolve, READY_MS, 'loading'));
    return Promise.race([asked, soon]);
  }

  /** Every passage has its vector by the wanted model, as far as can be told without opening it (a second or more). */
  async isComplete(): Promise<boolean> {
    const { active, chunks, embedded } = await this.#backend.vectors.state();
    if (active === null || (embedded[active] ?? 0) < chunks) return false;
    const { wanted } = this.#options;
    if (typeof wanted === 'object') return wanted.fingerprint === active;
    const record = (await this.#backend.record(EMBEDDER_RECORDS, active)) as { spec?: unknown } | null;
    return record?.spec === this.spec;
  }

  /** Another model from now on. What is open stays open: questions under way use it. */
  want(wanted: string | undefined): void {
    this.#options = { ...this.#options, wanted, isKept: true };
    this.#wanted = undefined;
  }

  /** Embed what has no vector yet, with the wanted model. Of several processes one does it, the others wait for it. */
  async drain(options: DrainOptions = {}): Promise<EmbedReport> {
    this.#onFetch = options.onFetch;
    const embedder = await this.forPassages();
    await this.#remember(embedder);
    const run = (): Promise<EmbedReport> => embedPending(this.#backend, embedder, options);
    const { lease } = this.#options;
    const { active, chunks, embedded } = await this.#backend.vectors.state();
    const isDone = active === embedder.fingerprint && (embedded[active] ?? 0) === chunks;
    // Also without one where nothing is left to do: a look at a library that cannot be written must not fail.
    if (lease === undefined || isDone || options.signal?.aborted) return run();
    const onWait = (): void => this.#options.onNotice?.(OTHERS_EMBED);
    return withLease(lease, run, { signal: options.signal, onWait }).catch((error: unknown) => {
      // Interrupted while another was at it.
      if (isStrataError(error, 'ABORTED') && options.signal?.aborted) return run();
      throw error;
    });
  }

  async close(): Promise<void> {
    const all = [...this.#opened.values(), ...(this.#wanted ? [this.#wanted] : [])];
    await Promise.all(all.map((embedder) => embedder.then((open) => open.close()).catch(() => {})));
  }

  #openWanted(): Promise<Embedder> {
    const { wanted } = this.#options;
    return typeof wanted === 'object' ? Promise.resolve(wanted) : this.#open(this.spec);
  }

  /** The wanted embedder in the form a library remembers: never with a key. */
  get spec(): string {
    const { wanted, env = process.env } = this.#options;
    return formatEmbedderSpec(parseEmbedderSpec(typeof wanted === 'string' ? wanted : undefined, env));
  }

  /** Before the first vector: the wanted model, if it is here already. A question never waits for a download. */
  async #onHand(): Promise<Embedder | null> {
    const { env = process.env } = this.#options;
    const { isOnHand } = await import('../../embed/models/on-hand.js');
    if (typeof this.#options.wanted !== 'object') {
      const spec = parseEmbedderSpec(this.spec, env);
      // A folder that the library names is not even looked for before the user has agreed.
      if (staysHere(spec) && !isOnHand(spec, env)) return null;
      if (spec.kind === 'openai' || spec.kind === 'ollama') return null;
    }
    return this.forPassages().catch(() => null);
  }

  async #thatMade(active: string): Promise<Embedder | null> {
    try {
      const { wanted } = this.#options;
      const record = (await this.#backend.record(EMBEDDER_RECORDS, active)) as { spec?: unknown } | null;
      const embedder =
        typeof wanted === 'object' && wanted.fingerprint === active
          ? wanted
          : await this.#open(typeof record?.spec === 'string' ? record.spec : this.spec);
      if (embedder.fingerprint === active) return embedder;
      this.#tell(
        `The vectors were made by ${active}, which is not here any more (${embedder.fingerprint} is): strata embed makes new ones; until then search goes by words.`,
      );
    } catch (error) {
      if (!isStrataError(error)) throw error;
      this.#tell(reasonOf(error));
    }
    return null;
  }

  #open(spec: string): Promise<Embedder> {
    const known = this.#opened.get(spec);
    if (known !== undefined) return known;
    const { env = process.env } = this.#options;
    const opening = this.#permission(spec).then(async (isNamed) => {
      // Loaded when a model is: looking something up by its words needs none of it.
      const { openEmbedder } = await import('../../embed/open.js');
      return openEmbedder(parseEmbedderSpec(spec, env), {
        env,
        is_named: isNamed,
        onProgress: (progress) => this.#onFetch?.(progress),
        log: (line) => this.#options.onNotice?.(line),
      });
    });
    this.#opened.set(spec, opening);
    opening.catch(() => this.#opened.delete(spec));
    return opening;
  }

  /**
   * Whether the user has named this embedder: then keys may go to its address. Throws EMBEDDER_UNAVAILABLE
   * where only the library names it and nobody has agreed, or where the user has named another.
   */
  async #permission(spec: string): Promise<boolean> {
    const { env = process.env, isKept = false, wanted, trust } = this.#options;
    const parsed = parseEmbedderSpec(spec, env);
    if (staysHere(parsed)) return true;
    const named = !isKept && wanted !== undefined ? this.spec : undefined;
    const asked = formatEmbedderSpec(parsed);
    if (named === asked) {
      await trust?.note('embedder', asked);
      return true;
    }
    // Whoever names a model on this machine wants nothing to leave it, whatever was agreed to before.
    if (named !== undefined && parsed.kind !== 'local' && parseEmbedderSpec(named, env).kind === 'local') {
      throw unavailable(`the vectors were made with ${asked}, which is not used since you named ${named}`);
    }
    try {
      if (trust !== undefined) return (await trust.require('embedder', asked)).by === 'named';
    } catch (error) {
      throw unavailable(reasonOf(error), error);
    }
    throw unavailable(`the library names ${asked}, and nobody has agreed to it`);
  }

  async #remember(embedder: Embedder): Promise<void> {
    if (typeof this.#options.wanted === 'object') return;
    if ((await this.#backend.record(EMBEDDER_RECORDS, embedder.fingerprint)) !== null) return;
    const value = { spec: this.spec, id: embedder.id };
    await this.#backend.commit({ records: [{ kind: EMBEDDER_RECORDS, id: embedder.fingerprint, value }] });
  }

  #tell(reason: string): void {
    if (this.#problem === reason) return;
    this.#problem = reason;
    this.#options.onProblem?.(reason);
  }
}

const unavailable = (reason: string, cause?: unknown): StrataError =>
  new StrataError('EMBEDDER_UNAVAILABLE', reason, { cause });
