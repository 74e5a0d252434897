import { randomUUID } from 'node:crypto';
import type { Document } from '../../model/document.js';
import type { CommitReport } from '../../store/backend.js';
import { dequantise } from '../../store/index/quantise.js';
import { sourceTaken } from '../../store/memory/memory.js';
import { packContent } from '../../store/packing.js';
import type { StoredChange, StoredDocument } from '../../store/records.js';
import { unpackVector } from '../../store/vector-packing.js';
import { wordsChecksum } from '../../store/words/check-words.js';
import { chunkType, DOCUMENT } from '../../store/words/unit-page.js';
import { WordsChange } from '../../store/words/words-change.js';
import { bytesOf, childRow, parentRow, toDocument, typesText } from './rows.js';
import { isOneOf, quote, type Row, row, type Table } from './table.js';
import { readState, type State, stateRow, wordsRows, wordsStore } from './word-rows.js';

/** One change as one version of the table. The caller holds the lock. */
export class Commit {
  readonly #table: Table;
  readonly #rows: Record<string, unknown>[] = [];
  readonly #gone = new Set<string>();
  readonly #goneKeys = new Set<string>();
  readonly #report = { kept: 0, added: 0, removed: 0 };
  /** Keys that lost a chunk, and keys that a chunk of this change has. */
  readonly #loosened = new Set<string>();
  readonly #used = new Set<string>();
  #state: State;
  #words: WordsChange;

  private constructor(table: Table, state: State) {
    this.#table = table;
    this.#state = state;
    this.#words = new WordsChange(state);
  }

  static async apply(table: Table, change: StoredChange): Promise<CommitReport> {
    return new Commit(table, await readState(table)).#apply(change);
  }

