import type { Chunk } from '../../../model/chunk.js';
import type { Document } from '../../../model/document.js';
import { StrataError } from '../../../model/errors.js';
import type { Json } from '../../../model/json/json.js';
import type { Section } from '../../../model/section.js';
import type { DocumentContent, Finding, KnownId, PageRequest } from '../../../store/backend.js';
import { DamageNotes } from '../../../store/damage.js';
import { type PackedContent, unpackContent, unpackSections } from '../../../store/packing.js';
import { undamaged } from '../../../store/stored.js';
import type { UnitFilters } from '../../../store/words/unit-filters.js';
import type { Connection } from '../connection.js';
import { readState } from '../state.js';
import type { IndexCache } from '../words/index-cache.js';
import { CHUNK_COLUMNS, ITEM_COLUMNS, toChunk, toDocument, toRecord } from './rows.js';

export const CHUNKS = `SELECT ${CHUNK_COLUMNS.split(', ')
  .map((column) => `c.${column}`)
  .join(', ')}, i.title FROM knowledge_chunks c JOIN knowledge_items i ON i.id = c.item_id`;

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
    return this.#connection.read(() =>
      ids.map((id) => {
        const row = this.#connection.get('SELECT item_id FROM knowledge_chunks WHERE id = ?', id);
        return row === undefined ? null : (row[0] as string);
      }),
    );
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
    return this.#connection.read(() =>
      ids.flatMap((id) =>
        undamaged(
          this.#connection.all(`${CHUNKS} WHERE c.id = ?`, id),
          (row) => askedFor(toChunk(row), { id }),
          this.#noteDamage,
        ),
      ),
    );
  }

  chunksOf(docId: string): Chunk[] {
    return undamaged(
      this.#connection.all(`${CHUNKS} WHERE c.item_id = ? ORDER BY c.chunk_index`, docId),
      toChunk,
      this.#noteDamage,
    );
  }

  adjacent(docId: string, index: number, before: number, after: number): Chunk[] {
    const rows = this.#connection.all(
      `${CHUNKS} WHERE c.item_id = ? AND c.chunk_index BETWEEN ? AND ? AND c.chunk_index <> ? ORDER BY c.chunk_index`,
      ...[docId, index - before, index + after, index],
    );
    return undamaged(rows, (row) => askedFor(toChunk(row), { doc_id: docId }), this.#noteDamage);
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
