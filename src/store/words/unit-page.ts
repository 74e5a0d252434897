import { CONTENT_TYPES, type ContentType } from '../../model/chunk.js';
import { StrataError } from '../../model/errors.js';
import { seal, unseal } from '../bytes.js';

/**
 * What scoring must know of a unit, packed: 64 units per row, so that a library of 100,000 chunks is read in 1,600 rows
 * and a changed document rewrites a few of them. Units are numbered as they come and never again.
 */
export const PAGE_UNITS = 64;
/** Posting lists hold units as 32-bit numbers. A larger one was not written by Strata, and must not be counted up to. */
export const MOST_UNITS = 2 ** 32;
const PAGE_BYTES = PAGE_UNITS * (4 * 4 + 16 + 1);

/**
 * Type of a unit in its page: 0 is dead (or never was), 1 a document, then the content types of chunks; from 128 on a
 * set of them, a bit for each. Libraries of earlier versions have no sets: each chunk had one type.
 */
export const DEAD = 0;
export const DOCUMENT = 1;
const SET = 128;

export function chunkType(types: readonly ContentType[]): number {
  if (types.length === 1) return CONTENT_TYPES.indexOf(types[0]!) + 2;
  return types.reduce((set, type) => set | (1 << CONTENT_TYPES.indexOf(type)), SET);
}

/** By the type of a unit: 1 where it is a chunk that holds one of these. */
export function typesHolding(wanted: ReadonlySet<ContentType>): Uint8Array {
  const holding = new Uint8Array(256);
  for (const [index, type] of CONTENT_TYPES.entries()) {
    if (!wanted.has(type)) continue;
    holding[index + 2] = 1;
    for (let set = SET; set < 256; set++) if (set & (1 << index)) holding[set] = 1;
  }
  return holding;
}

export interface UnitRecord {
  readonly type: number;
  /** The document's number in the store. */
  readonly item: number;
  readonly body_length: number;
  readonly title_length: number;
  readonly norm: number;
  /** UUID of the chunk or the document. */
  readonly id: string;
}

export class UnitPage {
  readonly items: Uint32Array;
  readonly body: Uint32Array;
  readonly title: Uint32Array;
  readonly norms: Float32Array;
  readonly ids: Uint8Array;
  readonly types: Uint8Array;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array = new Uint8Array(PAGE_BYTES)) {
    const { buffer } = bytes;
    const words = PAGE_UNITS * 4;
    this.#bytes = bytes;
    this.items = new Uint32Array(buffer, 0, PAGE_UNITS);
    this.body = new Uint32Array(buffer, words, PAGE_UNITS);
    this.title = new Uint32Array(buffer, words * 2, PAGE_UNITS);
    this.norms = new Float32Array(buffer, words * 3, PAGE_UNITS);
    this.ids = new Uint8Array(buffer, words * 4, PAGE_UNITS * 16);
    this.types = new Uint8Array(buffer, words * 4 + PAGE_UNITS * 16, PAGE_UNITS);
  }

  static decode(data: unknown, page: number): UnitPage {
    const bytes = unseal(data, page, `word statistics (page ${page})`);
    if (bytes.length !== PAGE_BYTES) {
      throw new StrataError('STORE_DAMAGED', `Word statistics (page ${page}) have a wrong length.`);
    }
    // A copy with memory of its own: `slice` of a Buffer, as clients of servers give it, is a view of a larger one.
    return new UnitPage(new Uint8Array(bytes));
  }

  encode(page: number): Uint8Array {
    return seal(this.#bytes, page);
  }

  set(at: number, unit: UnitRecord): void {
    this.types[at] = unit.type;
    this.items[at] = unit.item;
    this.body[at] = unit.body_length;
    this.title[at] = unit.title_length;
    this.norms[at] = unit.norm;
    this.ids.set(idBytes(unit.id), at * 16);
  }

  get isEmpty(): boolean {
    return this.types.every((type) => type === DEAD);
  }
}

export const idBytes = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

export function idText(bytes: Uint8Array, at: number): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset + at, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
