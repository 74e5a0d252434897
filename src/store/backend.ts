import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import type { Json } from '../model/json/json.js';
import type { Section } from '../model/section.js';
import type { Span, TreeBlock } from '../model/tree.js';
import type { UnitWords } from '../model/words.js';
import type { Filter } from './filter.js';
import type { LexicalIndex } from './lexical.js';
import type { VectorIndex } from './vectors.js';

/** Which documents, and how many: `after` is the `source` of the last one seen. */
export interface PageRequest {
  readonly filter?: Filter;
  readonly after?: string;
  readonly limit?: number;
}

/**
 * Backend: what is true.
 *
 * Promises of every driver, kept by the conformance suite (backend.suite.ts):
 *  - **Atomic.** `commit` applies the whole change or none of it. A reader, in this process or another, sees the
 *    state before or after, never between: a document comes with all its sections, chunks and words.
 *  - **Durable.** When `commit` has returned, a crash of the process loses nothing.
 *  - **One writer.** Any number of processes may open a library. Writers take turns; a writer that waits calls
 *    `onWait` once after a second, and gives up with STORE_BUSY after its patience. Readers never wait.
 *  - **Exact removal.** With a document go its sections, chunks, words, and the vectors no other chunk uses.
 *  - **Nothing wrong is served.** A damaged record is reported (STORE_DAMAGED or in `check`), the rest is served.
 */
export interface Backend {
  /** `sqlite`, `json`, … */
  readonly driver: string;
  /** The file, folder or URL (without credentials). */
  readonly location: string;
  readonly words: LexicalIndex;
  readonly vectors: VectorIndex;

  commit(change: Change): Promise<CommitReport>;
  /** Grows with every commit of any process: equal numbers mean nothing has changed. */
  generation(): Promise<number>;

  document(id: string): Promise<Document | null>;
  /** In the order of the ids; unknown ones are left out. */
  documentsById(ids: readonly string[]): Promise<readonly Document[]>;
  documentBySource(source: string): Promise<Document | null>;
  /** Ordered by `source` (code points); `after` is the `source` of the last one seen. */
  documents(page?: PageRequest): Promise<readonly Document[]>;
  counts(): Promise<{ readonly documents: number; readonly chunks: number }>;
  chunk(id: string): Promise<Chunk | null>;
  /** The document each of these chunks belongs to, in their order; null for unknown ones. Reads no content. */
  documentIdsOf(chunkIds: readonly string[]): Promise<readonly (string | null)[]>;
  /** Ids of documents and chunks (UUIDs) from one to another, both included; at most `limit`, in no certain order. */
  idsBetween(first: string, last: string, limit: number): Promise<readonly KnownId[]>;
  /** In the order of the ids; unknown ones are left out. */
  chunksById(ids: readonly string[]): Promise<readonly Chunk[]>;
  /** All of a document's chunks, by `chunk_index`. */
  chunksOf(docId: string): Promise<readonly Chunk[]>;
  /**
   * The chunks from `index - before` to `index + after` of each place, without the places themselves; each once, by document
   * in the order of the places, then by `chunk_index`.
   */
  adjacent(places: readonly Place[], before: number, after: number): Promise<readonly Chunk[]>;
  sections(docId: string): Promise<readonly Section[]>;
  /** The normalised text and its blocks, so that pages, highlights, checks and rebuilds need no source file. */
  content(docId: string): Promise<DocumentContent | null>;

  /** Everything small (settings, tables, tools, keys) is a JSON record of some kind. */
  record(kind: string, id: string): Promise<Json | null>;
  /** The kinds of which there are records. */
  kinds(): Promise<readonly string[]>;
  /** Ordered by `id` (code points). */
  records(kind: string): Promise<readonly { readonly id: string; readonly value: Json }[]>;

