import type { Sql } from 'postgres';
import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import type { Json, JsonObject } from '../../model/json/json.js';
import type { UnitWords } from '../../model/words.js';
import type { Change, CommitReport } from '../../store/backend.js';
import { sourceTaken } from '../../store/memory/memory.js';
import { packContent } from '../../store/packing.js';
import type { StoredChange, StoredDocument } from '../../store/records.js';
import { wordsChecksum } from '../../store/words/check-words.js';
import { chunkType, DOCUMENT } from '../../store/words/unit-page.js';
import { WordsChange } from '../../store/words/words-change.js';
import type { Pool } from './pool.js';
import { checksum, chunkColumns, documentColumns, type Row, sectionColumns, toDocument } from './rows.js';
import { dropOrphans, inheritEmbeddings } from './vectors.js';
import { batches, wordsStore, writeWords } from './word-rows.js';

interface KnownDocument {
  readonly document: Document;
  readonly n: number;
  readonly unit: number;
  readonly words: number;
}

const ROWS = 500;

/** One change, inside one transaction that holds the library's row: records, words and vectors together. */
export class Commit {
  readonly #pool: Pool;
  readonly #sql: Sql;
  readonly #library: string;
  readonly #generation: number;
  readonly #indexVersion: number;
  readonly #words: WordsChange;
  #nextItem: number;
  readonly #known = new Map<string, KnownDocument>();
  /** Keys that lost a chunk. */
  readonly #loosened = new Set<string>();
  readonly #report = { kept: 0, added: 0, removed: 0 };

