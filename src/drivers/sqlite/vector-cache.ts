import { isStrataError } from '../../model/errors.js';
import type { StoredVector } from '../../store/quantise.js';
import { type ScanMatch, VectorScan } from '../../store/scan.js';
import { sketchStored } from '../../store/sketch.js';
import type { Connection } from './connection.js';
import { unpackVector } from './vector-rows.js';
import { readSketches, type SlotSketch } from './vector-sketches.js';

export interface ActiveSpace {
  readonly space: number;
  readonly dimensions: number;
  readonly epoch: number;
}

interface Loaded extends ActiveSpace {
  readonly scan: VectorScan;
  /** The file's slot of each of the scan's. */
  readonly slots: number[];
  /** And back. */
  readonly places: Map<number, number>;
  /** The last slot and the last entry of `vectors_gone` that were seen. */
  lastSlot: number;
  lastGone: number;
}

/** What this process holds of the active vectors in memory, and how it keeps up with what any process writes. */
export class VectorCache {
  readonly #connection: Connection;
  #loaded: Loaded | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Inside a read, before `near`. */
  sync(active: ActiveSpace): void {
    let loaded = this.#loaded;
    if (loaded?.space !== active.space || loaded.epoch !== active.epoch) {
      loaded = {
        ...active,
        scan: new VectorScan(active.dimensions),
        slots: [],
        places: new Map(),
        lastSlot: 0,
        lastGone: 0,
      };
      this.#loaded = loaded;
    }
    for (const { slot, sketch } of this.#newSketches(loaded)) {
      loaded.places.set(slot, loaded.scan.addSketch(sketch));
      loaded.slots.push(slot);
      loaded.lastSlot = Math.max(loaded.lastSlot, slot);
    }
    const gone = this.#connection.all(
      'SELECT n, slot FROM vectors_gone WHERE n > ? AND space = ? ORDER BY n',
      loaded.lastGone,
      loaded.space,
    );
    for (const [n, slot] of gone) {
      const place = loaded.places.get(Number(slot));
      if (place !== undefined) loaded.scan.remove(place);
      loaded.places.delete(Number(slot));
      loaded.lastGone = Number(n);
    }
  }

  get live(): number {
    return this.#loaded?.scan.live ?? 0;
  }

  /** Nearest first, by the file's slots; `only` restricts to some of these. */
  near(vector: Float32Array, k: number, only?: readonly number[]): ScanMatch[] {
    const { scan, slots, places } = this.#loaded!;
    let allowed: Uint8Array | undefined;
    if (only !== undefined) {
      allowed = new Uint8Array(scan.size);
      for (const slot of only) {
        const place = places.get(slot);
        if (place !== undefined) allowed[place] = 1;
      }
    }
    const fetch = (wanted: readonly number[]) => wanted.map((place) => this.#stored(slots[place]!));
    return scan
      .near({ vector, k, fetch, ...(allowed ? { allowed } : {}) })
      .map(({ slot, score }) => ({ slot: slots[slot]!, score }));
  }

  #newSketches({ space, dimensions, lastSlot }: Loaded): SlotSketch[] {
    try {
      return readSketches(this.#connection, space, dimensions, lastSlot).sort((a, b) => a.slot - b.slot);
    } catch (error) {
      if (!isStrataError(error, 'STORE_DAMAGED')) throw error;
      return sketchesOfVectors(this.#connection, space, lastSlot);
    }
  }

  #stored(slot: number): StoredVector | null {
    const row = this.#connection.get('SELECT embed_key, data FROM vectors WHERE slot = ?', slot);
    return row === undefined ? null : unpackVector(row[0]!, row[1]);
  }
}

/** Made again from the vectors themselves: slower, for a damaged or rewritten file. */
export function sketchesOfVectors(connection: Connection, space: number, after = 0): SlotSketch[] {
  const rows = connection.all(
    'SELECT slot, embed_key, data FROM vectors WHERE space = ? AND slot > ? ORDER BY slot',
    space,
    after,
  );
  return rows.flatMap(([slot, key, data]) => {
    const stored = unpackVector(key!, data);
    return stored === null ? [] : [{ slot: Number(slot), sketch: sketchStored(stored) }];
  });
}
