import { dot, type StoredVector } from './quantise.js';
import { type ScanKernel, scanKernel } from './scan-kernel.js';

/**
 * Nearest vectors by looking at all of them, in three steps that each look at fewer, more closely:
 * sign bits (one bit a dimension, all in memory) choose about a thousand candidates by Hamming distance; int8 codes
 * rank those; the float query against the codes gives the score that is reported. No index has to be built, a deleted
 * vector is gone at once, and a filter is exact: it decides who takes part, before anything is chosen.
 *
 * Vectors are numbered by slot, in the order they were added. Codes are kept in memory up to a bound and otherwise
 * asked for.
 */
export interface ScanOptions {
  /** Subtracted before the sign is taken: models crowd their vectors in a cone, where raw signs tell little apart. */
  readonly mean?: Float32Array;
  /** What codes may take in memory. */
  readonly rowBytes?: number;
}

export interface ScanQuery {
  readonly vector: Float32Array;
  readonly k: number;
  /** A byte a slot, 0 for one that may not be found. */
  readonly allowed?: Uint8Array;
  /** The codes of slots that are not in memory, in their order. */
  fetch?(slots: readonly number[]): readonly StoredVector[];
}

export interface ScanMatch {
  readonly slot: number;
  readonly score: number;
}

/** Slots an area of memory; areas never move, so adding copies nothing. */
const AREA = 4096;
/** Recall@10 against exact search was ≥ .98 from here on (bench/vectors). */
const CANDIDATES = 1000;
const CANDIDATES_PER_K = 20;
/** 300,000 vectors of 896 dimensions. */
const ROW_BYTES = 256 * 2 ** 20;
/** Ranked by int8 alone, a vector may stand a few places off: so many more are scored exactly. */
const SLACK = 16;

interface Area {
  readonly bits: number;
  readonly live: number;
  readonly distances: number;
  /** Codes, or -1 while there are none. */
  rows: number;
  readonly scales: Float32Array;
  /** 1 where `rows` holds the slot's codes. */
  readonly held: Uint8Array;
}

