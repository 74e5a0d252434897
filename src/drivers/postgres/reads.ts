import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import type { StrataError } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import type { Section } from '../../model/section.js';
import { besidePlaces } from '../../store/adjacent.js';
import type { DocumentContent, Finding, KnownId, PageRequest, Place } from '../../store/backend.js';
import { DamageNotes } from '../../store/damage.js';
import { type PackedContent, unpackContent, unpackSections } from '../../store/packing.js';
import { isUuid, undamaged } from '../../store/stored.js';
import type { WordsReader } from '../../store/words/words-reader.js';
import type { Pool } from './pool.js';
import { toChunk, toDocument } from './rows.js';

/** Records as they were put. One damaged record is an error where it alone is asked for, and left out of lists. */
export class Reads {
  readonly #pool: Pool;
  readonly #reader: WordsReader;
  readonly #damage = new DamageNotes();
  #counted: {
    readonly generation: number;
    readonly counts: { readonly documents: number; readonly chunks: number };
  } | null = null;

  constructor(pool: Pool, reader: WordsReader) {
    this.#pool = pool;
    this.#reader = reader;
  }

  /** Nothing is asked of the store while nothing was found. */
  async damage(): Promise<readonly Finding[]> {
    return this.#damage.isEmpty ? [] : this.#damage.at(await this.#reader.look());
  }

  readonly #noteDamage = (error: StrataError): void => this.#damage.note(error, this.#reader.generation);

  async document(id: string): Promise<Document | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.#pool.read(
      (sql) =>
        sql`SELECT record FROM ${this.#table('documents')} WHERE library = ${this.#library} AND id = ${id}`,
    );
    return row === undefined ? null : toDocument(row);
  }

  async documentsById(ids: readonly string[]): Promise<Document[]> {
    const rows = await this.#pool.read(
      (sql) => sql`SELECT record FROM ${this.#table('documents')}
        WHERE library = ${this.#library} AND id = ANY(${known(ids)}::uuid[])`,
    );
    const found = new Map(undamaged(rows, toDocument, this.#noteDamage).map((one) => [one.id, one]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async documentBySource(source: string): Promise<Document | null> {
    const [row] = await this.#pool.read(
      (sql) =>
        sql`SELECT record FROM ${this.#table('documents')} WHERE library = ${this.#library} AND source = ${source}`,
    );
    return row === undefined ? null : toDocument(row);
  }

  async documents({ filter, after = '', limit }: PageRequest = {}): Promise<Document[]> {
    const ids = filter === undefined ? null : await this.#reader.documentsThatPass(filter);
    if (ids?.length === 0) return [];
    const most = limit === undefined || !Number.isFinite(limit) ? null : limit;
    const rows = await this.#pool.read(
      (sql) => sql`SELECT record FROM ${this.#table('documents')}
        WHERE library = ${this.#library} AND source > ${after} ${ids === null ? sql`` : sql`AND id = ANY(${ids as string[]}::uuid[])`}
        ORDER BY source LIMIT ${most}`,
    );
    return undamaged(rows, toDocument, this.#noteDamage);
  }

  /** The counts of a generation; they are counted once for each generation. */
  async countsAt(generation: number): Promise<{ documents: number; chunks: number }> {
    if (this.#counted?.generation !== generation) this.#counted = { generation, counts: await this.counts() };
    return this.#counted.counts;
  }

  async counts(): Promise<{ documents: number; chunks: number }> {
    const [row] = await this.#pool.read(
      (sql) => sql`SELECT count(*) AS documents, coalesce(sum(chunk_count), 0) AS chunks
        FROM ${this.#table('documents')} WHERE library = ${this.#library}`,
    );
    return { documents: Number(row!.documents), chunks: Number(row!.chunks) };
  }

  async chunk(id: string): Promise<Chunk | null> {
    return (await this.chunksById([id]))[0] ?? null;
  }

  async documentIdsOf(ids: readonly string[]): Promise<(string | null)[]> {
    const rows = await this.#pool.read(
      (sql) => sql`SELECT id, document_id FROM ${this.#table('document_chunks')}
        WHERE library = ${this.#library} AND id = ANY(${known(ids)}::uuid[])`,
    );
    const documentIds = new Map(rows.map(({ id, document_id }) => [String(id), String(document_id)]));
    return ids.map((id) => documentIds.get(id) ?? null);
  }

  async idsBetween(first: string, last: string, limit: number): Promise<KnownId[]> {
    const rows = await this.#pool.read(
      (sql) => sql`SELECT 'document' AS kind, id FROM ${this.#table('documents')}
        WHERE library = ${this.#library} AND id BETWEEN ${first}::uuid AND ${last}::uuid
        UNION ALL SELECT 'chunk', id FROM ${this.#table('document_chunks')}
        WHERE library = ${this.#library} AND id BETWEEN ${first}::uuid AND ${last}::uuid
        LIMIT ${limit}`,
    );
    return rows.map(({ kind, id }) => ({ kind: kind === 'document' ? 'document' : 'chunk', id: String(id) }));
  }

  async chunksById(ids: readonly string[]): Promise<Chunk[]> {
    const rows = await this.#pool.read(
      (sql) => sql`SELECT record, content FROM ${this.#table('document_chunks')}
        WHERE library = ${this.#library} AND id = ANY(${known(ids)}::uuid[])`,
    );
    const found = new Map(undamaged(rows, toChunk, this.#noteDamage).map((chunk) => [chunk.id, chunk]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async chunksOf(docId: string): Promise<Chunk[]> {
    if (!isUuid(docId)) return [];
    const rows = await this.#pool.read(
      (sql) => sql`SELECT record, content FROM ${this.#table('document_chunks')}
        WHERE library = ${this.#library} AND document_id = ${docId} ORDER BY chunk_index`,
    );
    return undamaged(rows, toChunk, this.#noteDamage);
  }

  async adjacent(places: readonly Place[], before: number, after: number): Promise<Chunk[]> {
    const asked = places.filter(({ doc_id }) => isUuid(doc_id));
    const rows = await this.#pool.read(
      (sql) => sql`SELECT record, content FROM ${this.#table('document_chunks')} JOIN unnest(
          ${asked.map(({ doc_id }) => doc_id)}::uuid[],
          ${asked.map(({ index }) => String(Math.max(0, index - before)))}::bigint[],
          ${asked.map(({ index }) => String(Math.min(index + after, 2 ** 31 - 1)))}::bigint[]
        ) AS asked (document, first, last)
        ON library = ${this.#library} AND document_id = document AND chunk_index BETWEEN first AND last`,
    );
    return besidePlaces(undamaged(rows, toChunk, this.#noteDamage), places);
  }

  async sections(docId: string): Promise<readonly Section[]> {
    const packed = await this.#packed(docId);
    return packed === null ? [] : unpackSections(packed, docId);
  }

  async content(docId: string): Promise<DocumentContent | null> {
    const packed = await this.#packed(docId);
    return packed && unpackContent(packed, docId);
  }

  async record(kind: string, id: string): Promise<Json | null> {
    const [row] = await this.#pool.read(
      (sql) => sql`SELECT value FROM ${this.#table('strata_records')}
        WHERE library = ${this.#library} AND kind = ${kind} AND id = ${id}`,
    );
    return row === undefined ? null : (JSON.parse(String(row.value)) as Json);
  }

  async kinds(): Promise<string[]> {
    const rows = await this.#pool.read(
      (sql) =>
        sql`SELECT DISTINCT kind FROM ${this.#table('strata_records')} WHERE library = ${this.#library} ORDER BY kind`,
    );
    return rows.map(({ kind }) => String(kind));
  }

  async records(kind: string): Promise<{ id: string; value: Json }[]> {
    const rows = await this.#pool.read(
      (sql) => sql`SELECT id, value FROM ${this.#table('strata_records')}
        WHERE library = ${this.#library} AND kind = ${kind} ORDER BY id`,
    );
    return rows.map(({ id, value }) => ({ id: String(id), value: JSON.parse(String(value)) as Json }));
  }

  async #packed(docId: string): Promise<PackedContent | null> {
    if (!isUuid(docId)) return null;
    const [row] = await this.#pool.read(
      (sql) => sql`SELECT text, structure FROM ${this.#table('document_texts')}
        WHERE library = ${this.#library} AND document_id = ${docId}`,
    );
    return row === undefined ? null : { text: row.text, structure: row.structure };
  }

  get #library(): string {
    return this.#pool.address.library;
  }

  #table(name: string) {
    return this.#pool.table(name);
  }
}

/** The server takes nothing but UUIDs for ids. */
const known = (ids: readonly string[]): string[] => ids.filter(isUuid);
