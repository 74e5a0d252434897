import type { Document } from '../../../model/document.js';
import type { Change, CommitReport, PackedWrite } from '../../../store/backend.js';
import { ByteReader } from '../../../store/bytes.js';
import { sourceTaken } from '../../../store/memory/memory.js';
import { SegmentBuilder, type SharedWords } from '../../../store/words/segment-builder.js';
import type { Connection } from '../connection.js';
import { readState, takeSegment, updateState } from '../state.js';
import type { Row, Value } from '../values.js';
import { dropOrphans } from '../vectors/vectors.js';
import type { Merger } from '../words/merger.js';
import { writeSegment } from '../words/segments.js';
import { UnitPages } from '../words/unit-pages.js';
import {
  type PackedDocument,
  type PackedPart,
  type PackedUnit,
  unitOf,
  unpackPart,
} from './packed-document.js';
import { CHUNK_COLUMNS, ITEM_COLUMNS, itemRow, recordRow, sealChunk, toDocument } from './rows.js';

const INSERT_CHUNK = `INSERT INTO knowledge_chunks (${CHUNK_COLUMNS}) VALUES (${CHUNK_COLUMNS.replace(/\w+/g, '?')})`;

/** What a commit writes: documents are packed by then. */
export type PackedChange = Omit<Change, 'put'> & { readonly put: readonly PackedWrite[] };

/** One change, inside one write transaction: records, words and vectors together. */
export class Commit {
  readonly #connection: Connection;
  readonly #pages: UnitPages;
  readonly #segment = new SegmentBuilder();
  readonly #report = { kept: 0, added: 0, removed: 0 };
  #nextUnit: number;
  readonly #generation: number;

  constructor(connection: Connection) {
    const state = readState(connection);
    this.#connection = connection;
    this.#pages = new UnitPages(connection);
    this.#nextUnit = state.next_unit;
    this.#generation = state.generation + 1;
  }

  apply(change: PackedChange, merger: Merger): CommitReport {
    const { put } = change;
    const kept = new Set(put.map(({ document }) => document.id));
    for (const id of new Set(change.remove)) if (!kept.has(id)) this.#remove(id);
    this.#rename(change.rename ?? [], kept);
    this.#checkSources(put);
    for (const write of put) this.#put(write);
    for (const { id, updated_at, metadata } of change.touch ?? []) {
      const row = this.#itemRow(id);
      if (row !== undefined) this.#amend(row, { updated_at, metadata });
    }
    for (const { kind, id, value } of change.records ?? []) {
      if (value === null) this.#connection.run('DELETE FROM records WHERE kind = ? AND id = ?', kind, id);
      else
        this.#connection.run(
          'INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)',
          ...recordRow(kind, id, value),
        );
    }
    this.#settle();
    if (this.#segment.units > 0) writeSegment(this.#connection, takeSegment(this.#connection), this.#segment);
    merger.inline();
    const { index_version } = readState(this.#connection);
    updateState(this.#connection, {
      generation: this.#generation,
      index_version: index_version + 1,
      next_unit: this.#nextUnit,
    });
    return { ...this.#report, generation: this.#generation };
  }

  #remove(id: string): void {
    const [chunks] = this.#connection.get('SELECT count(*) FROM knowledge_chunks WHERE item_id = ?', id)!;
    const { changes } = this.#connection.run('DELETE FROM knowledge_items WHERE id = ?', id);
    if (changes > 0) this.#report.removed += Number(chunks);
  }

