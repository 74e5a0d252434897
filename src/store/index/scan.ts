import { dot, type StoredVector } from './quantise.js';
import { type ScanKernel, scanKernel } from './scan-kernel.js';
import {
  GROUP_DIMENSIONS,
  type SketchBlock,
  sketchBytes,
  sketchGroups,
  sketchOf,
  sketchStored,
} from './sketch.js';

/**
 * Nearest vectors by looking at all of them, in four steps that each look at fewer, more closely: sketches (all in
 * memory) against the query's sketch choose candidates, the same sketches against the query itself choose among those,
 * int8 codes rank what is left, and the float query against the codes gives the score that is reported. No index has to be built, a deleted vector is gone at once, and a filter is exact: it decides who takes
 * part, before anything is chosen.
 *
 * Vectors are numbered by slot, in the order they were added. Codes are kept in memory up to a bound and otherwise
 * asked for.
 */
export interface ScanQuery {
  readonly vector: Float32Array;
  readonly k: number;
  /** A byte a slot, 0 for one that may not be found. */
  readonly allowed?: Uint8Array;
  /** The codes of slots that are not in memory, in their order; null for one that is damaged. */
  fetch?(slots: readonly number[]): readonly (StoredVector | null)[];
}

export interface ScanMatch {
  readonly slot: number;
  readonly score: number;
}

/** Slots an area of memory; areas never move, so adding copies nothing. */
const AREA = 4096;
/** Recall@10 against exact search was ≥ .98 from a hundredth of 100,000 vectors on (bench/vectors). */
const CANDIDATES = 1500;
const CANDIDATES_PER_K = 15;
/**
 * Where memory cannot hold all codes, these many candidates are read: each is a look-up in the store. Recall@10 of a
 * million was .997 with all candidates read and with a third of them; recall@100 fell from .968 to .951, which is why
 * a library that fits into memory reads them all.
 */
const READ = 500;
const READ_PER_K = 5;
/** 300,000 vectors of 896 dimensions. */
const ROW_BYTES = 256 * 2 ** 20;
/** Ranked by a 16-bit query, a vector may stand a place or two off: this many more are scored exactly. */
const SLACK = 8;
const BINS = 4096;
const GROUP_BYTES = GROUP_DIMENSIONS / 8;

interface Area {
  readonly bits: number;
  readonly weights: number;
  readonly live: number;
  readonly estimates: number;
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
  readonly #bitBytes: number;
  readonly #groups: number;
  /** Bytes of codes a vector, padded to blocks of 16. */
  readonly #stride: number;
  readonly #mostRowAreas: number;
  readonly #scratch;
  #rowAreas = 0;
  #size = 0;
  #live = 0;

