import type { Backend } from '../store/backend.js';
import type { Config } from './config.js';
import type { Embedders } from './embedding/embedders.js';
import type { Reranking } from './embedding/reranking.js';
import type { LibraryOptions } from './library.js';
import type { LibraryTrust } from './trust/trust.js';
import type { SourcePlace } from './verify/stale.js';

/** What an open library is made of. The engine's own files work with it; callers have the methods of `Library` only. */
export interface LibraryParts extends SourcePlace {
  /** The library's folder. */
  readonly location: string;
  readonly backend: Backend;
  /** The model for questions and the one for passages, each opened when it is first asked for. */
  readonly embedders: Embedders;
  /** What reads the best passages again, where the user has named it. */
  readonly reranking: Reranking;
  /** See `LibraryOptions`. */
  readonly guarded: boolean;
  /** What the user has agreed to for this library. */
  readonly trust: LibraryTrust;
}

/** What `open.ts` has found out and opened. */
export interface OpenedLibrary {
  readonly location: string;
  readonly root: string;
  readonly backend: Backend;
  readonly options: LibraryOptions;
  readonly trust: LibraryTrust;
  /** What the project's file says. */
  readonly config: Config;
  /** The embedder the library remembers. */
  readonly keptEmbedder: string | undefined;
}
