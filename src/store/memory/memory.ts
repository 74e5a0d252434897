import type { Chunk, ContentType } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import { StrataError } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import type { Section } from '../../model/section.js';
import { besidePlaces } from '../adjacent.js';
import type {
  Backend,
  Change,
  CommitReport,
  DocumentContent,
  KnownId,
  PageRequest,
  Place,
} from '../backend.js';
import type { Filter } from '../filter.js';
import { contentTypesOf, documentMatcher } from '../filtering.js';
import { byCodePoint } from '../index/order.js';
import { type StoredChange, type StoredDocument, storedChange } from '../records.js';
import { validateChange, validateDocument } from '../validate.js';
import { MemoryVectors } from './vectors.js';
import { MemoryWords } from './words.js';

/**
 * A library in plain maps: the model that drivers are compared with, and the working state of a driver that keeps
 * small libraries in files. Everything is synchronous and nothing is persistent here.
 */
export class MemoryLibrary {
  readonly words = new MemoryWords((filter) => this.#unitFilter(filter));
  readonly vectors = new MemoryVectors((filter) => this.#unitFilter(filter));
  readonly #writes = new Map<string, StoredDocument>();
  readonly #idBySource = new Map<string, string>();
  readonly #docIdByChunk = new Map<string, string>();
  readonly #records = new Map<string, Map<string, Json>>();
  generation = 0;

  /** Order: remove, rename, put, touch, records. Throws before anything has changed. */
  apply(given: Change): CommitReport {
    const change = storedChange(given);
    this.validate(change);
    return this.load(change);
  }

  /** Throws INVALID_RECORD for a change that would break the model. */
  validate(change: StoredChange): void {
    validateChange(change);
    for (const write of change.put ?? []) validateDocument(write);
    this.#checkSources(change);
  }

  /** `apply` for what a driver has validated, or read back: a damaged document comes without some of its chunks. */
  load(change: StoredChange, generation = this.generation + 1): CommitReport {
    const report = { kept: 0, added: 0, removed: 0 };
    const put = new Map((change.put ?? []).map((write) => [write.document.id, write]));
    for (const id of new Set(change.remove)) if (!put.has(id)) report.removed += this.#drop(id);
    for (const { id, source, source_path } of change.rename ?? []) this.#amend(id, { source, source_path });
    for (const [id, write] of put) {
      const before = new Set(this.#writes.get(id)?.chunks.map(({ chunk }) => chunk.chunk_hash));
      const kept = write.chunks.filter(({ chunk }) => before.has(chunk.chunk_hash)).length;
      report.kept += kept;
      report.added += write.chunks.length - kept;
      report.removed += before.size - kept;
      this.#drop(id);
    }
    for (const write of put.values()) this.#insert(write);
    for (const { id, updated_at, metadata } of change.touch ?? []) this.#amend(id, { updated_at, metadata });
    for (const { kind, id, value } of change.records ?? []) this.#record(kind, id, value);
    this.vectors.prune();
    this.#idBySource.clear();
    for (const { document } of this.#writes.values()) this.#idBySource.set(document.source, document.id);
    this.generation = generation;
    return { ...report, generation: this.generation };
  }

  write(id: string): StoredDocument | undefined {
    return this.#writes.get(id);
  }

  document(id: string): Document | null {
    return this.#writes.get(id)?.document ?? null;
  }

  documentsById(ids: readonly string[]): Document[] {
    return ids.flatMap((id) => this.document(id) ?? []);
  }

  documentBySource(source: string): Document | null {
    const id = this.#idBySource.get(source);
    return id === undefined ? null : this.document(id);
  }

  documents({ filter, after, limit }: PageRequest = {}): Document[] {
    const accepts = filter === undefined ? () => true : this.#documentFilter(filter);
    return [...this.#writes.values()]
      .map(({ document }) => document)
      .filter(
        (document) => (after === undefined || byCodePoint(document.source, after) > 0) && accepts(document),
      )
      .sort((a, b) => byCodePoint(a.source, b.source))
      .slice(0, limit);
  }

  counts(): { documents: number; chunks: number } {
    return { documents: this.#writes.size, chunks: this.#docIdByChunk.size };
  }

  chunk(id: string): Chunk | null {
    const write = this.#writes.get(this.#docIdByChunk.get(id) ?? '');
    return write?.chunks.find(({ chunk }) => chunk.id === id)?.chunk ?? null;
  }

  idsBetween(first: string, last: string, limit: number): KnownId[] {
    const among = (ids: Iterable<string>, kind: KnownId['kind']): KnownId[] =>
      [...ids].filter((id) => first <= id && id <= last).map((id) => ({ kind, id }));
    const found = [...among(this.#writes.keys(), 'document'), ...among(this.#docIdByChunk.keys(), 'chunk')];
    return found.slice(0, limit);
  }

  chunksOf(docId: string): Chunk[] {
    return (this.#writes.get(docId)?.chunks ?? []).map(({ chunk }) => chunk);
  }

  adjacent(places: readonly Place[], before: number, after: number): Chunk[] {
    const near = places.flatMap(({ doc_id, index }) =>
      this.chunksOf(doc_id).filter(({ chunk_index: i }) => i >= index - before && i <= index + after),
    );
    return besidePlaces(near, places);
  }

  sections(docId: string): readonly Section[] {
    return this.#writes.get(docId)?.sections ?? [];
  }

  content(docId: string): DocumentContent | null {
    return this.#writes.get(docId)?.content ?? null;
  }

  record(kind: string, id: string): Json | null {
    return this.#records.get(kind)?.get(id) ?? null;
  }

  kinds(): string[] {
    return [...this.#records]
      .filter(([, records]) => records.size > 0)
      .map(([kind]) => kind)
      .sort(byCodePoint);
  }

  records(kind: string): { id: string; value: Json }[] {
    const records = [...(this.#records.get(kind) ?? [])].map(([id, value]) => ({ id, value }));
    return records.sort((a, b) => byCodePoint(a.id, b.id));
  }

  /** A source belongs to one document: the state after the change decides. */
  #checkSources({ put = [], remove = [], rename = [] }: StoredChange): void {
    const after = new Map([...this.#writes].map(([id, { document }]) => [id, document.source]));
    for (const id of remove) after.delete(id);
    for (const { id, source } of rename) if (after.has(id)) after.set(id, source);
    for (const { document } of put) after.set(document.id, document.source);
    const owners = new Map<string, string>();
    for (const [id, source] of after) {
      const owner = owners.get(source);
      if (owner !== undefined) throw sourceTaken(source, owner, id);
      owners.set(source, id);
    }
  }

  #insert(write: StoredDocument): void {
    const { document, chunks, words } = write;
    this.#writes.set(document.id, write);
    this.words.add({ id: document.id, kind: 'document', doc_id: document.id, content_types: null, words });
    for (const { chunk, embed_key, words: own } of chunks) {
      const { id, doc_id, content_types } = chunk;
      this.#docIdByChunk.set(id, doc_id);
      this.words.add({ id, kind: 'chunk', doc_id, content_types, words: own });
      this.vectors.add({ chunk, embed_key });
    }
  }

  #drop(id: string): number {
    const chunks = this.#writes.get(id)?.chunks ?? [];
    for (const { chunk } of chunks) {
      this.#docIdByChunk.delete(chunk.id);
      this.words.remove(chunk.id);
      this.vectors.remove(chunk.id);
    }
    this.words.remove(id);
    this.#writes.delete(id);
    return chunks.length;
  }

  #amend(id: string, fields: Partial<Document>): void {
    const write = this.#writes.get(id);
    if (write !== undefined) this.#writes.set(id, { ...write, document: { ...write.document, ...fields } });
  }

  #record(kind: string, id: string, value: Json | null): void {
    const records = this.#records.get(kind) ?? new Map<string, Json>();
    this.#records.set(kind, records);
    if (value === null) records.delete(id);
    else records.set(id, value);
  }

  #documentFilter(filter: Filter): (document: Document) => boolean {
    const matches = documentMatcher(filter);
    const types = contentTypesOf(filter);
    return (document) =>
      matches(document) &&
      (types === null || this.chunksOf(document.id).some(({ content_types }) => holds(content_types, types)));
  }

  /** Of chunks (which have content types) and documents (which have none). */
  #unitFilter(
    filter: Filter,
  ): (unit: { doc_id: string; content_types: Chunk['content_types'] | null }) => boolean {
    const types = contentTypesOf(filter);
    const passing = new Set(this.documents({ filter }).map(({ id }) => id));
    return ({ doc_id, content_types }) =>
      passing.has(doc_id) && (content_types === null || types === null || holds(content_types, types));
  }
}

const holds = (held: Chunk['content_types'], wanted: ReadonlySet<ContentType>): boolean =>
  held.some((type) => wanted.has(type));

export const sourceTaken = (source: string, owner: string, id: string): StrataError =>
  new StrataError('INVALID_RECORD', `The source "${source}" belongs to document ${owner}, not ${id}.`);

/** Backend of a library that lives and ends with the process. */
export function memoryBackend(): Backend {
  const library = new MemoryLibrary();
  return {
    driver: 'memory',
    location: 'memory',
    words: library.words,
    vectors: library.vectors,
    commit: async (change) => library.apply(change),
    generation: async () => library.generation,
    document: async (id) => library.document(id),
    documentsById: async (ids) => library.documentsById(ids),
    documentBySource: async (source) => library.documentBySource(source),
    documents: async (page) => library.documents(page),
    counts: async () => library.counts(),
    chunk: async (id) => library.chunk(id),
    documentIdsOf: async (ids) => ids.map((id) => library.chunk(id)?.doc_id ?? null),
    idsBetween: async (...range) => library.idsBetween(...range),
    chunksById: async (ids) => ids.flatMap((id) => library.chunk(id) ?? []),
    chunksOf: async (docId) => library.chunksOf(docId),
    adjacent: async (...asked) => library.adjacent(...asked),
    sections: async (docId) => library.sections(docId),
    content: async (docId) => library.content(docId),
    record: async (kind, id) => library.record(kind, id),
    kinds: async () => library.kinds(),
    records: async (kind) => library.records(kind),
    check: async () => [],
    backup: async () => {
      throw new StrataError('UNSUPPORTED', 'A library in memory has no file to back up.');
    },
    tidy: async () => {},
    close: async () => {},
  };
}