  constructor(pool: Pool, sql: Sql, state: Row) {
    this.#pool = pool;
    this.#sql = sql;
    this.#library = pool.address.library;
    this.#generation = Number(state.generation) + 1;
    this.#indexVersion = Number(state.index_version) + 1;
    this.#nextItem = Number(state.next_item);
    this.#words = new WordsChange({
      next_unit: Number(state.next_unit),
      next_segment: Number(state.next_segment),
    });
  }

  async apply(change: StoredChange): Promise<CommitReport> {
    const { put = [], rename = [], touch = [] } = change;
    const written = new Set(put.map(({ document }) => document.id));
    const remove = [...new Set(change.remove)].filter((id) => !written.has(id));
    await this.#learn([...written, ...remove, ...rename.map(({ id }) => id), ...touch.map(({ id }) => id)]);
    await this.#remove(remove);
    await this.#amend(rename, touch, written);
    await this.#checkSources(change, written, remove);
    await this.#put(put);
    await this.#touchPut(touch, written);
    await this.#records(change.records ?? []);
    await this.#settle();
    const write = await this.#words.finish(wordsStore(this.#pool, this.#sql));
    await writeWords(this.#pool, this.#sql, write, this.#generation);
    await this.#sql`UPDATE ${this.#table('strata_libraries')} SET generation = ${this.#generation},
      index_version = ${this.#indexVersion}, next_unit = ${write.next_unit}, next_segment = ${write.next_segment},
      next_item = ${this.#nextItem} WHERE name = ${this.#library}`;
    return { ...this.#report, generation: this.#generation };
  }

  #table(name: string) {
    return this.#pool.table(name);
  }

  async #learn(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.#sql`SELECT record, n, unit, words FROM ${this.#table('documents')}
      WHERE library = ${this.#library} AND id = ANY(${ids}::uuid[])`;
    for (const row of rows) {
      const document = toDocument(row);
      this.#known.set(document.id, {
        document,
        n: Number(row.n),
        unit: Number(row.unit),
        words: Number(row.words),
      });
    }
  }

  async #remove(ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => this.#known.has(id));
    if (known.length === 0) return;
    const [count] = await this.#sql`SELECT count(*) AS chunks FROM ${this.#table('document_chunks')}
      WHERE library = ${this.#library} AND document_id = ANY(${known}::uuid[])`;
    this.#report.removed += Number(count!.chunks);
    await this
      .#sql`DELETE FROM ${this.#table('documents')} WHERE library = ${this.#library} AND id = ANY(${known}::uuid[])`;
    for (const id of known) this.#known.delete(id);
  }

  /** New sources and metadata of documents that are not put; a document that is put brings its own source. */
  async #amend(
    renames: NonNullable<Change['rename']>,
    touches: NonNullable<Change['touch']>,
    put: ReadonlySet<string>,
  ): Promise<void> {
    const changed = new Map<string, Document>();
    for (const { id, ...fields } of [...renames, ...touches]) {
      const known = changed.get(id) ?? this.#known.get(id)?.document;
      if (known !== undefined && !put.has(id)) changed.set(id, { ...known, ...fields });
    }
    for (const document of changed.values()) {
      const { n, unit, words } = this.#known.get(document.id)!;
      this.#known.set(document.id, { document, n, unit, words });
      await this.#writeDocuments([{ document, n, unit, words }]);
    }
  }

  /** A source belongs to one document; the state afterwards counts. */
  async #checkSources(
    change: StoredChange,
    put: ReadonlySet<string>,
    removed: readonly string[],
  ): Promise<void> {
    const renamed = new Map(
      (change.rename ?? [])
        .filter(({ id }) => this.#known.has(id) && !put.has(id))
        .map((r) => [r.id, r.source]),
    );
    const wanted = new Map<string, string>();
    for (const [id, source] of [
      ...renamed,
      ...(change.put ?? []).map(({ document }) => [document.id, document.source] as const),
    ]) {
      const owner = wanted.get(source);
      if (owner !== undefined && owner !== id) throw sourceTaken(source, owner, id);
      wanted.set(source, id);
    }
    if (wanted.size === 0) return;
    const rows = await this.#sql`SELECT id, source FROM ${this.#table('documents')}
      WHERE library = ${this.#library} AND source = ANY(${[...wanted.keys()]})`;
    for (const { id, source } of rows) {
      const taker = wanted.get(source)!;
      const gives = put.has(id) || renamed.has(id) || removed.includes(id);
      if (taker !== id && !gives) throw sourceTaken(source, id, taker);
    }
  }

  async #writeDocuments(documents: readonly KnownDocument[]): Promise<void> {
    const rows = documents.map(({ document, n, unit, words }) => ({
      library: this.#library,
      ...documentColumns(document),
      n,
      unit,
      words,
    }));
    for (const batch of batches(rows, ROWS)) {
      await this.#sql`INSERT INTO ${this.#table('documents')} ${this.#sql(batch as never)}
        ON CONFLICT (library, id) DO UPDATE SET source = excluded.source, source_path = excluded.source_path,
          title = excluded.title, summary = excluded.summary, hash = excluded.hash, updated_at = excluded.updated_at,
          chunk_count = excluded.chunk_count, metadata = excluded.metadata, record = excluded.record,
          unit = excluded.unit, words = excluded.words`;
    }
  }

  async #put(writes: readonly StoredDocument[]): Promise<void> {
    if (writes.length === 0) return;
    const ids = writes.map(({ document }) => document.id);
    const rows = await this
      .#sql`SELECT id, unit, words, crc, content_types, embed_key FROM ${this.#table('document_chunks')}
      WHERE library = ${this.#library} AND document_id = ANY(${ids}::uuid[])`;
    const old = new Map(rows.map((row) => [row.id as string, row as Row]));
    const documents = writes.map((write) => this.#documentOf(write));
    await this.#writeDocuments(documents);
    const chunks = writes.flatMap((write, i) => this.#chunksOf(write, documents[i]!.n, old));
    this.#report.removed += old.size;
    await this.#writeChunks(chunks);
    await inheritEmbeddings(
      this.#pool,
      this.#sql,
      chunks.map(({ id }) => id),
    );
    if (old.size > 0)
      await this.#sql`DELETE FROM ${this.#table('document_chunks')}
        WHERE library = ${this.#library} AND id = ANY(${[...old.keys()]}::uuid[])`;
    await this.#writeContents(writes);
  }

  #documentOf({ document, words }: StoredDocument): KnownDocument {
    const known = this.#known.get(document.id);
    const sum = wordsChecksum(words);
    const n = known?.n ?? this.#nextItem++;
    if (known?.words === sum) return { document, n, unit: known.unit, words: sum };
    if (known !== undefined) this.#words.kill(known.unit);
    const unit = this.#words.add('document', { type: DOCUMENT, item: n, id: document.id }, words);
    return { document, n, unit, words: sum };
  }

  /** Rows that are not as they would be written now. What is left in `old` is gone. */
  #chunksOf({ document, chunks }: StoredDocument, item: number, old: Map<string, Row>): ChunkRow[] {
    const fresh: ChunkRow[] = [];
    for (const { chunk, embed_key, words } of chunks) {
      const columns = chunkColumns(chunk);
      const before = old.get(chunk.id);
      old.delete(chunk.id);
      const sum = wordsChecksum(words);
      const unit = this.#unitOf(chunk, item, words, sum, before);
      const crc = checksum(columns, embed_key, unit, sum, document.id);
      if (before === undefined) this.#report.added++;
      else this.#report.kept++;
      if (Number(before?.crc) === crc) continue;
      if (before !== undefined) this.#loosened.add(String(before.embed_key));
      fresh.push({ library: this.#library, ...columns, embed_key, unit, words: sum, crc });
    }
    return fresh;
  }

  #unitOf(chunk: Chunk, item: number, words: UnitWords, sum: number, before?: Row): number {
    const record = { type: chunkType(chunk.content_types), item, id: chunk.id };
    if (Number(before?.words) !== sum) {
      if (before !== undefined) this.#words.kill(Number(before.unit));
      return this.#words.add('chunk', record, words);
    }
    const unit = Number(before!.unit);
    if (String(before!.content_types) !== String(chunk.content_types)) this.#words.amend(unit, record, words);
    return unit;
  }

  async #writeChunks(rows: readonly ChunkRow[]): Promise<void> {
    for (const batch of batches(rows, ROWS)) {
      await this.#sql`INSERT INTO ${this.#table('document_chunks')} ${this.#sql(batch as never)}
        ON CONFLICT (library, id) DO UPDATE SET section_id = excluded.section_id, chunk_index = excluded.chunk_index,
          chunk_hash = excluded.chunk_hash, title = excluded.title, content = excluded.content,
          content_type = excluded.content_type, content_types = excluded.content_types, metadata = excluded.metadata, record = excluded.record,
          embedding = CASE WHEN document_chunks.embed_key = excluded.embed_key THEN document_chunks.embedding END,
          embed_key = excluded.embed_key, unit = excluded.unit, words = excluded.words, crc = excluded.crc`;
    }
  }

  async #writeContents(writes: readonly StoredDocument[]): Promise<void> {
    for (const { document, sections, content } of writes) {
      const { text, structure } = packContent(content, sections, document.id);
      await this.#sql`INSERT INTO ${this.#table('document_texts')}
        VALUES (${this.#library}, ${document.id}, ${Buffer.from(text)}, ${Buffer.from(structure)})
        ON CONFLICT (library, document_id) DO UPDATE SET text = excluded.text, structure = excluded.structure`;
      await this.#sql`DELETE FROM ${this.#table('document_sections')}
        WHERE library = ${this.#library} AND document_id = ${document.id}`;
      const rows = [...sections].map((section, i) => ({
        library: this.#library,
        ...sectionColumns(section, i),
      }));
      for (const batch of batches(rows, ROWS))
        await this.#sql`INSERT INTO ${this.#table('document_sections')}
          ${this.#sql(batch as never)} ON CONFLICT DO NOTHING`;
    }
  }

  /** Touched after it was put in the same change. */
  async #touchPut(touches: NonNullable<Change['touch']>, put: ReadonlySet<string>): Promise<void> {
    for (const { id, updated_at, metadata } of touches.filter((touch) => put.has(touch.id))) {
      const [row] = await this.#sql`SELECT record, n, unit, words FROM ${this.#table('documents')}
        WHERE library = ${this.#library} AND id = ${id}`;
      const document = { ...toDocument(row!), updated_at, metadata };
      const [n, unit, words] = [row!.n, row!.unit, row!.words].map(Number) as [number, number, number];
      await this.#writeDocuments([{ document, n, unit, words }]);
    }
  }

  async #records(records: readonly { kind: string; id: string; value: Json | null }[]): Promise<void> {
    for (const { kind, id, value } of records) {
      if (value === null)
        await this.#sql`DELETE FROM ${this.#table('strata_records')}
          WHERE library = ${this.#library} AND kind = ${kind} AND id = ${id}`;
      else
        await this.#sql`INSERT INTO ${this.#table('strata_records')}
          VALUES (${this.#library}, ${kind}, ${id}, ${JSON.stringify(value)})
          ON CONFLICT (library, kind, id) DO UPDATE SET value = excluded.value`;
    }
  }

  /** Words and vectors follow the rows that are gone, whoever deleted them. */
  async #settle(): Promise<void> {
    const gone = await this.#sql`DELETE FROM ${this.#table('strata_tombstones')}
      WHERE library = ${this.#library} RETURNING unit, embed_key`;
    for (const { unit, embed_key } of gone) {
      this.#words.kill(Number(unit));
      if (embed_key !== null) this.#loosened.add(String(embed_key));
    }
    await dropOrphans(this.#pool, this.#sql, [...this.#loosened]);
  }
}

type ChunkRow = JsonObject & { readonly id: string };
