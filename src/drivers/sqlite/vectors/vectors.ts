import { embeddedText } from '../../../model/indexed.js';
import type { Filter } from '../../../store/filter.js';
import { refuseAnother, refuseDimensions } from '../../../store/index/nearest.js';
import { byScore } from '../../../store/index/order.js';
import { quantisePassage, type StoredVector, similarity } from '../../../store/index/quantise.js';
import { readAllBelow, sampleIds, samplePlaces } from '../../../store/index/sample-ids.js';
import { type Sketch, sketchStored } from '../../../store/index/sketch.js';
import { validateBatch } from '../../../store/validate.js';
import { packParts, packVector, unpackParts, unpackPassage } from '../../../store/vector-packing.js';
import type {
  KeyedVector,
  PendingText,
  VectorBatch,
  VectorIndex,
  VectorMatch,
  VectorQuery,
  VectorState,
} from '../../../store/vectors.js';
import type { UnitFilters } from '../../../store/words/unit-filters.js';
import type { Connection } from '../connection.js';
import { CHUNK_COLUMNS, packKey, toChunk, unpackKey } from '../records/rows.js';
import { readState } from '../state.js';
import type { IndexCache } from '../words/index-cache.js';
import { type ActiveSpace, sketchesOfVectors, VectorCache } from './vector-cache.js';
import { Coverage } from './vector-coverage.js';
import { appendSketches, blockOf, rewriteSketches } from './vector-sketches.js';

/** Inside a commit: vectors whose key no chunk has any more. The tombstones say which keys lost a chunk. */
export function dropOrphans(connection: Connection): void {
  connection.run(
    `DELETE FROM vectors WHERE embed_key IN (
       SELECT embed_key FROM tombstones t
       WHERE embed_key IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM knowledge_chunks c WHERE c.embed_key = t.embed_key))`,
  );
}

/** Where a filter lets through at most this many chunks, their vectors are looked up one by one and scanned alone. */
const FEW = 2000;
/** More vectors gone than this, and than a fifth of the living: time to rewrite the sketches. */
const MANY_GONE = 1000;

/** Vectors in the library's file, by fingerprint and `embed_key`. */
export class SqliteVectors implements VectorIndex {
  readonly #connection: Connection;
  readonly #index: IndexCache;
  readonly #filters: UnitFilters;
  readonly #cache: VectorCache;
  readonly #coverage: Coverage;
  /** No chunk below this unit was pending, at that generation, while the model had that space. */
  #pendingFrom = { fingerprint: '', space: -1, generation: -1, unit: 0 };

  constructor(connection: Connection, index: IndexCache, filters: UnitFilters) {
    this.#connection = connection;
    this.#index = index;
    this.#filters = filters;
    this.#cache = new VectorCache(connection);
    this.#coverage = new Coverage(connection);
  }