  constructor(dimensions: number, { rowBytes = ROW_BYTES } = {}) {
    this.dimensions = dimensions;
    this.#bitBytes = sketchBytes(dimensions);
    this.#groups = sketchGroups(dimensions);
    this.#stride = Math.ceil(dimensions / 16) * 16;
    this.#mostRowAreas = Math.floor(rowBytes / (this.#stride * AREA));
    const { allocate } = this.#kernel;
    this.#scratch = {
      query: allocate(this.#bitBytes),
      scales: allocate(this.#groups * 8),
      query16: allocate(this.#stride * 2),
      range: allocate(8),
      bins: allocate((BINS + 1) * 4),
      ids: allocate(AREA * 4),
      row: allocate(this.#stride),
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

  /** Appends; gives the slot. */
  add(stored: StoredVector): number {
    const slot = this.addSketches(sketchStored(stored));
    this.#hold(slot, stored);
    return slot;
  }

  /** Appends vectors whose codes stay where they are; gives the first one's slot. */
  addSketches({ bits, weights }: SketchBlock): number {
    const first = this.#size;
    const count = bits.length / this.#bitBytes;
    for (let done = 0; done < count; ) {
      const index = this.#size % AREA;
      const area = this.#areaFor(this.#size);
      const fitting = Math.min(AREA - index, count - done);
      const end = done + fitting;
      this.#bytes().set(
        bits.subarray(done * this.#bitBytes, end * this.#bitBytes),
        area.bits + index * this.#bitBytes,
      );
      this.#floats(area.weights + index * this.#groups * 4, fitting * this.#groups).set(
        weights.subarray(done * this.#groups, end * this.#groups),
      );
      this.#bytes().fill(1, area.live + index, area.live + index + fitting);
      this.#size += fitting;
      this.#live += fitting;
      done = end;
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
    const candidates = this.#candidates(vector, Math.max(CANDIDATES, k * CANDIDATES_PER_K), allowed);
    const fitsInMemory = this.#areas.length <= this.#mostRowAreas;
    const slots = fitsInMemory
      ? candidates
      : this.#likeliest(vector, candidates, Math.max(READ, k * READ_PER_K));
    const fetched = this.#fetch(slots, fetch);
    const ranked = this.#ranked(vector, slots, fetched);
    return ranked
      .slice(0, k + SLACK)
      .map(({ slot }) => ({ slot, score: dot(vector, fetched.get(slot) ?? this.#storedAt(slot)) }))
      .sort((a, b) => b.score - a.score || a.slot - b.slot)
      .slice(0, k);
  }

  /** The slots with the best estimates, at least `wanted` of them if there are enough (a bin comes whole). */
  #candidates(vector: Float32Array, wanted: number, allowed: Uint8Array | undefined): number[] {
    const { query, scales, range, bins, ids, mask } = this.#scratch;
    this.#writeQuery(vector);
    this.#floats(range, 2).set([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    this.#eachArea((area, first, count) => {
      let live = area.live;
      if (allowed !== undefined) {
        const memory = this.#bytes();
        for (let i = 0; i < count; i++) memory[mask + i] = memory[area.live + i]! & allowed[first + i]!;
        live = mask;
      }
      const { bits, weights, estimates } = area;
      this.#kernel.estimate(bits, weights, count, this.#bitBytes / 16, query, scales, live, estimates, range);
    });
    const [least, most] = this.#floats(range, 2) as unknown as [number, number];
    if (least > most) return [];
    const perUnit = most > least ? Math.fround((BINS - 1) / (most - least)) : 0;
    this.#bytes().fill(0, bins, bins + (BINS + 1) * 4);
    this.#eachArea((area, _, count) => this.#kernel.tally(area.estimates, count, least, perUnit, bins));
    const counts = new Uint32Array(this.#kernel.memory.buffer, bins, BINS + 1);
    let bin = BINS;
    for (let sum = counts[bin]!; sum < wanted && bin > 0; ) sum += counts[--bin]!;
    const slots: number[] = [];
    this.#eachArea((area, first, count) => {
      const found = this.#kernel.above(area.estimates, count, least, perUnit, bin, ids);
      for (const number of new Uint32Array(this.#kernel.memory.buffer, ids, found))
        slots.push(first + number);
    });
    return slots;
  }

  /**
   * The candidates that are still the best when their signs are compared with the query's numbers, not only with its
   * signs. What eight dimensions contribute is looked up by the byte that holds their eight signs.
   */
  #likeliest(vector: Float32Array, slots: readonly number[], most: number): readonly number[] {
    if (slots.length <= most) return slots;
    const worths = this.#worthsOfBytes(vector);
    const memory = this.#bytes();
    const estimates = new Float32Array(slots.length);
    for (const [at, slot] of slots.entries()) {
      const area = this.#areas[Math.floor(slot / AREA)]!;
      const bits = area.bits + (slot % AREA) * this.#bitBytes;
      const weights = this.#floats(area.weights + (slot % AREA) * this.#groups * 4, this.#groups);
      for (let group = 0; group < this.#groups; group++) {
        const end = Math.min((group + 1) * GROUP_BYTES, this.#bitBytes);
        let sum = 0;
        for (let byte = group * GROUP_BYTES; byte < end; byte++)
          sum += worths[byte * 256 + memory[bits + byte]!]!;
        estimates[at]! += sum * weights[group]!;
      }
    }
    const least = Float32Array.from(estimates).sort()[slots.length - most]!;
    return slots.filter((_, at) => estimates[at]! >= least);
  }

  #worthsOfBytes(vector: Float32Array): Float32Array {
    const worths = new Float32Array(this.#bitBytes * 256);
    for (let byte = 0; byte < this.#bitBytes; byte++) {
      const own = worths.subarray(byte * 256, (byte + 1) * 256);
      for (let bit = 0; bit < 8; bit++) own[0]! -= vector[byte * 8 + bit] ?? 0;
      // Each number is one with a bit less, whose dimension changes its sign.
      for (let signs = 1; signs < 256; signs++) {
        const lowest = 31 - Math.clz32(signs & -signs);
        own[signs] = own[signs & (signs - 1)]! + 2 * (vector[byte * 8 + lowest] ?? 0);
      }
    }
    return worths;
  }

  #writeQuery(vector: Float32Array): void {
    const { query, scales } = this.#scratch;
    const { bits, weights } = sketchOf(vector, 1);
    this.#bytes().set(bits, query);
    const pairs = this.#floats(scales, this.#groups * 2);
    for (const [group, weight] of weights.entries()) {
      const inGroup = Math.min(GROUP_DIMENSIONS, this.dimensions - group * GROUP_DIMENSIONS);
      pairs[group * 2] = -2 * weight;
      pairs[group * 2 + 1] = inGroup * weight;
    }
  }

  /** The codes that memory does not hold; kept there if there is room. */
  #fetch(slots: readonly number[], fetch: ScanQuery['fetch']): ReadonlyMap<number, StoredVector> {
    const missing = slots.filter((slot) => this.#areas[Math.floor(slot / AREA)]!.held[slot % AREA] === 0);
    if (missing.length === 0 || fetch === undefined) return new Map();
    const fetched = new Map<number, StoredVector>();
    for (const [at, stored] of fetch(missing).entries()) if (stored) fetched.set(missing[at]!, stored);
    for (const [slot, stored] of fetched) this.#hold(slot, stored);
    return fetched;
  }

  #ranked(
    vector: Float32Array,
    slots: readonly number[],
    fetched: ReadonlyMap<number, StoredVector>,
  ): ScanMatch[] {
    const { query16, row } = this.#scratch;
    this.#writeQuery16(vector);
    const blocks = this.#stride / 16;
    const memory = this.#bytes();
    const ranked: ScanMatch[] = [];
    for (const slot of slots) {
      const area = this.#areas[Math.floor(slot / AREA)]!;
      const index = slot % AREA;
      const other = area.held[index] === 0 ? fetched.get(slot) : undefined;
      if (area.held[index] === 0 && other === undefined) continue;
      if (other !== undefined) memory.set(asBytes(other.codes), row);
      const address = other === undefined ? area.rows + index * this.#stride : row;
      const scale = other?.scale ?? area.scales[index]!;
      ranked.push({ slot, score: this.#kernel.dot(address, blocks, query16) * scale });
    }
    return ranked.sort((a, b) => b.score - a.score || a.slot - b.slot);
  }

  /** As fine as 16 bits allow without the sum of products leaving 32. */
  #writeQuery16(vector: Float32Array): void {
    const most = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * this.dimensions)));
    let peak = 0;
    for (const value of vector) peak = Math.max(peak, Math.abs(value));
    const query = new Int16Array(this.#kernel.memory.buffer, this.#scratch.query16, this.#stride);
    for (let d = 0; d < this.dimensions; d++) {
      query[d] = peak > 0 ? Math.round((vector[d]! / peak) * most) : 0;
    }
  }

  #hold(slot: number, { scale, codes }: StoredVector): void {
    const area = this.#areas[Math.floor(slot / AREA)]!;
    if (area.rows < 0) {
      if (this.#rowAreas >= this.#mostRowAreas) return;
      this.#rowAreas++;
      area.rows = this.#kernel.allocate(AREA * this.#stride);
    }
    const index = slot % AREA;
    this.#bytes().set(asBytes(codes), area.rows + index * this.#stride);
    area.scales[index] = scale;
    area.held[index] = 1;
  }

  #storedAt(slot: number): StoredVector {
    const area = this.#areas[Math.floor(slot / AREA)]!;
    const index = slot % AREA;
    const at = area.rows + index * this.#stride;
    const codes = new Int8Array(this.#kernel.memory.buffer, at, this.dimensions);
    return { scale: area.scales[index]!, codes };
  }

  #areaFor(slot: number): Area {
    const known = this.#areas[Math.floor(slot / AREA)];
    if (known !== undefined) return known;
    const { allocate } = this.#kernel;
    const area: Area = {
      bits: allocate(AREA * this.#bitBytes),
      weights: allocate(AREA * this.#groups * 4),
      live: allocate(AREA),
      estimates: allocate(AREA * 4),
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

  /** Views anew each time: growing the memory leaves old ones empty. */
  #bytes(): Uint8Array {
    return new Uint8Array(this.#kernel.memory.buffer);
  }

  #floats(at: number, length: number): Float32Array {
    return new Float32Array(this.#kernel.memory.buffer, at, length);
  }
}

const asBytes = (codes: Int8Array): Uint8Array =>
  new Uint8Array(codes.buffer, codes.byteOffset, codes.length);
