import type { Embedder } from '../embed/embedder.js';
import type { Reranker } from '../embed/rerank/reranker.js';
import type { AddOptions, TextNote, WorkOptions } from '../ingest/add-options.js';
import type { AddReport } from '../ingest/add-report.js';
import type { ChunkingOptions } from '../ingest/chunking.js';
import type { Citation } from '../model/citation.js';
import type { Document } from '../model/document.js';
import type { SearchAnswer } from '../model/result.js';
import type { Section } from '../model/section.js';
import type { ChunkInspection, Inspection } from '../search/inspect.js';
import type { SearchOptions as SearchRequest } from '../search/options.js';
import type { ScoutAnswer, ScoutOptions as ScoutRequest } from '../search/scout.js';
import type { Filter } from '../store/filter.js';
import type { VectorMatch, VectorQuery } from '../store/vectors.js';
import type { EmbedReport } from './embedding/embed-behind.js';
import type { DocumentVector, NearChunk } from './embedding/own-vectors.js';
import type { BackupReport } from './upkeep/backup.js';
import type { DoctorReport } from './upkeep/doctor.js';
import type { MoveOptions, MoveReport } from './upkeep/move.js';
import type { Verification } from './verify/verify.js';

export type { Embedder } from '../embed/embedder.js';
export type { Reranker } from '../embed/rerank/reranker.js';
export type { AddOptions, TextNote, WorkOptions } from '../ingest/add-options.js';
export type { AddEntry, AddOutcome, AddReport } from '../ingest/add-report.js';
export type { ChunkingOptions } from '../ingest/chunking.js';
export type { ChunkInspection, DocumentInspection, Inspection } from '../search/inspect.js';
export type { ScoutAnswer } from '../search/scout.js';
export type { Finding } from '../store/backend.js';

/** Which library, kept by whom. All of it optional: see locate.ts for what is chosen then. */
export interface LibraryOptions {
  /** The library's folder. Default: `STRATA_LIBRARY`, else `.strata` in the project, else the user's data folder. */
  readonly library?: string | undefined;
  /** Where to look for the project from; the current folder. */
  readonly cwd?: string | undefined;
  /** `sqlite` (default), `json`, or either with a place: `json:DIR`. Remembered by the library. */
  readonly store?: string | undefined;
  /** Of a store elsewhere, keep what searches need of its index on this disk too, in the user's cache folder. Default false. */
  readonly cache?: boolean | undefined;
  /** A model id or URL as `strata models` and the docs name them, an embedder, or `none`: words alone. */
  readonly embedder?: string | Embedder | undefined;
  /**
   * What reads the best passages again: `local:FOLDER` (an ONNX cross-encoder), the address of a service
   * (`https://…/rerank#MODEL`; its key is `STRATA_RERANK_KEY`), or a reranker. Default: `STRATA_RERANK`, else none.
   */
  readonly rerank?: string | Reranker | undefined;
  /**
   * Answer at once: while the model is still loading (or being fetched), search by words. For servers; a person who
   * asks one question would rather wait a second for the better answer.
   */
  readonly at_once?: boolean | undefined;
  /**
   * Documents come from callers who may mean harm: each is prepared in a process of its own, never in this one, and may
   * take 10 s and 512 MB. For servers.
   */
  readonly guarded?: boolean | undefined;
  /** Make the library where there is none. Default true. */
  readonly create?: boolean | undefined;
  /**
   * Asks the user whether this library may have what it names beyond its own folder (a store elsewhere, a service that
   * embeds). Without it such things are refused, with the way to agree to them.
   */
  readonly onConsent?: ((question: string) => Promise<boolean>) | undefined;
  /** One line for the person who waits: "waiting for another writer", "no network: searching by words". */
  readonly onNotice?: ((line: string) => void) | undefined;
}

/** Documents, and the questions they answer. Every method may be called at any time, also while another runs. */
export interface Library {
  /** The library's folder. */
  readonly location: string;
  /** The folder that holds it: paths below are kept relative to it. */
  readonly root: string;
  /** False where search by meaning is switched off (`none`). */
  readonly searchesByMeaning: boolean;
  /** Begins to load the model for questions, so that the first one need not wait for it. */
  warmUp(): void;
  /** Grows with every change by whatever process: equal numbers mean that nothing has changed. */
  generation(): Promise<number>;
  /** The model new vectors are made with; null where there is none, with the reason in `status()`. */
  embedder(): Promise<Embedder | null>;