  async near({ vector, k, filter, fingerprint }: VectorQuery): Promise<readonly VectorMatch[]> {
    return this.#connection.read(() => {
      const active = this.#active(fingerprint);
      if (active === undefined || k === 0) return [];
      refuseDimensions(vector, active.dimensions);
      this.#cache.sync(active);
      return this.#scored(vector, this.#nearest(vector, k, filter, active.space));
    });
  }

  #nearest(vector: Float32Array, k: number, filter: Filter | undefined, space: number): SlotMatch[] {
    // Only a filter needs to know the chunks.
    if (filter === undefined) return this.#walk(vector, k, k, () => true);
    this.#index.sync();
    const passes = this.#filters.slots(filter);
    if (passes === null) return this.#walk(vector, k, k, () => true);
    const { table } = this.#index;
    const passing: number[] = [];
    let chunks = 0;
    for (let slot = 0; slot < table.size; slot++) {
      if (table.types[slot]! < FIRST_CHUNK_TYPE) continue;
      chunks++;
      if (passes(slot)) passing.push(slot);
    }
    const accepts = this.#filters.units(filter);
    if (passing.length > FEW)
      return this.#walk(vector, k, Math.ceil((1.5 * k * chunks) / passing.length), accepts);
    const slots = passing.flatMap((slot) => this.#slotsOf(table.id(slot), space));
    return this.#named(this.#cache.near(vector, slots.length, slots), k, accepts).matches;
  }

  /** Chunks of the nearest vectors that pass, from the nearest on; further down while there are too few. */
  #walk(vector: Float32Array, k: number, first: number, accepts: (unit: number) => boolean): SlotMatch[] {
    for (let depth = first + TIES; ; depth *= 4) {
      const found = this.#cache.near(vector, Math.min(depth, this.#cache.live));
      const { matches, complete } = this.#named(found, k, accepts);
      if (complete || depth >= this.#cache.live) return matches;
    }
  }

  /** Complete when whatever comes next scores less than the last. */
  #named(
    found: readonly { readonly slot: number; readonly score: number }[],
    k: number,
    accepts: (unit: number) => boolean,
  ): { matches: SlotMatch[]; complete: boolean } {
    const matches: SlotMatch[] = [];
    let complete = false;
    for (const { slot, score } of found) {
      // Equal scores are ordered by id: all of them are needed before the list can be cut.
      complete = matches.length >= k && score < matches[matches.length - 1]!.score;
      if (complete) break;
      const users = this.#connection.all(
        'SELECT unit, id FROM knowledge_chunks WHERE embed_key = (SELECT embed_key FROM vectors WHERE slot = ?)',
        slot,
      );
      for (const [unit, id] of users)
        if (accepts(Number(unit))) matches.push({ id: String(id), score, slot });
    }
    return { matches: matches.sort(byScore).slice(0, k), complete };
  }

  /** Near by their whole vectors; in order by their best parts. */
  #scored(vector: Float32Array, near: readonly SlotMatch[]): VectorMatch[] {
    const scores = new Map<number, number>();
    for (const { slot, score } of near) {
      if (scores.has(slot)) continue;
      const parts = this.#parts(slot);
      scores.set(slot, parts === undefined ? score : similarity(vector, { ...NO_VECTOR, parts }, score));
    }
    return near.map(({ id, slot }) => ({ id, score: scores.get(slot)! })).sort(byScore);
  }

  /** undefined where the passage was read whole, or its parts are damaged: its own vector counts. */
  #parts(slot: number): readonly StoredVector[] | undefined {
    const sql = 'SELECT v.embed_key, p.data FROM vector_parts p JOIN vectors v USING (slot) WHERE p.slot = ?';
    const row = this.#connection.get(sql, slot);
    return row === undefined ? undefined : (unpackParts(unpackKey(row[0]), row[1]) ?? undefined);
  }

  async pending(fingerprint: string, limit: number): Promise<readonly PendingText[]> {
    return this.#connection.read(() => {
      const { generation } = readState(this.#connection);
      const hint = this.#pendingFrom;
      const space = this.#space(fingerprint)?.space ?? -1;
      // Another model's take-over drops this one's vectors, and with them its space: all is pending again.
      const known =
        hint.fingerprint === fingerprint && hint.space === space && hint.generation === generation;
      let from = known ? hint.unit : 0;
      const columns = CHUNK_COLUMNS.split(', ').map((column) => `c.${column}`);
      const texts = new Map<string, string>();
      for (let isFirst = true; texts.size < limit; isFirst = false) {
        const wanted = Math.min(limit - texts.size, 10_000);
        const rows = this.#connection.all(
          `SELECT ${columns.join(', ')}, i.title FROM knowledge_chunks c JOIN knowledge_items i ON i.id = c.item_id
           WHERE c.unit >= ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.embed_key = c.embed_key AND v.space = ?)
           ORDER BY c.unit LIMIT ?`,
          from,
          space,
          wanted,
        );
        if (isFirst && rows.length > 0)
          this.#pendingFrom = { fingerprint, space, generation, unit: Number(rows[0]![0]) };
        for (const row of rows) {
          const key = unpackKey(row[11]);
          if (!texts.has(key)) texts.set(key, embeddedText(toChunk(row)));
        }
        if (rows.length < wanted) break;
        from = Number(rows.at(-1)![0]) + 1;
      }
      return [...texts].map(([embed_key, text]) => ({ embed_key, text }));
    });
  }

  async put(batch: VectorBatch): Promise<{ stored: number }> {
    const { fingerprint, dimensions, entries } = batch;
    return this.#connection.write(() => {
      const known = this.#space(fingerprint);
      validateBatch(batch, known?.dimensions);
      const wanted = new Map(
        entries.filter(({ embed_key }) => this.#isUsed(embed_key)).map((one) => [one.embed_key, one]),
      );
      const stored = entries.filter(({ embed_key }) => wanted.has(embed_key)).length;
      if (stored === 0) return { stored: 0 };
      const { space } = known ?? this.#create(fingerprint, dimensions);
      const added: { slot: number; sketch: Sketch }[] = [];
      for (const [embed_key, passage] of wanted) {
        const key = packKey(embed_key);
        const quantised = quantisePassage(passage);
        this.#connection.run('DELETE FROM vectors WHERE embed_key = ? AND space = ?', key, space);
        const sql = 'INSERT INTO vectors (space, embed_key, data) VALUES (?, ?, ?)';
        const { rowid } = this.#connection.run(sql, space, key, packVector(unpackKey(key), quantised));
        if (quantised.parts) {
          const parts = packParts(unpackKey(key), quantised.parts);
          this.#connection.run('INSERT INTO vector_parts VALUES (?, ?)', rowid, parts);
        }
        added.push({ slot: rowid, sketch: sketchStored(quantised) });
      }
      appendSketches(this.#connection, space, dimensions, blockOf(added, dimensions));
      this.#forgetGone(space, dimensions);
      return { stored };
    });
  }

  async scores(
    chunkIds: readonly string[],
    { vector, fingerprint }: Pick<VectorQuery, 'vector' | 'fingerprint'>,
  ): Promise<ReadonlyMap<string, number>> {
    return this.#connection.read(() => {
      const found = new Map<string, number>();
      const active = this.#active(fingerprint);
      if (active === undefined) return found;
      for (const id of chunkIds) {
        const stored = this.#keyed(id, active.space)?.vector;
        if (stored) found.set(id, similarity(vector, stored));
      }
      return found;
    });
  }

  async stored(chunkIds: readonly string[]): Promise<ReadonlyMap<string, KeyedVector>> {
    return this.#connection.read(() => {
      const space = this.#active(undefined)?.space ?? -1;
      const found = new Map<string, KeyedVector>();
      for (const id of chunkIds) {
        const keyed = this.#keyed(id, space);
        if (keyed !== undefined) found.set(id, keyed);
      }
      return found;
    });
  }

  #keyed(chunkId: string, space: number): KeyedVector | undefined {
    const row = this.#connection.get(
      `SELECT c.embed_key, v.data, p.data FROM knowledge_chunks c
       LEFT JOIN vectors v ON v.embed_key = c.embed_key AND v.space = ?
       LEFT JOIN vector_parts p ON p.slot = v.slot WHERE c.id = ?`,
      space,
      chunkId,
    );
    if (row === undefined) return undefined;
    const embed_key = unpackKey(row[0]);
    return { embed_key, vector: row[1] === null ? null : unpackPassage(embed_key, row[1], row[2]) };
  }

  async sample(count: number): Promise<readonly string[]> {
    return this.#connection.read(() => {
      const most = readAllBelow(count);
      const ids = this.#connection.all('SELECT id FROM knowledge_chunks ORDER BY id LIMIT ?', most + 1);
      if (ids.length <= most) return sampleIds(ids.map(String), count);
      const sql = 'SELECT id FROM knowledge_chunks WHERE id >= ? ORDER BY id LIMIT 1';
      const found = samplePlaces(count).flatMap((place) => this.#connection.get(sql, place) ?? []);
      return [...new Set(found.map(String))];
    });
  }

  async state(): Promise<VectorState> {
    return this.#connection.read(() => this.#coverage.state());
  }

  async activate(fingerprint: string, dimensions: number): Promise<void> {
    this.#pendingFrom = { fingerprint: '', space: -1, generation: -1, unit: 0 };
    await this.#connection.write(() => {
      const known = this.#space(fingerprint);
      validateBatch({ fingerprint, dimensions, entries: [] }, known?.dimensions);
      const { space } = known ?? this.#create(fingerprint, dimensions);
      this.#connection.run('DELETE FROM vector_spaces WHERE space <> ?', space);
      this.#connection.run('DELETE FROM vectors_gone WHERE space <> ?', space);
      this.#connection.run('UPDATE vector_spaces SET active = 1 WHERE space = ?', space);
    });
  }

  /** The searched space, if it is the one the query was made for. */
  #active(fingerprint: string | undefined): ActiveSpace | undefined {
    const row = this.#connection.get(
      'SELECT space, dimensions, epoch, fingerprint FROM vector_spaces WHERE active = 1',
    );
    if (row === undefined) return undefined;
    refuseAnother(fingerprint, String(row[3]));
    return { space: Number(row[0]), dimensions: Number(row[1]), epoch: Number(row[2]) };
  }

  #slotsOf(chunkId: string, space: number): readonly number[] {
    const sql = `SELECT v.slot FROM knowledge_chunks c JOIN vectors v ON v.embed_key = c.embed_key AND v.space = ?
      WHERE c.id = ?`;
    return this.#connection.all(sql, space, chunkId).map(([slot]) => Number(slot));
  }

  #space(fingerprint: string): { readonly space: number; readonly dimensions: number } | undefined {
    const sql = 'SELECT space, dimensions FROM vector_spaces WHERE fingerprint = ?';
    const row = this.#connection.get(sql, fingerprint);
    return row && { space: Number(row[0]), dimensions: Number(row[1]) };
  }

  /** The first of a library is the active one. */
  #create(fingerprint: string, dimensions: number): { readonly space: number; readonly dimensions: number } {
    const sql = `INSERT INTO vector_spaces (fingerprint, dimensions, active, epoch)
      SELECT ?, ?, NOT EXISTS (SELECT 1 FROM vector_spaces WHERE active = 1), 0`;
    const { rowid } = this.#connection.run(sql, fingerprint, dimensions);
    return { space: rowid, dimensions };
  }

  #isUsed(key: string): boolean {
    const sql = 'SELECT 1 FROM knowledge_chunks WHERE embed_key = ? LIMIT 1';
    return this.#connection.get(sql, packKey(key)) !== undefined;
  }

  /** What is gone is remembered for the sake of other processes; not for ever. */
  #forgetGone(space: number, dimensions: number): void {
    const [gone] = this.#connection.get('SELECT count(*) FROM vectors_gone WHERE space = ?', space)!;
    if (Number(gone) <= MANY_GONE) return;
    const live = sketchesOfVectors(this.#connection, space, dimensions);
    if (Number(gone) > live.slots.length / 5) rewriteSketches(this.#connection, space, dimensions, live);
  }
}

interface SlotMatch extends VectorMatch {
  readonly slot: number;
}

/** Stands for a passage's own vector where only its parts are still to be compared: its score is known. */
const NO_VECTOR: StoredVector = { scale: 0, codes: new Int8Array(0) };

/** Unit types below are the dead and the documents (unit-page.ts). */
const FIRST_CHUNK_TYPE = 2;
/** How many more are asked for, in case the last ones score the same. */
const TIES = 8;
