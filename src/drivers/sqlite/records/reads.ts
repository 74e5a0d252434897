import type { Chunk } from '../../../model/chunk.js';
import type { Document } from '../../../model/document.js';
import { StrataError } from '../../../model/errors.js';
import type { Json } from '../../../model/json/json.js';
import type { Section } from '../../../model/section.js';
import { besidePlaces } from '../../../store/adjacent.js';
import type { DocumentContent, Finding, KnownId, PageRequest, Place } from '../../../store/backend.js';
import { DamageNotes } from '../../../store/damage.js';
import { type PackedContent, unpackContent, unpackSections } from '../../../store/packing.js';
import { undamaged } from '../../../store/stored.js';
import type { UnitFilters } from '../../../store/words/unit-filters.js';
import type { Connection } from '../connection.js';
import { readState } from '../state.js';
import type { Row } from '../values.js';
import type { IndexCache } from '../words/index-cache.js';
import { CHUNK_COLUMNS, ITEM_COLUMNS, toChunk, toDocument, toRecord } from './rows.js';

const CHUNK_FIELDS = `${CHUNK_COLUMNS.split(', ')
  .map((column) => `c.${column}`)
  .join(', ')}, i.title`;
export const CHUNKS = `SELECT ${CHUNK_FIELDS} FROM knowledge_chunks c JOIN knowledge_items i ON i.id = c.item_id`;

/** What is asked for, a row each: a CROSS JOIN keeps their order. */
const ASKED = '(SELECT value AS asked FROM json_each(?))';

/** Records as they were put. One damaged record is an error where it alone is asked for, and left out of lists. */
export class Reads {
  readonly #connection: Connection;
  readonly #index: IndexCache;
  readonly #filters: UnitFilters;
  readonly #damage = new DamageNotes();

  constructor(connection: Connection, index: IndexCache, filters: UnitFilters) {
    this.#connection = connection;
    this.#index = index;
    this.#filters = filters;
  }

  damage(): readonly Finding[] {
    return this.#damage.at(readState(this.#connection).generation);
  }

  readonly #noteDamage = (error: StrataError): void =>
    this.#damage.note(error, readState(this.#connection).generation);

  document(id: string): Document | null {
    const row = this.#connection.get(`SELECT ${ITEM_COLUMNS} FROM knowledge_items WHERE id = ?`, id);
    return row === undefined ? null : askedFor(toDocument(row), { id });
  }

  documentsById(ids: readonly string[]): Document[] {
    const sql = `SELECT ${ITEM_COLUMNS}, asked FROM ${ASKED} CROSS JOIN knowledge_items ON id = asked`;
    return this.#undamaged(sql, ids, (row, id) => askedFor(toDocument(row), { id }));
  }

  documentBySource(source: string): Document | null {
    const row = this.#connection.get(`SELECT ${ITEM_COLUMNS} FROM knowledge_items WHERE source = ?`, source);
    return row === undefined ? null : askedFor(toDocument(row), { source });
  }