  /** The state afterwards counts: sources that are about to change are put out of the way first. */
  #rename(renames: NonNullable<Change['rename']>, put: ReadonlySet<string>): void {
    const last = new Map(renames.map((rename) => [rename.id, rename]));
    const moving = [...last.values()].flatMap((rename) => {
      const row = this.#itemRow(rename.id);
      return row === undefined ? [] : [{ row, rename }];
    });
    if (moving.length > 0) this.#park([...moving.map(({ rename }) => rename.id), ...put]);
    for (const { row, rename } of moving) {
      // A document that is put as well gets its source there.
      if (!put.has(rename.id)) this.#amend(row, rename);
    }
  }

  #park(ids: Iterable<string>): void {
    for (const id of ids)
      this.#connection.run("UPDATE knowledge_items SET source = '?' || id WHERE id = ?", id);
  }

  /** A source belongs to one document. */
  #checkSources(put: readonly PackedWrite[]): void {
    const ids = new Set(put.map(({ document }) => document.id));
    for (const { document } of put) {
      const owner = this.#ownerOf(document.source);
      if (owner !== undefined && !ids.has(owner)) throw sourceTaken(document.source, owner, document.id);
    }
    this.#park(ids);
  }

  #ownerOf(source: string): string | undefined {
    return this.#connection.get('SELECT id FROM knowledge_items WHERE source = ?', source)?.[0] as
      | string
      | undefined;
  }

  #itemRow(id: string): Row | undefined {
    return this.#connection.get(`SELECT ${ITEM_COLUMNS} FROM knowledge_items WHERE id = ?`, id);
  }

  #amend(row: Row, fields: Partial<Document>): void {
    const [unit, words] = row.slice(-3) as number[];
    const document = { ...toDocument(row), ...fields };
    const owner = this.#ownerOf(document.source);
    if (owner !== undefined && owner !== document.id) throw sourceTaken(document.source, owner, document.id);
    this.#writeItem(itemRow(document, unit!, words!));
  }

  #writeItem(row: readonly Value[]): void {
    const columns = ITEM_COLUMNS.split(', ').slice(1);
    const assignments = columns.map((column) => `${column} = excluded.${column}`).join(', ');
    const marks = row.map(() => '?').join(', ');
    this.#connection.run(
      `INSERT INTO knowledge_items (${ITEM_COLUMNS}) VALUES (${marks}) ON CONFLICT (id) DO UPDATE SET ${assignments}`,
      ...row,
    );
  }

  #put({ document, packed, parts }: PackedWrite): void {
    const { text, structure, own: part } = packed as PackedDocument;
    const own = unitOf(part, 0);
    const before = this.#connection.get(
      'SELECT n, unit, words FROM knowledge_items WHERE id = ?',
      document.id,
    );
    const [knownItem, knownUnit, knownWords] = (before ?? []) as (number | undefined)[];
    const isSame = knownWords === own.checksum;
    const unit = isSame ? knownUnit! : this.#nextUnit++;
    this.#writeItem(itemRow(document, unit, own.checksum));
    const item =
      knownItem ??
      (this.#connection.get('SELECT n FROM knowledge_items WHERE id = ?', document.id)![0] as number);
    if (!isSame) {
      if (knownUnit !== undefined) this.#connection.run('INSERT INTO tombstones VALUES (?, NULL)', knownUnit);
      this.#setUnit(unit, own, item, document.id);
      this.#index(unit, part.words, 0, own.end, this.#segment.wordsOf('document', part.terms));
    }
    this.#connection.run('INSERT OR REPLACE INTO item_texts VALUES (?, ?, ?)', item, text, structure);
    this.#putChunks(parts, document, item, this.#segment.wordsOf('chunk', part.terms));
  }

  /** Chunks whose text and words are the same keep their unit, and so their postings; a row that is the same stays. */
  #putChunks(parts: readonly Uint8Array[], document: Document, item: number, shared: SharedWords): void {
    const rows = this.#connection.all(
      'SELECT id, unit, words, crc FROM knowledge_chunks WHERE item_id = ?',
      document.id,
    );
    const old = new Map(rows.map((row) => [row[0] as string, row as Row]));
    const isNew = old.size === 0;
    const fresh: Value[][] = [];
    let kept = 0;
    for (const bytes of parts) {
      const part = unpackPart(bytes);
      if (part.restart) shared.restart();
      shared.number(part.terms);
      let start = 0;
      for (const [i, fields] of part.rows.entries()) {
        const own = unitOf(part, i);
        const id = fields[0] as string;
        const before = old.get(id);
        const [, oldUnit, oldWords, oldCrc] = (before ?? []) as (number | undefined)[];
        const isSame = oldWords === own.checksum;
        const unit = isSame ? oldUnit! : this.#nextUnit++;
        if (oldUnit !== undefined) kept++;
        if (!isSame) {
          this.#setUnit(unit, own, item, id);
          this.#index(unit, part.words, start, own.end, shared);
        }
        start = own.end;
        const row = sealChunk(unit, fields, own.checksum, document.title);
        if (row.at(-1) === oldCrc) {
          old.delete(id);
          continue;
        }
        // What types it holds is in the unit's page too.
        if (isSame) this.#setUnit(unit, own, item, id);
        if (isNew) this.#connection.run(INSERT_CHUNK, ...row);
        else fresh.push(row);
      }
    }
    for (const [, unit] of old.values())
      this.#connection.run('DELETE FROM knowledge_chunks WHERE unit = ?', unit!);
    for (const row of fresh) this.#connection.run(INSERT_CHUNK, ...row);
    this.#report.kept += kept;
    this.#report.added += document.chunk_count - kept;
    this.#report.removed += rows.length - kept;
  }

  #index(unit: number, words: PackedPart['words'], start: number, end: number, shared: SharedWords): void {
    this.#segment.begin(unit);
    const reader = new ByteReader(words, start);
    while (reader.at < end) shared.push(reader.varint(), unit, reader.varint(), reader.varint());
  }

  #setUnit(unit: number, own: PackedUnit, item: number, id: string): void {
    const { type, body_length, title_length, norm } = own;
    this.#pages.set(unit, { type, item, id, body_length, title_length, norm });
  }

  /** Words and vectors follow the rows that are gone, whoever deleted them. */
  #settle(): void {
    const gone = this.#connection.all(
      `SELECT unit, embed_key FROM tombstones t
       WHERE NOT EXISTS (SELECT 1 FROM knowledge_chunks c WHERE c.unit = t.unit)`,
    );
    for (const [unit] of gone) {
      this.#pages.kill(unit as number);
      this.#connection.run(
        'UPDATE segments SET dead = dead + 1 WHERE first_unit <= ? AND last_unit >= ?',
        ...[unit as number, unit as number],
      );
    }
    dropOrphans(this.#connection);
    this.#connection.run('DELETE FROM tombstones');
    this.#pages.flush(this.#generation);
  }
}
