import type { VectorState } from '../../store/vectors.js';
import type { Connection } from './connection.js';
import { readState } from './state.js';

interface Count {
  readonly generation: number;
  readonly lastSlot: number;
  readonly lastGone: number;
  readonly embedded: number;
}

/**
 * How many chunks have a vector. Every search says so, and counting 100,000 takes a tenth of a second: while only
 * vectors are added, as during embedding, just the new ones are counted.
 */
export class Coverage {
  readonly #connection: Connection;
  readonly #counts = new Map<number, Count>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Inside a read. */
  state(): VectorState {
    const spaces = this.#connection.all('SELECT space, fingerprint, dimensions, active FROM vector_spaces');
    const embedded: Record<string, number> = {};
    for (const [space, fingerprint] of spaces) embedded[String(fingerprint)] = this.#embedded(Number(space));
    const [chunks] = this.#connection.get('SELECT coalesce(sum(chunk_count), 0) FROM knowledge_items')!;
    const active = spaces.find((row) => row[3] === 1);
    return {
      active: active === undefined ? null : String(active[1]),
      dimensions: Number(active?.[2] ?? 0),
      chunks: Number(chunks),
      embedded,
    };
  }

  #embedded(space: number): number {
    const { generation } = readState(this.#connection);
    const lastSlot = this.#last('SELECT coalesce(max(slot), 0) FROM vectors');
    const lastGone = this.#last(
      "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'vectors_gone'",
    );
    const known = this.#counts.get(space);
    const isLonger = known?.generation === generation && known.lastGone === lastGone;
    if (isLonger && known.lastSlot === lastSlot) return known.embedded;
    const from = isLonger ? known.lastSlot : 0;
    const [added] = this.#connection.get(
      `SELECT count(*) FROM vectors v JOIN knowledge_chunks c USING (embed_key) WHERE v.space = ? AND v.slot > ?`,
      space,
      from,
    )!;
    const embedded = Number(added) + (isLonger ? known.embedded : 0);
    this.#counts.set(space, { generation, lastSlot, lastGone, embedded });
    return embedded;
  }

  #last(sql: string): number {
    return Number(this.#connection.get(sql)![0]);
  }
}
