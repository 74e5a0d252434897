import type { Sql } from 'postgres';
import { embeddedText } from '../../model/indexed.js';
import { contentTypesOf, restrictsDocuments } from '../../store/filtering.js';
import { nearest, refuseAnother, refuseDimensions } from '../../store/index/nearest.js';
import { dequantise, quantisePassage, type StoredVector, similarity } from '../../store/index/quantise.js';
import { readAllBelow, sampleIds, samplePlaces } from '../../store/index/sample-ids.js';
import { isUuid } from '../../store/stored.js';
import { validateBatch } from '../../store/validate.js';
import { packParts, packVector, unpackPassage, unpackVector } from '../../store/vector-packing.js';
import {
  type KeyedVector,
  type PendingText,
  type VectorBatch,
  type VectorIndex,
  type VectorMatch,
  type VectorQuery,
  type VectorState,
  withMethods,
} from '../../store/vectors.js';
import type { WordsReader } from '../../store/words/words-reader.js';
import { embeddingIndex, fitColumn } from './embedding-column.js';
import type { Pool } from './pool.js';
import { type Row, toChunk } from './rows.js';
import { batches } from './word-rows.js';

const ROWS = 1000;
/** What the server orders by half precision may differ a little from our own order: a few more are looked at. */
const MARGIN = 20;

interface Space {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly active: boolean;
}

/** A vector as pgvector reads it. */
const written = (vector: Float32Array): string => `[${vector.join()}]`;

/** Inside a commit: vectors of these keys that no chunk has any more. */
export async function dropOrphans(pool: Pool, sql: Sql, keys: readonly string[]): Promise<void> {
  const { library } = pool.address;
  for (const batch of batches(keys, ROWS))
    await sql`DELETE FROM ${pool.table('strata_vectors')} v WHERE library = ${library} AND embed_key = ANY(${batch})
      AND NOT EXISTS (SELECT 1 FROM ${pool.table('document_chunks')} c WHERE c.library = ${library} AND c.embed_key = v.embed_key)`;
}

/** Inside a commit: new chunks whose text was embedded before have its vector at once. */
export async function inheritEmbeddings(pool: Pool, sql: Sql, ids: readonly string[]): Promise<void> {
  const { library } = pool.address;
  for (const batch of batches(ids, ROWS)) {
    const rows = await sql`SELECT DISTINCT v.embed_key, v.data FROM ${pool.table('document_chunks')} c
      JOIN ${pool.table('strata_vectors')} v ON v.library = c.library AND v.embed_key = c.embed_key
      JOIN ${pool.table('strata_vector_spaces')} s ON s.library = v.library AND s.fingerprint = v.fingerprint AND s.active
      WHERE c.library = ${library} AND c.embedding IS NULL AND c.id = ANY(${batch}::uuid[])`;
    await writeEmbeddings(pool, sql, rows);
  }
}

/** Rows of (embed_key, data). */
async function writeEmbeddings(pool: Pool, sql: Sql, rows: readonly Row[]): Promise<void> {
  const values = rows.flatMap(({ embed_key, data }) => {
    const stored = unpackVector(String(embed_key), data);
    return stored === null ? [] : [[String(embed_key), written(dequantise(stored))]];
  });
  for (const batch of batches(values, ROWS))
    await sql`UPDATE ${pool.table('document_chunks')} c SET embedding = d.embedding::halfvec
      FROM (VALUES ${sql(batch as never)}) AS d (embed_key, embedding)
      WHERE c.library = ${pool.address.library} AND c.embed_key = d.embed_key`;
}

/**
 * The canonical vectors are rows of their own; those of the active model stand in `document_chunks.embedding` too,
 * where the server's index finds the nearest and other programs search. Scores are made of the canonical ones.
 */
export class PostgresVectors implements VectorIndex {
  readonly #pool: Pool;
  readonly #reader: WordsReader;
  #noted = { generation: -1, vectors: -1 };
  #counted: { readonly generation: number; readonly vectors: number; readonly state: VectorState } | null =
    null;

