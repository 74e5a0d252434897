import { join } from 'node:path';
import type { Embedder } from '../../embed/embedder.js';
import type { Backend } from '../../store/backend.js';
import type { Config } from '../config.js';
import type { LibraryOptions } from '../library.js';
import type { OpenedLibrary } from '../library-parts.js';
import { keepSettings, keptSettings } from '../settings.js';
import { Embedders } from './embedders.js';

/** Beside the data, whoever keeps it. */
const LEASE_FOLDER = 'embedding';

/** Which embedder a library uses: what the user names now, else what the project's file says, else what it remembers. */
export class ChosenEmbedder {
  readonly embedders: Embedders;
  readonly #backend: Backend;
  readonly #options: LibraryOptions;
  readonly #config: Config;
  #kept: string | undefined;

  constructor({ location, backend, options, trust, config, keptEmbedder }: OpenedLibrary) {
    this.#backend = backend;
    this.#options = options;
    this.#config = config;
    this.#kept = keptEmbedder;
    const { onNotice, store, at_once } = options;
    this.embedders = new Embedders(backend, {
      wanted: this.#named ?? config.embedder ?? keptEmbedder,
      isKept: this.#named === undefined,
      trust,
      ...(store !== 'memory' && { lease: join(location, LEASE_FOLDER) }),
      ...(onNotice && { onNotice }),
      // A server's log; a person who asks reads it with the answer.
      ...(onNotice && at_once && { onProblem: onNotice }),
    });
  }

  /** What the user asks for now, by a flag or in the environment: it counts before what the library remembers. */
  get #named(): string | Embedder | undefined {
    return this.#options.embedder ?? (process.env.STRATA_EMBEDDER || undefined);
  }

  /** Another process may have changed the model: a server that was told no other must not change it back. */
  async follow(): Promise<void> {
    if (this.#named !== undefined || this.#config.embedder !== undefined) return;
    const { embedder } = await keptSettings(this.#backend);
    if (embedder === this.#kept) return;
    this.#kept = embedder;
    this.embedders.want(embedder);
  }

  /** An embedder named when something is written is the library's from then on. */
  async keep(): Promise<void> {
    const { embedder } = this.#options;
    if (typeof embedder !== 'string' || embedder === this.#kept) return;
    const settings = await keptSettings(this.#backend);
    await keepSettings(this.#backend, { ...settings, embedder: this.embedders.spec });
    this.#kept = embedder;
  }
}
