import { crc32 } from 'node:zlib';
import { StrataError } from '../../model/errors.js';
import { seal, unseal } from '../../store/bytes.js';
import { embeddedText } from '../../store/memory-vectors.js';
import { dequantise, dot, quantise, type StoredVector } from '../../store/quantise.js';
import { validateBatch } from '../../store/validate.js';
import type {
  PendingText,
  VectorBatch,
  VectorIndex,
  VectorMatch,
  VectorQuery,
  VectorState,
} from '../../store/vectors.js';
import type { Connection, Value } from './connection.js';
import type { Filters } from './filters.js';
import type { IndexCache } from './index-cache.js';
import { CHUNK_COLUMNS, packKey, toChunk, unpackKey } from './rows.js';

/** Inside a commit: vectors whose key no chunk has any more. The tombstones say which keys lost a chunk. */
export function dropOrphans(connection: Connection): void {
  connection.run(
    `DELETE FROM vectors WHERE embed_key IN (
       SELECT embed_key FROM tombstones t
       WHERE embed_key IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM knowledge_chunks c WHERE c.embed_key = t.embed_key))`,
  );
}

interface Space {
  readonly space: number;
  readonly dimensions: number;
}

/** Vectors in the library's file, by fingerprint and `embed_key`. */
export class SqliteVectors implements VectorIndex {
  readonly #connection: Connection;
  readonly #index: IndexCache;
  readonly #filters: Filters;

  constructor(connection: Connection, index: IndexCache, filters: Filters) {
    this.#connection = connection;
    this.#index = index;
    this.#filters = filters;
  }

