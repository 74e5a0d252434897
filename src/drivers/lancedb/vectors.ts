import { embeddedText } from '../../model/indexed.js';
import { contentTypesOf, restrictsDocuments } from '../../store/filtering.js';
import { nearest, refuseAnother, refuseDimensions } from '../../store/index/nearest.js';
import { dequantise, quantisePassage, type StoredVector, similarity } from '../../store/index/quantise.js';
import { sampleIds } from '../../store/index/sample-ids.js';
import { validateBatch } from '../../store/validate.js';
import { packParts, packVector, unpackPassage } from '../../store/vector-packing.js';
import type {
  KeyedVector,
  PendingText,
  VectorBatch,
  VectorIndex,
  VectorMatch,
  VectorQuery,
  VectorState,
} from '../../store/vectors.js';
import type { WordsReader } from '../../store/words/words-reader.js';
import { vectorKey } from './commit.js';
import { bytesOf, toChunk } from './rows.js';
import { COLUMNS, isOneOf, quote, type Row, row, type Table } from './table.js';
import { readState, type State, stateRow } from './word-rows.js';

/** What the table orders may differ a little from our own order: a few more are looked at. */
const MARGIN = 20;

/** So many chunks' vectors are kept in memory: a search compares its question with the same hundred passages each time. */
const MOST_KEPT = 2000;

/**
 * The canonical vectors are rows of their own; those of the active model stand in the chunks' `vector` column too, where
 * the table's index finds the nearest and other programs search. Scores are made of the canonical ones.
 */
export class LanceVectors implements VectorIndex {
  readonly #table: Table;
  readonly #reader: WordsReader;
  readonly #stateNow: () => Promise<State>;
  readonly #exclusively: <T>(body: () => Promise<T>) => Promise<T>;
  #kept: { readonly state: State; readonly chunks: Map<string, KeyedVector> } | null = null;
  #counted: { readonly version: number; readonly state: VectorState } | null = null;

  constructor(
    table: Table,
    reader: WordsReader,
    stateNow: () => Promise<State>,
    exclusively: <T>(body: () => Promise<T>) => Promise<T>,
  ) {
    this.#table = table;
    this.#reader = reader;
    this.#stateNow = stateNow;
    this.#exclusively = exclusively;
  }

  async near({ vector, k, filter, fingerprint }: VectorQuery): Promise<readonly VectorMatch[]> {
    const { active, spaces } = await this.#stateNow();
    if (active === null) return [];
    refuseAnother(fingerprint, active);
    if (k === 0) return [];
    refuseDimensions(vector, spaces[active]);
    const where = await this.#where(filter);
    if (where === null || (await this.#table.dimensions()) === 0) return [];
    const most = Number.isFinite(k) ? Math.ceil(k * 1.2) + MARGIN : await this.#table.count("kind = 'chunk'");
    if (most === 0) return [];
    const near = await this.#table.near(vector, where === '' ? null : where, most, ['id', 'embed_key']);
    const stored = await this.#storedOf(
      active,
      near.map(({ embed_key }) => String(embed_key)),
    );
    return nearest(
      vector,
      k,
      near.flatMap(({ id, embed_key }) => {
        const own = stored.get(String(embed_key));
        return own === undefined ? [] : [[String(id), own] as const];
      }),
    );
  }

  /** null where nothing can pass, empty where everything does: only chunks have a vector. */
  async #where(filter: VectorQuery['filter']): Promise<string | null> {
    const { content_types: _, ...asked } = filter ?? {};
    const parts: string[] = [];
    if (restrictsDocuments(asked)) {
      const ids = await this.#reader.documentsThatPass(asked);
      if (ids.length === 0) return null;
      parts.push(isOneOf('doc_id', ids));
    }
    const types = filter === undefined ? null : contentTypesOf(filter);
    if (types?.size === 0) return null;
    if (types !== null)
      parts.push(`(${[...types].map((type) => `content_types LIKE '%|${type}|%'`).join(' OR ')})`);
    return parts.join(' AND ');
  }

