import type { VectorState } from '../../../store/vectors.js';
import type { Connection } from '../connection.js';
import { readState } from '../state.js';

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
  #known = { dataVersion: -1, writes: -1, chunks: 0 };

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Inside a read. */
  state(): VectorState {
    const spaces = this.#connection.all('SELECT space, fingerprint, dimensions, active FROM vector_spaces');
    const embedded: Record<string, number> = {};
    for (const [space, fingerprint] of spaces) embedded[String(fingerprint)] = this.#embedded(Number(space));
    const active = spaces.find((row) => row[3] === 1);
    return {
      active: active === undefined ? null : String(active[1]),
      dimensions: Number(active?.[2] ?? 0),
      chunks: this.#chunks(),
      embedded,
    };
  }

  #embedded(space: number): number {
    const { generation } = readState(this.#connection);
    const lastSlot = this.#count('SELECT coalesce(max(slot), 0) FROM vectors');
    const lastGone = this.#count(
      "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'vectors_gone'",
    );
    const known = this.#counts.get(space);
    const isLonger = known?.generation === generation && known.lastGone === lastGone;
    if (isLonger && known.lastSlot === lastSlot) return known.embedded;
    const embedded = isLonger
      ? known.embedded + this.#joined(space, known.lastSlot)
      : this.#isComplete(space)
        ? this.#chunks()
        : this.#joined(space, 0);
    this.#counts.set(space, { generation, lastSlot, lastGone, embedded });
    return embedded;
  }

  /** Every vector is of some chunk's key, so as many vectors as keys are all of them. A fifth of the time of a join. */
  #isComplete(space: number): boolean {
    const vectors = this.#count('SELECT count(*) FROM vectors WHERE space = ?', space);
    return vectors === this.#count('SELECT count(DISTINCT embed_key) FROM knowledge_chunks');
  }

  #joined(space: number, after: number): number {
    return this.#count(
      'SELECT count(*) FROM vectors v JOIN knowledge_chunks c USING (embed_key) WHERE v.space = ? AND v.slot > ?',
      space,
      after,
    );
  }

  /** Counted once until somebody writes, in this process or another: a million take 20 ms, and a search asks twice. */
  #chunks(): number {
    const dataVersion = this.#count('PRAGMA data_version');
    const { writes } = this.#connection;
    if (this.#known.dataVersion !== dataVersion || this.#known.writes !== writes) {
      const chunks = this.#count('SELECT coalesce(sum(chunk_count), 0) FROM knowledge_items');
      this.#known = { dataVersion, writes, chunks };
    }
    return this.#known.chunks;
  }

  #count(sql: string, ...values: readonly number[]): number {
    return Number(this.#connection.get(sql, ...values)![0]);
  }
}