  async near({ vector, k, filter }: VectorQuery): Promise<readonly VectorMatch[]> {
    return this.#connection.read(() => {
      this.#index.sync();
      const active = this.#active();
      if (active === undefined || k === 0) return [];
      if (vector.length !== active.dimensions) {
        const message = `The query has ${vector.length} dimensions, the library's vectors ${active.dimensions}.`;
        throw new StrataError('INVALID_ARGUMENT', message);
      }
      const accepts = this.#filters.units(filter);
      const rows = this.#connection.all('SELECT embed_key, data FROM vectors WHERE space = ?', active.space);
      const scored = rows
        .flatMap(([key, data]) => {
          const stored = unpackVector(key!, data);
          return stored === null ? [] : [{ key: key!, score: dot(vector, stored) }];
        })
        .sort((a, b) => b.score - a.score);
      const matches: VectorMatch[] = [];
      for (const { key, score } of scored) {
        // Equal scores are ordered by id: all of them are needed before the list can be cut.
        if (matches.length >= k && score < matches[matches.length - 1]!.score) break;
        const users = this.#connection.all('SELECT unit, id FROM knowledge_chunks WHERE embed_key = ?', key);
        for (const [unit, id] of users) if (accepts(Number(unit))) matches.push({ id: String(id), score });
      }
      return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k);
    });
  }

  async pending(fingerprint: string, limit: number): Promise<readonly PendingText[]> {
    const columns = CHUNK_COLUMNS.split(', ').map((column) => `c.${column}`);
    const rows = this.#connection.all(
      `SELECT ${columns.join(', ')}, i.title FROM knowledge_chunks c JOIN knowledge_items i ON i.id = c.item_id
       WHERE c.unit IN (
         SELECT min(unit) FROM knowledge_chunks k WHERE NOT EXISTS (
           SELECT 1 FROM vectors v JOIN vector_spaces s USING (space)
           WHERE v.embed_key = k.embed_key AND s.fingerprint = ?)
         GROUP BY embed_key ORDER BY min(unit) LIMIT ?)
       ORDER BY c.unit`,
      ...[fingerprint, Math.min(limit, Number.MAX_SAFE_INTEGER)],
    );
    return rows.map((row) => ({ embed_key: unpackKey(row[11]), text: embeddedText(toChunk(row)) }));
  }

  async put(batch: VectorBatch): Promise<{ stored: number }> {
    const { fingerprint, dimensions, entries } = batch;
    return this.#connection.write(() => {
      const known = this.#space(fingerprint);
      validateBatch(batch, known?.dimensions);
      const wanted = entries.filter(({ embed_key }) => this.#isUsed(embed_key));
      if (wanted.length === 0) return { stored: 0 };
      const { space } = known ?? this.#create(fingerprint, dimensions);
      for (const { embed_key, vector } of wanted) {
        const key = packKey(embed_key);
        const sql = 'INSERT OR REPLACE INTO vectors (space, embed_key, data) VALUES (?, ?, ?)';
        this.#connection.run(sql, space, key, packVector(key, quantise(vector)));
      }
      return { stored: wanted.length };
    });
  }

  async get(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    for (const id of chunkIds) {
      const row = this.#connection.get(
        `SELECT v.embed_key, v.data FROM knowledge_chunks c JOIN vectors v USING (embed_key)
         JOIN vector_spaces s USING (space) WHERE c.id = ? AND s.active = 1`,
        id,
      );
      const stored = row === undefined ? null : unpackVector(row[0]!, row[1]);
      if (stored !== null) found.set(id, dequantise(stored));
    }
    return found;
  }

  async state(): Promise<VectorState> {
    return this.#connection.read(() => {
      const spaces = this.#connection.all('SELECT space, fingerprint, dimensions, active FROM vector_spaces');
      const embedded: Record<string, number> = {};
      for (const [space, fingerprint] of spaces) {
        const [count] = this.#connection.get(
          'SELECT count(*) FROM knowledge_chunks c JOIN vectors v USING (embed_key) WHERE v.space = ?',
          space!,
        )!;
        embedded[String(fingerprint)] = Number(count);
      }
      const [chunks] = this.#connection.get('SELECT coalesce(sum(chunk_count), 0) FROM knowledge_items')!;
      const active = spaces.find((row) => row[3] === 1);
      return {
        active: active === undefined ? null : String(active[1]),
        dimensions: Number(active?.[2] ?? 0),
        chunks: Number(chunks),
        embedded,
      };
    });
  }

  async activate(fingerprint: string, dimensions: number): Promise<void> {
    await this.#connection.write(() => {
      const known = this.#space(fingerprint);
      validateBatch({ fingerprint, dimensions, entries: [] }, known?.dimensions);
      const { space } = known ?? this.#create(fingerprint, dimensions);
      this.#connection.run('DELETE FROM vector_spaces WHERE space <> ?', space);
      this.#connection.run('UPDATE vector_spaces SET active = 1 WHERE space = ?', space);
    });
  }

  #active(): Space | undefined {
    const row = this.#connection.get('SELECT space, dimensions FROM vector_spaces WHERE active = 1');
    return row && { space: Number(row[0]), dimensions: Number(row[1]) };
  }

  #space(fingerprint: string): Space | undefined {
    const sql = 'SELECT space, dimensions FROM vector_spaces WHERE fingerprint = ?';
    const row = this.#connection.get(sql, fingerprint);
    return row && { space: Number(row[0]), dimensions: Number(row[1]) };
  }

  /** The first of a library is the active one. */
  #create(fingerprint: string, dimensions: number): Space {
    const sql = `INSERT INTO vector_spaces (fingerprint, dimensions, active)
      SELECT ?, ?, NOT EXISTS (SELECT 1 FROM vector_spaces WHERE active = 1)`;
    const { rowid } = this.#connection.run(sql, fingerprint, dimensions);
    return { space: rowid, dimensions };
  }

  #isUsed(key: string): boolean {
    const sql = 'SELECT 1 FROM knowledge_chunks WHERE embed_key = ? LIMIT 1';
    return this.#connection.get(sql, packKey(key)) !== undefined;
  }
}

/** The scale as a float32, then the codes; sealed with the key, so that a vector is never taken for another's. */
function packVector(key: Value, { scale, codes }: StoredVector): Uint8Array {
  const bytes = new Uint8Array(4 + codes.length);
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.length), 4);
  return seal(bytes, crc32(unpackKey(key)));
}

/** Null for a damaged one: the rest is served, and `check` reports it. */
export function unpackVector(key: Value, data: unknown): StoredVector | null {
  try {
    const bytes = unseal(data, crc32(unpackKey(key)), 'vectors');
    const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
    return { scale, codes: new Int8Array(bytes.buffer, bytes.byteOffset + 4, bytes.length - 4) };
  } catch {
    return null;
  }
}
