import { isStrataError } from '../../../model/errors.js';
import type { StoredVector } from '../../../store/index/quantise.js';
import { type ScanMatch, VectorScan } from '../../../store/index/scan.js';
import { sketchStored } from '../../../store/index/sketch.js';
import { unpackVector } from '../../../store/vector-packing.js';
import type { Connection } from '../connection.js';
import { unpackKey } from '../records/rows.js';
import { blockOf, readSketches, type SlotBlock } from './vector-sketches.js';

export interface ActiveSpace {
  readonly space: number;
  readonly dimensions: number;
  readonly epoch: number;
}

interface Loaded extends ActiveSpace {
  readonly scan: VectorScan;
  /** The file's slot of each of the scan's; room for more behind. */
  slots: Float64Array;
  /** And back; made when first asked for, which a plain question never does. */
  places: Map<number, number> | null;
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
        slots: new Float64Array(0),
        places: null,
        lastSlot: 0,
        lastGone: 0,
      };
      this.#loaded = loaded;
    }
    for (const block of this.#newSketches(loaded)) append(loaded, block);
    const gone = this.#connection.all(
      'SELECT n, slot FROM vectors_gone WHERE n > ? AND space = ? ORDER BY n',
      loaded.lastGone,
      loaded.space,
    );
    for (const [n, slot] of gone) {
      const place = placesOf(loaded).get(Number(slot));
      if (place !== undefined) loaded.scan.remove(place);
      loaded.lastGone = Number(n);
    }
  }

  get live(): number {
    return this.#loaded?.scan.live ?? 0;
  }

  /** Nearest first, by the file's slots; `only` restricts to some of these. */
  near(vector: Float32Array, k: number, only?: readonly number[]): ScanMatch[] {
    const loaded = this.#loaded!;
    const { scan, slots } = loaded;
    let allowed: Uint8Array | undefined;
    if (only !== undefined) {
      allowed = new Uint8Array(scan.size);
      const places = placesOf(loaded);
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

  #newSketches({ space, dimensions, lastSlot }: Loaded): readonly SlotBlock[] {
    try {
      return readSketches(this.#connection, space, dimensions, lastSlot);
    } catch (error) {
      if (!isStrataError(error, 'STORE_DAMAGED')) throw error;
      return [sketchesOfVectors(this.#connection, space, dimensions, lastSlot)];
    }
  }

  #stored(slot: number): StoredVector | null {
    const row = this.#connection.get('SELECT embed_key, data FROM vectors WHERE slot = ?', slot);
    return row === undefined ? null : unpackVector(unpackKey(row[0]), row[1]);
  }
}

function append(loaded: Loaded, block: SlotBlock): void {
  const first = loaded.scan.addSketches(block);
  const size = first + block.slots.length;
  if (size > loaded.slots.length) {
    const grown = new Float64Array(Math.max(size, loaded.slots.length * 2));
    grown.set(loaded.slots.subarray(0, first));
    loaded.slots = grown;
  }
  loaded.slots.set(block.slots, first);
  if (loaded.places !== null)
    for (const [at, slot] of block.slots.entries()) loaded.places.set(slot, first + at);
  loaded.lastSlot = Math.max(loaded.lastSlot, block.slots.at(-1) ?? 0);
}

function placesOf(loaded: Loaded): ReadonlyMap<number, number> {
  if (loaded.places === null) {
    loaded.places = new Map();
    for (let place = 0; place < loaded.scan.size; place++) loaded.places.set(loaded.slots[place]!, place);
  }
  return loaded.places;
}

/** Made again from the vectors themselves: slower, for a damaged or rewritten file. */
export function sketchesOfVectors(
  connection: Connection,
  space: number,
  dimensions: number,
  after = 0,
): SlotBlock {
  const rows = connection.all(
    'SELECT slot, embed_key, data FROM vectors WHERE space = ? AND slot > ? ORDER BY slot',
    space,
    after,
  );
  const sketches = rows.flatMap(([slot, key, data]) => {
    const stored = unpackVector(unpackKey(key), data);
    return stored === null ? [] : [{ slot: Number(slot), sketch: sketchStored(stored) }];
  });
  return blockOf(sketches, dimensions);
}