  async #apply(change: StoredChange): Promise<CommitReport> {
    const { put = [], rename = [], touch = [] } = change;
    const written = new Map(put.map((write) => [write.document.id, write]));
    const remove = [...new Set(change.remove)].filter((id) => !written.has(id));
    const ids = [...written.keys(), ...remove, ...rename.map(({ id }) => id), ...touch.map(({ id }) => id)];
    const parents = new Map(
      (
        await this.#table.among(
          'key',
          [...new Set(ids)].map((id) => `parent/${id}`),
          ['id', 'record', 'position', 'unit', 'words'],
        )
      ).map((one) => [String(one.id), one]),
    );
    await this.#checkSources(change, parents, remove);
    for (const id of remove) if (parents.has(id)) await this.#remove(id, parents.get(id)!);
    for (const write of put) await this.#put(withTouch(write, touch), parents.get(write.document.id));
    this.#amend(change, parents, new Set([...written.keys(), ...remove]));
    this.#putRecords(change.records ?? []);
    await this.#dropOrphans();
    return this.#write();
  }

  /** Of a record that stands twice in a change the last counts. */
  #putRecords(records: NonNullable<StoredChange['records']>): void {
    const last = new Map(
      records.map((record) => [`record/${JSON.stringify([record.kind, record.id])}`, record]),
    );
    for (const [key, { kind, id, value }] of last) {
      if (value === null) this.#goneKeys.add(key);
      else this.#rows.push(row({ key, kind: 'record', owner: kind, id, record: JSON.stringify(value) }));
    }
  }

  /** A source belongs to one document; the state afterwards counts. */
  async #checkSources(
    change: StoredChange,
    parents: ReadonlyMap<string, Row>,
    removed: readonly string[],
  ): Promise<void> {
    const put = new Map((change.put ?? []).map(({ document }) => [document.id, document.source]));
    const renamed = (change.rename ?? []).filter(
      ({ id }) => parents.has(id) && !put.has(id) && !removed.includes(id),
    );
    const after = new Map([...renamed.map(({ id, source }) => [id, source] as const), ...put]);
    const takers = new Map<string, string>();
    for (const [id, source] of after) {
      const other = takers.get(source);
      if (other !== undefined) throw sourceTaken(source, other, id);
      takers.set(source, id);
    }
    const owners = await this.#table.among('source', [...takers.keys()], ['kind', 'id', 'source']);
    for (const { kind, id, source } of owners) {
      const taker = takers.get(String(source))!;
      if (kind !== 'parent' || id === taker || after.has(String(id)) || removed.includes(String(id)))
        continue;
      throw sourceTaken(String(source), String(id), taker);
    }
  }

  async #remove(id: string, parent: Row): Promise<void> {
    const chunks = await this.#chunks(id);
    this.#words.kill(Number(parent.unit));
    for (const chunk of chunks) this.#lose(chunk);
    this.#report.removed += chunks.length;
    this.#gone.add(id);
  }

  #chunks(docId: string): Promise<readonly Row[]> {
    return this.#table.select(`kind = 'chunk' AND doc_id = ${quote(docId)}`, [
      'id',
      'unit',
      'words',
      'content_types',
      'embed_key',
    ]);
  }

  #lose({ unit, embed_key }: Row): void {
    this.#words.kill(Number(unit));
    this.#loosened.add(String(embed_key));
  }

  async #put(
    { document, sections, content, chunks, words }: StoredDocument,
    parent: Row | undefined,
  ): Promise<void> {
    const { id } = document;
    const old = new Map(
      (parent === undefined ? [] : await this.#chunks(id)).map((chunk) => [String(chunk.id), chunk]),
    );
    const n = parent === undefined ? this.#take() : Number(parent.position);
    const sum = wordsChecksum(words);
    let unit = Number(parent?.unit);
    if (Number(parent?.words) !== sum) {
      if (parent !== undefined) this.#words.kill(unit);
      unit = this.#words.add('document', { type: DOCUMENT, item: n, id }, words);
    }
    this.#rows.push(parentRow(document, n, unit, sum));
    const vectors = await this.#vectorsOf(chunks.map(({ embed_key }) => embed_key));
    for (const { chunk, embed_key, words: own } of chunks) {
      const before = old.get(chunk.id);
      old.delete(chunk.id);
      const check = wordsChecksum(own);
      const record = { type: chunkType(chunk.content_types), item: n, id: chunk.id };
      let place = Number(before?.unit);
      if (Number(before?.words) !== check) {
        if (before !== undefined) this.#words.kill(place);
        place = this.#words.add('chunk', record, own);
      } else if (before!.content_types !== typesText(chunk.content_types))
        this.#words.amend(place, record, own);
      if (before === undefined) this.#report.added++;
      else {
        this.#report.kept++;
        this.#loosened.add(String(before.embed_key));
      }
      this.#used.add(embed_key);
      this.#rows.push(childRow(chunk, embed_key, place, check, vectors.get(embed_key) ?? null));
    }
    for (const chunk of old.values()) this.#lose(chunk);
    this.#report.removed += old.size;
    const packed = packContent(content, sections, id);
    for (const name of ['text', 'structure'] as const)
      this.#rows.push(
        row({ key: `${name}/${id}`, kind: name, owner: id, id, data: Buffer.from(packed[name]) }),
      );
    this.#gone.add(id);
  }

  #take(): number {
    const { next_item } = this.#state;
    this.#state = { ...this.#state, next_item: next_item + 1 };
    return next_item;
  }

  /** Texts that were embedded before have their vectors at once. */
  async #vectorsOf(keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    const { active } = this.#state;
    if (active === null) return found;
    const rows = await this.#table.among(
      'key',
      [...new Set(keys)].map((key) => vectorKey(active, key)),
      ['embed_key', 'data'],
    );
    for (const { embed_key, data } of rows) {
      const stored = unpackVector(String(embed_key), bytesOf(data));
      if (stored !== null) found.set(String(embed_key), dequantise(stored));
    }
    return found;
  }

  #amend(
    { rename = [], touch = [] }: StoredChange,
    parents: ReadonlyMap<string, Row>,
    except: ReadonlySet<string>,
  ): void {
    const amended = new Map<string, Document>();
    for (const { id, ...fields } of [...rename, ...touch]) {
      const parent = parents.get(id);
      if (parent === undefined || except.has(id)) continue;
      amended.set(id, { ...(amended.get(id) ?? toDocument(parent)), ...fields });
    }
    for (const [id, document] of amended) {
      const { position, unit, words } = parents.get(id)!;
      this.#rows.push(parentRow(document, Number(position), Number(unit), Number(words)));
    }
  }

  /** Vectors go with the last chunk that has their key. */
  async #dropOrphans(): Promise<void> {
    const keys = [...this.#loosened].filter((key) => !this.#used.has(key));
    const users = await this.#table.among('embed_key', keys, ['kind', 'owner', 'embed_key']);
    const kept = new Set(
      users
        .filter(({ kind, owner }) => kind === 'chunk' && !this.#gone.has(String(owner)))
        .map(({ embed_key }) => String(embed_key)),
    );
    for (const key of keys)
      if (!kept.has(key))
        for (const fingerprint of Object.keys(this.#state.spaces))
          this.#goneKeys.add(vectorKey(fingerprint, key));
  }

  async #write(): Promise<CommitReport> {
    const store = wordsStore(this.#table);
    const generation = this.#state.generation + 1;
    const write = await this.#words.finish(store);
    const { rows, owners } = wordsRows(write, write.dead.size > 0 ? await store.segments() : [], generation);
    const { next_unit, next_segment } = write;
    const state = {
      ...this.#state,
      identity: this.#state.identity ?? randomUUID(),
      generation,
      index_version: this.#state.index_version + 1,
      next_unit,
      next_segment,
    };
    const where = [isOneOf('owner', [...this.#gone, ...owners]), isOneOf('key', [...this.#goneKeys])].filter(
      (one) => one !== 'false',
    );
    const all = new Map([...this.#rows, ...rows, stateRow(state)].map((one) => [one.key, one]));
    await this.#table.merge([...all.values()], where.length === 0 ? null : where.join(' OR '));
    return { ...this.#report, generation };
  }
}

export const vectorKey = (fingerprint: string, key: string): string => `vector/${fingerprint}/${key}`;

function withTouch(write: StoredDocument, touches: NonNullable<StoredChange['touch']>): StoredDocument {
  const touch = touches.findLast(({ id }) => id === write.document.id);
  if (touch === undefined) return write;
  return {
    ...write,
    document: { ...write.document, updated_at: touch.updated_at, metadata: touch.metadata },
  };
}