  async pending(fingerprint: string, limit: number): Promise<readonly PendingText[]> {
    const known = new Set(
      (await this.#table.select(`kind = 'vector' AND owner = ${quote(fingerprint)}`, ['embed_key'])).map(
        (one) => String(one.embed_key),
      ),
    );
    const wanted = new Map<string, string>();
    for (const { id, embed_key } of await this.#table.select("kind = 'chunk'", ['id', 'embed_key'])) {
      const key = String(embed_key);
      if (!known.has(key) && !wanted.has(key)) wanted.set(key, String(id));
    }
    const keys = [...wanted.keys()].sort().slice(0, Number.isFinite(limit) ? limit : undefined);
    const rows = await this.#table.among(
      'key',
      keys.map((key) => `chunk/${wanted.get(key)}`),
      ['content', 'record', 'embed_key'],
    );
    const texts = new Map(rows.map((one) => [String(one.embed_key), embeddedText(toChunk(one))]));
    return keys.map((embed_key) => ({ embed_key, text: texts.get(embed_key)! }));
  }

  async put(batch: VectorBatch): Promise<{ stored: number }> {
    validateBatch(batch, undefined);
    return this.#exclusively(async () => {
      const state = await readState(this.#table);
      const { fingerprint, dimensions } = batch;
      validateBatch({ ...batch, entries: [] }, state.spaces[fingerprint]);
      const given = new Map(batch.entries.map((entry) => [entry.embed_key, quantisePassage(entry)]));
      const chunks = (await this.#table.among('embed_key', [...given.keys()], COLUMNS)).filter(
        ({ kind }) => kind === 'chunk',
      );
      const stored = new Map(
        chunks.map(({ embed_key }) => [String(embed_key), given.get(String(embed_key))!]),
      );
      if (stored.size === 0) return { stored: 0 };
      const next = withSpace(state, fingerprint, dimensions);
      const rows: Record<string, unknown>[] = [...stored].map(([key, vector]) =>
        vectorRow(fingerprint, key, vector),
      );
      if (next.active === fingerprint) {
        if ((await this.#table.dimensions()) !== dimensions) await this.#table.renewVectors(dimensions);
        rows.push(
          ...chunks.map((chunk) => ({
            ...plain(chunk),
            vector: dequantise(stored.get(String(chunk.embed_key))!),
          })),
        );
      }
      await this.#table.merge([...rows, stateRow(next)], null);
      return { stored: stored.size };
    });
  }

  async scores(
    chunkIds: readonly string[],
    { vector, fingerprint }: Pick<VectorQuery, 'vector' | 'fingerprint'>,
  ): Promise<ReadonlyMap<string, number>> {
    const { active } = await this.#stateNow();
    if (active !== null) refuseAnother(fingerprint, active);
    const found = new Map<string, number>();
    for (const [id, keyed] of await this.stored(chunkIds))
      if (keyed.vector !== null) found.set(id, similarity(vector, keyed.vector));
    return found;
  }

  async stored(chunkIds: readonly string[]): Promise<ReadonlyMap<string, KeyedVector>> {
    const state = await this.#stateNow();
    // The state is another object as soon as anything was written.
    if (this.#kept?.state !== state || this.#kept.chunks.size > MOST_KEPT)
      this.#kept = { state, chunks: new Map() };
    const { chunks } = this.#kept;
    const missing = chunkIds.filter((id) => !chunks.has(id));
    for (const [id, keyed] of await this.#readStored(state.active, missing)) chunks.set(id, keyed);
    return new Map(
      chunkIds.flatMap((id) => {
        const keyed = chunks.get(id);
        return keyed === undefined ? [] : [[id, keyed] as const];
      }),
    );
  }

  async #readStored(
    active: string | null,
    chunkIds: readonly string[],
  ): Promise<readonly (readonly [string, KeyedVector])[]> {
    const rows = await this.#table.among(
      'key',
      chunkIds.map((id) => `chunk/${id}`),
      ['id', 'embed_key'],
    );
    const keys = rows.map(({ embed_key }) => String(embed_key));
    const vectors = active === null ? new Map<string, StoredVector>() : await this.#storedOf(active, keys);
    return rows.map(({ id, embed_key }) => [
      String(id),
      { embed_key: String(embed_key), vector: vectors.get(String(embed_key)) ?? null },
    ]);
  }

  async sample(count: number): Promise<readonly string[]> {
    const rows = await this.#table.select("kind = 'chunk'", ['id']);
    return sampleIds(
      rows.map(({ id }) => String(id)),
      count,
    );
  }

  async state(): Promise<VectorState> {
    const version = await this.#table.version();
    if (this.#counted?.version === version) return this.#counted.state;
    const { active, spaces } = await this.#stateNow();
    const keys = (await this.#table.select("kind = 'chunk'", ['embed_key'])).map(({ embed_key }) =>
      String(embed_key),
    );
    const embedded: Record<string, number> = {};
    for (const fingerprint of Object.keys(spaces)) {
      const rows = await this.#table.select(`kind = 'vector' AND owner = ${quote(fingerprint)}`, [
        'embed_key',
      ]);
      const known = new Set(rows.map(({ embed_key }) => String(embed_key)));
      embedded[fingerprint] = keys.filter((key) => known.has(key)).length;
    }
    const dimensions = active === null ? 0 : (spaces[active] ?? 0);
    const state = { active, dimensions, chunks: keys.length, embedded };
    this.#counted = { version, state };
    return state;
  }

  async activate(fingerprint: string, dimensions: number): Promise<void> {
    await this.#exclusively(async () => {
      const state = await readState(this.#table);
      validateBatch({ fingerprint, dimensions, entries: [] }, state.spaces[fingerprint]);
      await this.#table.renewVectors(dimensions);
      const chunks = await this.#table.select("kind = 'chunk'", COLUMNS);
      const vectors = await this.#storedOf(
        fingerprint,
        chunks.map(({ embed_key }) => String(embed_key)),
      );
      const rows = chunks.flatMap((chunk) => {
        const own = vectors.get(String(chunk.embed_key));
        return own === undefined ? [] : [{ ...plain(chunk), vector: dequantise(own) }];
      });
      const next: State = { ...state, active: fingerprint, spaces: { [fingerprint]: dimensions } };
      await this.#table.merge(
        [...rows, stateRow(next)],
        `kind = 'vector' AND owner <> ${quote(fingerprint)}`,
      );
    });
  }

  async #storedOf(fingerprint: string, keys: readonly string[]): Promise<Map<string, StoredVector>> {
    const rows = await this.#table.among(
      'key',
      [...new Set(keys)].map((key) => vectorKey(fingerprint, key)),
      ['embed_key', 'data', 'record'],
    );
    const found = new Map<string, StoredVector>();
    for (const { embed_key, data, record } of rows) {
      const key = String(embed_key);
      const parts = record === null ? null : Buffer.from(String(record), 'base64');
      const stored = unpackPassage(key, bytesOf(data), parts);
      if (stored !== null) found.set(key, stored);
    }
    return found;
  }
}

/** A row as it can be written again. */
const plain = (one: Row): Record<string, unknown> =>
  Object.fromEntries(COLUMNS.map((name) => [name, one[name] ?? null]));

function withSpace(state: State, fingerprint: string, dimensions: number): State {
  return {
    ...state,
    active: state.active ?? fingerprint,
    spaces: { ...state.spaces, [fingerprint]: dimensions },
  };
}

/** The parts of a passage, where there are some, as text: one column of bytes is taken. */
const vectorRow = (fingerprint: string, key: string, stored: StoredVector) =>
  row({
    key: vectorKey(fingerprint, key),
    kind: 'vector',
    owner: fingerprint,
    embed_key: key,
    data: Buffer.from(packVector(key, stored)),
    record: stored.parts === undefined ? null : Buffer.from(packParts(key, stored.parts)).toString('base64'),
  });