  /**
   * The library for the reads of one question: its state is looked up once, now, instead of before each of them, and
   * what one read has brought is not asked for again. For stores that must be waited for.
   */
  forOneQuestion?(): Promise<Backend>;
  /** What is known to be damaged and therefore not served, without looking for more: a search tells it. */
  damage?(): Promise<readonly Finding[]>;
  /** Check every invariant; with `fix`, repair what can be repaired from what is whole. */
  check(options?: { fix?: boolean }): Promise<readonly Finding[]>;
  /** A consistent copy of the live library. */
  backup(destination: string): Promise<void>;
  /** Merge what is due (segments, old revisions); drivers also do so by themselves. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** Where a chunk stands: which document, and its `chunk_index` there. */
export interface Place {
  readonly doc_id: string;
  readonly index: number;
}

export interface KnownId {
  readonly kind: 'document' | 'chunk';
  readonly id: string;
}

export interface DocumentContent {
  readonly text: string;
  readonly blocks: readonly TreeBlock[];
  readonly pages: readonly number[];
  readonly excluded: readonly Span[];
}

/**
 * A document with all that belongs to it: it replaces whatever the library has under `document.id`. Its records are read
 * once, chunks before sections, and may be made while they are read: those of a large document need never be there
 * all at once.
 */
export interface DocumentWrite {
  readonly document: Document;
  readonly sections: Iterable<Section>;
  readonly content: DocumentContent;
  readonly chunks: Iterable<ChunkWrite>;
  /** The words of the document's own title and summary. */
  readonly words: UnitWords;
}

/**
 * The same after the driver's `Pack`, perhaps in another process: all that needs nothing but the document (checks,
 * packing, checksums) is done, and only what will be written travels. Plain data.
 */
export interface PackedWrite {
  readonly document: Document;
  /** Which drivers can read it: their name, or `records` (records.ts). */
  readonly form: string;
  /** How many bytes it will take in the store, about. */
  readonly size: number;
  /** The driver's own form, without the parts. */
  readonly packed: object;
  /** What `Pack` has sent, in order. */
  readonly parts: readonly Uint8Array[];
}

export interface ChunkWrite {
  readonly chunk: Chunk;
  /** Hash of what is embedded (prefix and body); the model's fingerprint is the vector index's business. */
  readonly embed_key: string;
  readonly words: UnitWords;
}

/**
 * All of it in one atomic step; inside it the order is remove, rename, put, touch, records, and the state afterwards
 * counts: two documents may swap their sources. Refused with INVALID_RECORD (see validate.ts) when a source would
 * belong to two documents or a record breaks the model. Unknown ids in `rename` and `touch` are ignored too.
 */
export interface Change {
  readonly put?: readonly (DocumentWrite | PackedWrite)[];
  /** Document ids; unknown ones are ignored. */
  readonly remove?: readonly string[];
  /** A new source for the same document (a renamed file); nothing else changes. */
  readonly rename?: readonly { readonly id: string; readonly source: string; readonly source_path: string }[];
  readonly records?: readonly RecordChange[];
  /** Documents' metadata alone (a new modification time of unchanged bytes). */
  readonly touch?: readonly Pick<Document, 'id' | 'updated_at' | 'metadata'>[];
  /** Called once when another writer has been in the way for a second. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal;
}

export interface RecordChange {
  readonly kind: string;
  readonly id: string;
  /** null removes the record. */
  readonly value: Json | null;
}

/** By `chunk_hash`, over all documents put or removed. */
export interface CommitReport {
  readonly kept: number;
  readonly added: number;
  readonly removed: number;
  readonly generation: number;
}

export interface Finding {
  /** What kind of invariant: `record`, `hash`, `words`, `vectors`, `file`, … */
  readonly area: string;
  readonly message: string;
  /** The document concerned, where there is one. */
  readonly doc_id?: string;
  readonly fixed: boolean;
}

/** How words are made of records, for `check` to compare and make them again: drivers do not know the analysis. */
export interface Reindex {
  readonly chunk: (chunk: Chunk) => UnitWords;
  readonly document: (document: Document) => UnitWords;
}