  documents({ filter, after, limit }: PageRequest = {}): Document[] {
    return this.#connection.read(() => {
      this.#index.sync();
      const passing = filter === undefined ? null : this.#filters.items(filter);
      const found: Document[] = [];
      const most = limit ?? Number.POSITIVE_INFINITY;
      // A page at a time: a filter may leave out most of them.
      for (let from = after ?? ''; found.length < most; ) {
        const size = passing === null && Number.isFinite(most) ? most - found.length : 1000;
        const rows = this.#connection.all(
          `SELECT ${ITEM_COLUMNS}, n FROM knowledge_items WHERE source > ? ORDER BY source LIMIT ?`,
          ...[from, size],
        );
        for (const row of rows) {
          if (found.length < most && (passing === null || passing[Number(row.at(-1))] === 1)) {
            found.push(...undamaged([row.slice(0, -1)], toDocument, this.#noteDamage));
          }
        }
        if (rows.length < size) break;
        from = rows.at(-1)![1] as string;
      }
      return found;
    });
  }

  /**
   * Once a search has loaded all units, those are counted: every search asks for this, and reading the rows of all documents
   * took half of its time in a library of 200,000 chunks.
   */
  counts(): { documents: number; chunks: number } {
    return this.#connection.read(() => {
      if (this.#index.isLoaded) {
        this.#index.sync();
        const { table } = this.#index;
        return { documents: table.stats('document').units, chunks: table.stats('chunk').units };
      }
      const [documents, chunks] = this.#connection.get(
        'SELECT count(*), coalesce(sum(chunk_count), 0) FROM knowledge_items',
      )!;
      return { documents: Number(documents), chunks: Number(chunks) };
    });
  }

  chunk(id: string): Chunk | null {
    const row = this.#connection.get(`${CHUNKS} WHERE c.id = ?`, id);
    return row === undefined ? null : askedFor(toChunk(row), { id });
  }

  documentIdsOf(ids: readonly string[]): (string | null)[] {
    const rows = this.#connection.all(
      `SELECT asked, item_id FROM ${ASKED} CROSS JOIN knowledge_chunks ON id = asked`,
      JSON.stringify(ids),
    );
    const documentIds = new Map(rows.map(([id, documentId]) => [id, documentId as string]));
    return ids.map((id) => documentIds.get(id) ?? null);
  }

  idsBetween(first: string, last: string, limit: number): KnownId[] {
    const rows = this.#connection.all(
      `SELECT * FROM (SELECT 'document', id FROM knowledge_items WHERE id BETWEEN ? AND ? LIMIT ?)
       UNION ALL SELECT * FROM (SELECT 'chunk', id FROM knowledge_chunks WHERE id BETWEEN ? AND ? LIMIT ?) LIMIT ?`,
      ...[first, last, limit, first, last, limit, limit],
    );
    return rows.map(([kind, id]) => ({ kind: kind as KnownId['kind'], id: id as string }));
  }

  chunksById(ids: readonly string[]): Chunk[] {
    const sql = `SELECT ${CHUNK_FIELDS}, asked FROM ${ASKED}
      CROSS JOIN knowledge_chunks c ON c.id = asked JOIN knowledge_items i ON i.id = c.item_id`;
    return this.#undamaged(sql, ids, (row, id) => askedFor(toChunk(row), { id }));
  }

  chunksOf(docId: string): Chunk[] {
    return undamaged(
      this.#connection.all(`${CHUNKS} WHERE c.item_id = ? ORDER BY c.chunk_index`, docId),
      toChunk,
      this.#noteDamage,
    );
  }

  adjacent(places: readonly Place[], before: number, after: number): Chunk[] {
    const asked = places.map(({ doc_id, index }) => [
      doc_id,
      Math.max(0, index - before),
      Math.min(index + after, Number.MAX_SAFE_INTEGER),
    ]);
    const sql = `SELECT ${CHUNK_FIELDS}, asked ->> 0 FROM ${ASKED}
      CROSS JOIN knowledge_chunks c ON c.item_id = asked ->> 0
        AND c.chunk_index BETWEEN asked ->> 1 AND asked ->> 2
      JOIN knowledge_items i ON i.id = c.item_id`;
    const found = this.#undamaged(sql, asked, (row, doc_id) => askedFor(toChunk(row), { doc_id }));
    return besidePlaces(found, places);
  }

  sections(docId: string): readonly Section[] {
    const packed = this.#packed(docId);
    return packed === null ? [] : unpackSections(packed, docId);
  }

  content(docId: string): DocumentContent | null {
    const packed = this.#packed(docId);
    return packed && unpackContent(packed, docId);
  }

  record(kind: string, id: string): Json | null {
    const sql = 'SELECT kind, id, value, crc FROM records WHERE kind = ? AND id = ?';
    const row = this.#connection.get(sql, kind, id);
    return row === undefined ? null : toRecord(row).value;
  }

  kinds(): string[] {
    return this.#connection
      .all('SELECT DISTINCT kind FROM records ORDER BY kind')
      .map(([kind]) => String(kind));
  }

  records(kind: string): { id: string; value: Json }[] {
    const sql = 'SELECT kind, id, value, crc FROM records WHERE kind = ? ORDER BY id';
    return undamaged(this.#connection.all(sql, kind), toRecord);
  }

  /** The rows for all that is asked, in one statement; the last column is what was asked for. */
  #undamaged<T>(sql: string, asked: readonly Json[], make: (row: Row, asked: string) => T): T[] {
    return undamaged(
      this.#connection.all(sql, JSON.stringify(asked)),
      (row) => make(row.slice(0, -1), row.at(-1) as string),
      this.#noteDamage,
    );
  }

  #packed(docId: string): PackedContent | null {
    const sql = 'SELECT text, structure FROM item_texts JOIN knowledge_items USING (n) WHERE id = ?';
    const row = this.#connection.get(sql, docId);
    return row === undefined ? null : { text: row[0], structure: row[1] };
  }
}

/** A damaged index may lead to a row that is whole, but another's. */
function askedFor<T extends object>(record: T, asked: Partial<T>): T {
  const isRight = Object.entries(asked).every(([field, value]) => record[field as keyof T] === value);
  if (isRight) return record;
  const message = `An index of the library is damaged (asked for ${Object.values(asked)}); run \`strata doctor --fix\`.`;
  throw new StrataError('STORE_DAMAGED', message);
}