  constructor(pool: Pool, reader: WordsReader) {
    this.#pool = pool;
    this.#reader = reader;
  }

  /** What a look at the library has said, on the way: how often vectors were written. */
  note({ generation, vectors }: { readonly generation: number; readonly vectors: number }): void {
    this.#noted = { generation, vectors };
  }

  /** The same vectors for who has just looked: which model is searched, and how many vectors there are, is not asked again. */
  async asSeen(): Promise<VectorIndex> {
    const { generation, vectors } = this.#noted;
    const known = this.#counted;
    const isKnown = known?.generation === generation && known.vectors === vectors;
    const state = isKnown ? known.state : await this.state();
    return withMethods(this, {
      near: (query) => this.#nearOf(query, state),
      state: async () => state,
    });
  }

  async near(query: VectorQuery): Promise<readonly VectorMatch[]> {
    return this.#nearOf(query, await this.state());
  }

  async #nearOf(
    { vector, k, filter, fingerprint }: VectorQuery,
    active: VectorState,
  ): Promise<readonly VectorMatch[]> {
    if (active.active === null) return [];
    refuseAnother(fingerprint, active.active);
    if (k === 0) return [];
    refuseDimensions(vector, active.dimensions);
    const { content_types: _, ...asked } = filter ?? {};
    const ids = restrictsDocuments(asked) ? await this.#reader.documentsThatPass(asked) : null;
    if (ids?.length === 0) return [];
    const types = filter === undefined ? null : contentTypesOf(filter);
    const most = Number.isFinite(k) ? Math.ceil(k * 1.2) + MARGIN : null;
    const rows = await this.#pool.read(
      (sql) => sql`SELECT n.id, v.embed_key, v.data, v.parts
        FROM ${this.#table('strata_near')}(${this.#library}, ${written(vector)}, ${most},
          ${ids as string[] | null}::uuid[], ${types === null ? null : [...types]}::text[]) n
        JOIN ${this.#table('strata_vectors')} v ON v.library = ${this.#library} AND v.embed_key = n.embed_key
          AND v.fingerprint = ${active.active}`,
    );
    // Another model may have taken over since: then the question is refused, as it would have been before.
    if (rows.length === 0) refuseAnother(fingerprint, (await this.state()).active ?? active.active);
    return ranked(rows, vector, k);
  }

  async pending(fingerprint: string, limit: number): Promise<readonly PendingText[]> {
    const most = Number.isFinite(limit) ? limit : null;
    const rows = await this.#pool.read(
      (
        sql,
      ) => sql`SELECT DISTINCT ON (embed_key) embed_key, record, content FROM ${this.#table('document_chunks')} c
        WHERE library = ${this.#library} AND NOT EXISTS (SELECT 1 FROM ${this.#table('strata_vectors')} v
          WHERE v.library = c.library AND v.embed_key = c.embed_key AND v.fingerprint = ${fingerprint})
        ORDER BY embed_key LIMIT ${most}`,
    );
    if (rows.length === 0) await embeddingIndex(this.#pool);
    return rows.map((row) => ({ embed_key: String(row.embed_key), text: embeddedText(toChunk(row)) }));
  }

  async put(batch: VectorBatch): Promise<{ stored: number }> {
    validateBatch(batch, undefined);
    const stored = new Map(batch.entries.map((entry) => [entry.embed_key, quantisePassage(entry)]));
    return this.#write(async (sql) => {
      const spaces = await this.#spaces(sql);
      const known = spaces.find(({ fingerprint }) => fingerprint === batch.fingerprint);
      validateBatch({ ...batch, entries: [] }, known?.dimensions);
      const keys = await sql`SELECT DISTINCT embed_key FROM ${this.#table('document_chunks')}
        WHERE library = ${this.#library} AND embed_key = ANY(${[...stored.keys()]})`;
      const rows = keys.map(({ embed_key }) =>
        vectorRow(this.#library, batch.fingerprint, String(embed_key), stored.get(embed_key)!),
      );
      if (rows.length === 0) return { stored: 0 };
      const active = known === undefined ? spaces.length === 0 : known.active;
      if (known === undefined)
        await sql`INSERT INTO ${this.#table('strata_vector_spaces')}
          VALUES (${this.#library}, ${batch.fingerprint}, ${batch.dimensions}, ${active})`;
      for (const some of batches(rows, ROWS))
        await sql`INSERT INTO ${this.#table('strata_vectors')}
          ${sql(some, 'library', 'fingerprint', 'embed_key', 'data', 'parts')}
          ON CONFLICT (library, embed_key, fingerprint) DO UPDATE SET data = excluded.data, parts = excluded.parts`;
      if (active) {
        await fitColumn(this.#pool, sql, batch.dimensions);
        await writeEmbeddings(this.#pool, sql, rows);
      }
      return { stored: rows.length };
    });
  }

  async scores(
    chunkIds: readonly string[],
    { vector, fingerprint }: Pick<VectorQuery, 'vector' | 'fingerprint'>,
  ): Promise<ReadonlyMap<string, number>> {
    const ids = chunkIds.filter(isUuid);
    const rows = await this.#pool.read(
      (sql) => sql`SELECT c.id, s.fingerprint, v.embed_key, v.data, v.parts
        FROM ${this.#table('strata_vector_spaces')} s
        LEFT JOIN (${this.#table('document_chunks')} c JOIN ${this.#table('strata_vectors')} v
            ON v.library = c.library AND v.embed_key = c.embed_key)
          ON c.library = s.library AND v.fingerprint = s.fingerprint AND c.id = ANY(${ids}::uuid[])
        WHERE s.library = ${this.#library} AND s.active`,
    );
    const active = rows[0]?.fingerprint;
    if (active !== undefined) refuseAnother(fingerprint, String(active));
    const found = new Map<string, number>();
    for (const row of rows) {
      const stored = row.id === null ? null : storedOf(row);
      if (stored !== null) found.set(String(row.id), similarity(vector, stored));
    }
    return found;
  }

  async stored(chunkIds: readonly string[]): Promise<ReadonlyMap<string, KeyedVector>> {
    const ids = chunkIds.filter(isUuid);
    const rows = await this.#pool.read(
      (sql) => sql`SELECT c.id, c.embed_key, v.data, v.parts FROM ${this.#table('document_chunks')} c
        LEFT JOIN ${this.#table('strata_vector_spaces')} s ON s.library = c.library AND s.active
        LEFT JOIN ${this.#table('strata_vectors')} v
          ON v.library = c.library AND v.embed_key = c.embed_key AND v.fingerprint = s.fingerprint
        WHERE c.library = ${this.#library} AND c.id = ANY(${ids}::uuid[])`,
    );
    return new Map(
      rows.map((row) => [
        String(row.id),
        { embed_key: String(row.embed_key), vector: row.data === null ? null : storedOf(row) },
      ]),
    );
  }

  async sample(count: number): Promise<readonly string[]> {
    const most = readAllBelow(count);
    const ids = await this.#pool.read(
      (sql) => sql`SELECT id FROM ${this.#table('document_chunks')} WHERE library = ${this.#library}
        ORDER BY id LIMIT ${most + 1}`,
    );
    if (ids.length <= most)
      return sampleIds(
        ids.map(({ id }) => String(id)),
        count,
      );
    const rows = await this.#pool.read(
      (sql) => sql`SELECT DISTINCT c.id FROM unnest(${samplePlaces(count)}::uuid[]) place,
        LATERAL (SELECT id FROM ${this.#table('document_chunks')} WHERE library = ${this.#library} AND id >= place
          ORDER BY id LIMIT 1) c ORDER BY c.id`,
    );
    return rows.map(({ id }) => String(id));
  }

  async state(): Promise<VectorState> {
    const [now] = await this.#pool.read(
      (sql) =>
        sql`SELECT generation, vectors FROM ${this.#table('strata_libraries')} WHERE name = ${this.#library}`,
    );
    const [generation, vectors] = [Number(now?.generation ?? 0), Number(now?.vectors ?? 0)];
    const known = this.#counted;
    if (known?.generation === generation && known.vectors === vectors) return known.state;
    const state = await this.#pool.read((sql) => this.#count(sql));
    this.#counted = { generation, vectors, state };
    return state;
  }

  async activate(fingerprint: string, dimensions: number): Promise<void> {
    await this.#write(async (sql) => {
      const known = (await this.#spaces(sql)).find((space) => space.fingerprint === fingerprint);
      validateBatch({ fingerprint, dimensions, entries: [] }, known?.dimensions);
      await sql`UPDATE ${this.#table('document_chunks')} SET embedding = NULL
        WHERE library = ${this.#library} AND embedding IS NOT NULL`;
      await sql`DELETE FROM ${this.#table('strata_vector_spaces')}
        WHERE library = ${this.#library} AND fingerprint <> ${fingerprint}`;
      await sql`INSERT INTO ${this.#table('strata_vector_spaces')} VALUES (${this.#library}, ${fingerprint}, ${dimensions}, true)
        ON CONFLICT (library, fingerprint) DO UPDATE SET active = true`;
      await fitColumn(this.#pool, sql, dimensions);
      for (let after = ''; ; ) {
        const rows = await sql`SELECT embed_key, data FROM ${this.#table('strata_vectors')}
          WHERE library = ${this.#library} AND fingerprint = ${fingerprint} AND embed_key > ${after}
          ORDER BY embed_key LIMIT ${ROWS}`;
        if (rows.length === 0) return;
        await writeEmbeddings(this.#pool, sql, rows);
        after = String(rows.at(-1)!.embed_key);
      }
    });
  }

  /** While nobody else writes, as in a commit. */
  #write<T>(body: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#pool.exclusively(async (sql) => {
      const result = await body(sql);
      await sql`UPDATE ${this.#table('strata_libraries')} SET vectors = vectors + 1 WHERE name = ${this.#library}`;
      return result;
    });
  }

  async #count(sql: Sql): Promise<VectorState> {
    const [chunks] = await sql`SELECT coalesce(sum(chunk_count), 0) AS count FROM ${this.#table('documents')}
      WHERE library = ${this.#library}`;
    const spaces = await this.#spaces(sql);
    const embedded: Record<string, number> = {};
    for (const { fingerprint } of spaces) {
      const [row] = await sql`SELECT count(*) AS count FROM ${this.#table('document_chunks')} c
        JOIN ${this.#table('strata_vectors')} v ON v.library = c.library AND v.embed_key = c.embed_key
        WHERE c.library = ${this.#library} AND v.fingerprint = ${fingerprint}`;
      embedded[fingerprint] = Number(row!.count);
    }
    const active = spaces.find((space) => space.active);
    return {
      active: active?.fingerprint ?? null,
      dimensions: active?.dimensions ?? 0,
      chunks: Number(chunks!.count),
      embedded,
    };
  }

  async #spaces(sql: Sql): Promise<Space[]> {
    const rows = await sql`SELECT fingerprint, dimensions, active FROM ${this.#table('strata_vector_spaces')}
      WHERE library = ${this.#library}`;
    return rows as unknown as Space[];
  }

  get #library(): string {
    return this.#pool.address.library;
  }

  #table(name: string) {
    return this.#pool.table(name);
  }
}

function vectorRow(library: string, fingerprint: string, key: string, stored: StoredVector) {
  const { parts } = stored;
  return {
    library,
    fingerprint,
    embed_key: key,
    data: Buffer.from(packVector(key, stored)),
    parts: parts === undefined ? null : Buffer.from(packParts(key, parts)),
  };
}

/** null for one that is damaged: the chunk is then found by its words. */
const storedOf = ({ embed_key, data, parts }: Row): StoredVector | null =>
  unpackPassage(String(embed_key), data, parts);

function ranked(rows: readonly Row[], vector: Float32Array, k: number): VectorMatch[] {
  const found = rows.flatMap((row) => {
    const stored = storedOf(row);
    return stored === null ? [] : [[String(row.id), stored] as const];
  });
  return nearest(vector, k, found);
}