  /** Files and folders (and whatever else `source/` can read), added or brought up to date. */
  add(targets: readonly string[], options?: AddOptions): Promise<AddReport>;
  /** A text that has no file: a note, an answer worth keeping. Adding the same source again replaces it. */
  addText(note: TextNote, options?: AddOptions): Promise<AddReport>;
  remove(targets: readonly string[], options?: RemoveOptions): Promise<RemoveReport>;
  /**
   * The document that a path, an id, an id's beginning (`#0d8b53`), a place (`guide.md:12`) or a citation names, as
   * `show`, `inspect`, `remove` and `verify` take them too. NOT_FOUND where there is none.
   */
  find(target: string, options?: FindOptions): Promise<Document>;
  list(options?: ListOptions): Promise<DocumentPage>;
  show(target: string, options?: FindOptions): Promise<DocumentDetails>;
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  scout(query: string, options?: ScoutOptions): Promise<ScoutAnswer>;
  /** A passage, or a document with all its passages. */
  inspect(target: string, options?: FindOptions): Promise<Inspection>;
  /** A passage with as many before and after it, in reading order. */
  around(chunkId: string, count: number): Promise<readonly ChunkInspection[]>;
  status(): Promise<LibraryStatus>;
  /** Vectors that the caller made with the library's own model, each of a document that is one passage. */
  putVectors(vectors: readonly DocumentVector[]): Promise<void>;
  /** The `k` passages nearest to a vector of the library's own model. */
  near(vector: Float32Array, k: number, filter?: Filter): Promise<readonly NearChunk[]>;
  /** Make the vectors that are missing. */
  embed(options?: WorkOptions): Promise<EmbedReport>;
  /** Everything derived (chunks, words) made again from the kept texts; ids stay. */
  rebuild(options?: RebuildOptions): Promise<RebuildReport>;
  check(options?: { fix?: boolean }): Promise<DoctorReport>;
  /**
   * Does the source still say what was cited? A reference as search prints it, the citation itself, a chunk's id or
   * its beginning, or a place (`guide.md:12`, relative to `cwd`).
   */
  verify(cited: string | Citation, options?: FindOptions): Promise<Verification>;
  /** A consistent copy into a new folder, while others go on reading and writing. */
  backup(destination: string): Promise<BackupReport>;
  /** Every document, passage and vector in another store; `switch` makes it the library's own. */
  move(options: MoveOptions): Promise<MoveReport>;
  close(): Promise<void>;
}

export interface FindOptions {
  /** Relative paths start here; the current folder. */
  readonly cwd?: string | undefined;
}

export interface RemoveOptions {
  readonly cwd?: string | undefined;
  readonly dry_run?: boolean | undefined;
}

export interface RemoveReport {
  readonly removed: readonly { readonly id: string; readonly source_path: string; readonly title: string }[];
  readonly dry_run: boolean;
}

export interface ListOptions {
  readonly filter?: Filter | undefined;
  /** The `source` of the last document seen. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export interface DocumentPage {
  readonly documents: readonly Document[];
  /** Give it as `after` for the next page; null at the end. */
  readonly next: string | null;
  /** Of an empty page: the parts of the filter that nothing in the library meets. */
  readonly notices?: readonly string[];
}

export interface DocumentDetails {
  readonly document: Document;
  readonly sections: readonly Section[];
  readonly text: string;
}

/** As `search/` takes them, without the query. */
export type SearchOptions = Loose<Omit<SearchRequest, 'query'>> & {
  /** Asked for the nearest passages instead of the library's own index. */
  readonly nearest?: ((query: VectorQuery) => Promise<readonly VectorMatch[]>) | undefined;
};
export type ScoutOptions = Loose<Omit<ScoutRequest, 'query'>>;

/** Callers may pass on what they were not given. */
type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

export interface LibraryStatus {
  readonly location: string;
  readonly root: string;
  readonly driver: string;
  readonly documents: number;
  readonly chunks: number;
  readonly generation: number;
  readonly settings: LibrarySettings;
  readonly vectors: {
    /** The model in use, or null with the reason beside it. */
    readonly model: string | null;
    readonly dimensions: number;
    readonly embedded: number;
    readonly pending: number;
    readonly reason?: string;
  };
}

/** What a library remembers for later adds. */
export interface LibrarySettings {
  readonly strategy: string;
  readonly max: number | null;
  readonly min: number;
  readonly overlap: number;
  readonly embedder: string;
}

export interface RebuildOptions extends WorkOptions, ChunkingOptions {}

export interface RebuildReport {
  readonly documents: number;
  readonly chunks: { readonly kept: number; readonly added: number; readonly removed: number };
  readonly failed: readonly { readonly id: string; readonly source_path: string; readonly reason: string }[];
  readonly interrupted: boolean;
}
