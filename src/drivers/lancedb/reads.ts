import type { Chunk } from '../../model/chunk.js';
import type { Document } from '../../model/document.js';
import type { StrataError } from '../../model/errors.js';
import type { Json } from '../../model/json/json.js';
import type { Section } from '../../model/section.js';
import { besidePlaces } from '../../store/adjacent.js';
import type { DocumentContent, Finding, KnownId, PageRequest, Place } from '../../store/backend.js';
import { DamageNotes } from '../../store/damage.js';
import { byCodePoint } from '../../store/index/order.js';
import { type PackedContent, unpackContent, unpackSections } from '../../store/packing.js';
import { undamaged } from '../../store/stored.js';
import type { WordsReader } from '../../store/words/words-reader.js';
import { CHUNK_COLUMNS, parsed, toChunk, toDocument } from './rows.js';
import { quote, type Row, type Table } from './table.js';

/** Records as they were put. One damaged record is an error where it alone is asked for, and left out of lists. */
export class Reads {
  readonly #table: Table;
  readonly #reader: WordsReader;
  readonly #damage = new DamageNotes();

  constructor(table: Table, reader: WordsReader) {
    this.#table = table;
    this.#reader = reader;
  }

  /** Nothing is asked of the store while nothing was found. */
  async damage(): Promise<readonly Finding[]> {
    return this.#damage.isEmpty ? [] : this.#damage.at(await this.#reader.look());
  }

  readonly #noteDamage = (error: StrataError): void => this.#damage.note(error, this.#reader.generation);

  async document(id: string): Promise<Document | null> {
    const [found] = await this.#table.among('key', [`parent/${id}`], ['record']);
    return found === undefined ? null : toDocument(found);
  }

  async documentsById(ids: readonly string[]): Promise<Document[]> {
    const keys = [...new Set(ids)].map((id) => `parent/${id}`);
    const rows = await this.#table.among('key', keys, ['record']);
    const found = new Map(undamaged(rows, toDocument, this.#noteDamage).map((one) => [one.id, one]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async documentBySource(source: string): Promise<Document | null> {
    const [found] = await this.#table.select(`kind = 'parent' AND source = ${quote(source)}`, ['record']);
    return found === undefined ? null : toDocument(found);
  }

  async documents({ filter, after = '', limit }: PageRequest = {}): Promise<Document[]> {
    const rows =
      filter === undefined
        ? await this.#table.select(`kind = 'parent' AND source > ${quote(after)}`, ['record'])
        : await this.#table.among(
            'key',
            (await this.#reader.documentsThatPass(filter)).map((id) => `parent/${id}`),
            ['record'],
          );
    return undamaged(rows, toDocument, this.#noteDamage)
      .filter(({ source }) => byCodePoint(source, after) > 0)
      .sort((a, b) => byCodePoint(a.source, b.source))
      .slice(0, limit);
  }

  async counts(): Promise<{ documents: number; chunks: number }> {
    const [documents, chunks] = await Promise.all([
      this.#table.count("kind = 'parent'"),
      this.#table.count("kind = 'chunk'"),
    ]);
    return { documents, chunks };
  }

  async documentIdsOf(ids: readonly string[]): Promise<(string | null)[]> {
    const rows = await this.#table.among(
      'key',
      ids.map((id) => `chunk/${id}`),
      ['id', 'doc_id'],
    );
    const documentIds = new Map(rows.map(({ id, doc_id }) => [String(id), String(doc_id)]));
    return ids.map((id) => documentIds.get(id) ?? null);
  }

  async idsBetween(first: string, last: string, limit: number): Promise<KnownId[]> {
    const between = (kind: string): string =>
      `key >= ${quote(`${kind}/${first}`)} AND key <= ${quote(`${kind}/${last}`)}`;
    const [documents, chunks] = await Promise.all([
      this.#table.select(between('parent'), ['id']),
      this.#table.select(between('chunk'), ['id']),
    ]);
    const known = (kind: KnownId['kind']) => (row: Row) => ({ kind, id: String(row.id) });
    return [...documents.map(known('document')), ...chunks.map(known('chunk'))].slice(0, limit);
  }

  async chunksById(ids: readonly string[]): Promise<Chunk[]> {
    const rows = await this.#table.among(
      'key',
      [...new Set(ids)].map((id) => `chunk/${id}`),
      CHUNK_COLUMNS,
    );
    const found = new Map(undamaged(rows, toChunk, this.#noteDamage).map((chunk) => [chunk.id, chunk]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async chunksOf(docId: string): Promise<Chunk[]> {
    const rows = await this.#table.select(`kind = 'chunk' AND doc_id = ${quote(docId)}`, CHUNK_COLUMNS);
    return undamaged(
      [...rows].sort((a, b) => Number(a.position) - Number(b.position)),
      toChunk,
      this.#noteDamage,
    );
  }

  async adjacent(places: readonly Place[], before: number, after: number): Promise<Chunk[]> {
    if (places.length === 0) return [];
    const near = places.map(
      ({ doc_id, index }) =>
        `(doc_id = ${quote(doc_id)} AND position >= ${Math.max(0, index - before)} AND position <= ${Math.min(index + after, 2 ** 31 - 1)})`,
    );
    const documents = [...new Set(places.map(({ doc_id }) => quote(doc_id)))];
    // The index is asked for the documents; of their chunks those at the places are taken.
    const where = `kind = 'chunk' AND doc_id IN (${documents.join(', ')}) AND (${near.join(' OR ')})`;
    const rows = await this.#table.select(where, CHUNK_COLUMNS);
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

  async #packed(docId: string): Promise<PackedContent | null> {
    const rows = await this.#table.among('key', [`text/${docId}`, `structure/${docId}`], ['kind', 'data']);
    const text = rows.find(({ kind }) => kind === 'text');
    return text === undefined
      ? null
      : { text: text.data, structure: rows.find(({ kind }) => kind === 'structure')?.data };
  }

  async record(kind: string, id: string): Promise<Json | null> {
    const [found] = await this.#table.among('key', [`record/${JSON.stringify([kind, id])}`], ['record']);
    return found === undefined ? null : (parsed(found.record) as Json);
  }

  async kinds(): Promise<string[]> {
    const rows = await this.#table.select("kind = 'record'", ['owner']);
    return [...new Set(rows.map(({ owner }) => String(owner)))].sort(byCodePoint);
  }

  async records(kind: string): Promise<{ id: string; value: Json }[]> {
    const rows = await this.#table.select(`kind = 'record' AND owner = ${quote(kind)}`, ['id', 'record']);
    return rows
      .map(({ id, record }) => ({ id: String(id), value: parsed(record) as Json }))
      .sort((a, b) => byCodePoint(a.id, b.id));
  }
}