export class VectorScan {
  readonly dimensions: number;
  readonly #kernel: ScanKernel = scanKernel();
  readonly #areas: Area[] = [];
  readonly #mean: Float32Array | undefined;
  /** Bytes of sign bits and of codes a vector, padded to blocks of 16. */
  readonly #bitBytes: number;
  readonly #rowStride: number;
  readonly #rowAreas: number;
  readonly #scratch: {
    query: number;
    query16: number;
    tally: number;
    ids: number;
    row: number;
    out: number;
    mask: number;
  };
  #heldAreas = 0;
  #size = 0;
  #live = 0;

  constructor(dimensions: number, options: ScanOptions = {}) {
    this.dimensions = dimensions;
    this.#mean = options.mean;
    this.#bitBytes = Math.ceil(dimensions / 128) * 16;
    this.#rowStride = Math.ceil(dimensions / 16) * 16;
    this.#rowAreas = Math.floor((options.rowBytes ?? ROW_BYTES) / (this.#rowStride * AREA));
    const { allocate } = this.#kernel;
    this.#scratch = {
      query: allocate(this.#bitBytes),
      query16: allocate(this.#rowStride * 2),
      tally: allocate((dimensions + 1) * 4),
      ids: allocate(AREA * 4),
      row: allocate(this.#rowStride),
      out: allocate(4),
      mask: allocate(AREA),
    };
  }

  /** Slots, the empty ones included. */
  get size(): number {
    return this.#size;
  }

  get live(): number {
    return this.#live;
  }

  /** Bytes of `bits` a vector. */
  get bitBytes(): number {
    return this.#bitBytes;
  }

  /** The vector's sign bits as they are kept and searched. */
  bitsOf({ scale, codes }: StoredVector): Uint8Array {
    const bits = new Uint8Array(this.#bitBytes);
    for (let d = 0; d < this.dimensions; d++) {
      if (codes[d]! * scale > (this.#mean?.[d] ?? 0)) bits[d >> 3]! |= 1 << (d & 7);
    }
    return bits;
  }

  /** Appends; gives the slot. */
  add(stored: StoredVector): number {
    const slot = this.addBits(this.bitsOf(stored));
    this.#hold(slot, stored);
    return slot;
  }

  /** Appends vectors whose codes stay where they are; gives the first slot. */
  addBits(bits: Uint8Array): number {
    const first = this.#size;
    for (let at = 0; at < bits.length; at += this.#bitBytes) {
      const area = this.#areaFor(this.#size);
      const index = this.#size % AREA;
      const memory = this.#bytes();
      memory.set(bits.subarray(at, at + this.#bitBytes), area.bits + index * this.#bitBytes);
      memory[area.live + index] = 1;
      this.#size++;
      this.#live++;
    }
    return first;
  }

  remove(slot: number): void {
    const area = this.#areas[Math.floor(slot / AREA)];
    if (area === undefined || slot >= this.#size) return;
    const memory = this.#bytes();
    const at = area.live + (slot % AREA);
    this.#live -= memory[at]!;
    memory[at] = 0;
    area.held[slot % AREA] = 0;
  }

  near({ vector, k, allowed, fetch }: ScanQuery): ScanMatch[] {
    if (k <= 0 || this.#live === 0) return [];
    const slots = this.#candidates(vector, Math.max(CANDIDATES, k * CANDIDATES_PER_K), allowed);
    const rows = this.#rowsOf(slots, fetch);
    const ranked = this.#ranked(vector, slots, rows);
    const best = ranked.slice(0, k === Number.POSITIVE_INFINITY ? ranked.length : k + SLACK);
    return best
      .map(({ slot, at }) => ({ slot, score: dot(vector, rows[at] ?? this.#storedAt(slot)) }))
      .sort((a, b) => b.score - a.score || a.slot - b.slot)
      .slice(0, k);
  }

  /** The slots with the fewest bits off, at least `wanted` where there are so many (ties come along). */
  #candidates(vector: Float32Array, wanted: number, allowed: Uint8Array | undefined): number[] {
    const { query, tally, ids, mask } = this.#scratch;
    const bits = this.bitsOf({ scale: 1, codes: vector as unknown as Int8Array });
    this.#bytes().set(bits, query);
    this.#bytes().fill(0, tally, tally + (this.dimensions + 1) * 4);
    this.#eachArea((area, first, count) => {
      let live = area.live;
      if (allowed !== undefined) {
        const memory = this.#bytes();
        for (let i = 0; i < count; i++) memory[mask + i] = memory[area.live + i]! & allowed[first + i]!;
        live = mask;
      }
      this.#kernel.distances(area.bits, count, this.#bitBytes / 16, query, live, area.distances, tally);
    });
    const counts = new Uint32Array(this.#kernel.memory.buffer, tally, this.dimensions + 1);
    let limit = 0;
    for (let sum = counts[0]!; sum < wanted && limit < this.dimensions; ) sum += counts[++limit]!;
    const slots: number[] = [];
    this.#eachArea((area, first, count) => {
      const found = this.#kernel.within(area.distances, count, limit, ids);
      const numbers = new Uint32Array(this.#kernel.memory.buffer, ids, found);
      for (const number of numbers) slots.push(first + number);
    });
    return slots;
  }

  /** The codes of slots that memory does not hold, parallel to `slots`; kept if there is room. */
  #rowsOf(slots: readonly number[], fetch: ScanQuery['fetch']): (StoredVector | undefined)[] {
    const missing = slots.filter((slot) => this.#areas[Math.floor(slot / AREA)]!.held[slot % AREA] === 0);
    if (missing.length === 0) return [];
    const fetched = fetch?.(missing) ?? [];
    const bySlot = new Map(missing.map((slot, at) => [slot, fetched[at]]));
    for (const [slot, stored] of bySlot) if (stored !== undefined) this.#hold(slot, stored);
    return slots.map((slot) => bySlot.get(slot));
  }

  #ranked(vector: Float32Array, slots: readonly number[], rows: readonly (StoredVector | undefined)[]) {
    const { query16, row, out } = this.#scratch;
    const blocks = this.#rowStride / 16;
    this.#writeQuery16(vector);
    const memory = this.#bytes();
    const answer = new Int32Array(this.#kernel.memory.buffer, out, 1);
    const ranked = slots.map((slot, at) => {
      const area = this.#areas[Math.floor(slot / AREA)]!;
      const index = slot % AREA;
      let address = area.rows + index * this.#rowStride;
      let scale = area.scales[index]!;
      if (area.held[index] === 0) {
        const stored = rows[at];
        if (stored === undefined) return { slot, at, score: Number.NEGATIVE_INFINITY };
        memory.set(asBytes(stored.codes), row);
        address = row;
        scale = stored.scale;
      }
      this.#kernel.dots(address, 1, blocks, query16, out);
      return { slot, at, score: answer[0]! * scale };
    });
    return ranked
      .filter(({ score }) => score !== Number.NEGATIVE_INFINITY)
      .sort((a, b) => b.score - a.score || a.slot - b.slot);
  }

  /** As fine as 16 bits allow without the sum of products leaving 32. */
  #writeQuery16(vector: Float32Array): void {
    const most = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * this.dimensions)));
    let peak = 0;
    for (const value of vector) peak = Math.max(peak, Math.abs(value));
    const query = new Int16Array(this.#kernel.memory.buffer, this.#scratch.query16, this.#rowStride);
    for (let d = 0; d < this.dimensions; d++)
      query[d] = peak > 0 ? Math.round((vector[d]! / peak) * most) : 0;
  }

  #hold(slot: number, { scale, codes }: StoredVector): void {
    const area = this.#areas[Math.floor(slot / AREA)]!;
    if (area.rows < 0) {
      if (this.#heldAreas >= this.#rowAreas) return;
      this.#heldAreas++;
      area.rows = this.#kernel.allocate(AREA * this.#rowStride);
    }
    const index = slot % AREA;
    this.#bytes().set(asBytes(codes), area.rows + index * this.#rowStride);
    area.scales[index] = scale;
    area.held[index] = 1;
  }

  #storedAt(slot: number): StoredVector {
    const area = this.#areas[Math.floor(slot / AREA)]!;
    const index = slot % AREA;
    const at = area.rows + index * this.#rowStride;
    const codes = new Int8Array(this.#kernel.memory.buffer, at, this.dimensions);
    return { scale: area.scales[index]!, codes };
  }

  #areaFor(slot: number): Area {
    const known = this.#areas[Math.floor(slot / AREA)];
    if (known !== undefined) return known;
    const { allocate } = this.#kernel;
    const area: Area = {
      bits: allocate(AREA * this.#bitBytes),
      live: allocate(AREA),
      distances: allocate(AREA * 2),
      rows: -1,
      scales: new Float32Array(AREA),
      held: new Uint8Array(AREA),
    };
    this.#areas.push(area);
    return area;
  }

  #eachArea(visit: (area: Area, first: number, count: number) => void): void {
    for (const [number, area] of this.#areas.entries()) {
      const first = number * AREA;
      visit(area, first, Math.min(AREA, this.#size - first));
    }
  }

  /** Anew each time: growing the memory leaves old views empty. */
  #bytes(): Uint8Array {
    return new Uint8Array(this.#kernel.memory.buffer);
  }
}

const asBytes = (codes: Int8Array): Uint8Array =>
  new Uint8Array(codes.buffer, codes.byteOffset, codes.length);
