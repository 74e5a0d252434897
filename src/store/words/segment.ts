import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { seal, unseal } from '../bytes.js';
import { BlockWriter } from '../index/block.js';
import { byCodePoint } from '../index/order.js';
import type { UnitKind } from '../lexical.js';

/** An immutable run of posting lists. Segments hold disjoint, ascending ranges of units. */
export interface Segment {
  readonly segment: number;
  readonly stage: number;
  readonly first_unit: number;
  readonly last_unit: number;
  /** Live when it was written, and how many of them have died since. */
  readonly units: number;
  readonly dead: number;
  readonly bytes: number;
}

/** Being written by a merge; searched; searched, and about to be replaced by the one being written. */
export const STAGE = { building: 0, live: 1, merging: 2 } as const;

/** Where a store's segments are read. A store that must be waited for has them fetched before. */
export interface SegmentSource {
  /** The first terms of a segment's blocks: which block may hold a term. */
  directory(segment: number): readonly string[];
  block(segment: number, ordinal: number): Uint8Array;
}

/** Block numbers are `segment * BLOCKS + ordinal`, so that a segment's blocks are one range of rows. */
export const BLOCKS = 2 ** 21;

/** Words of chunks and of documents never meet: a term is kept with the kind in front. */
export const termKey = (kind: UnitKind, term: string): string => (kind === 'chunk' ? 'c' : 'd') + term;

export const openDirectory = (sealed: unknown, segment: number): readonly string[] =>
  JSON.parse(inflateRawSync(unseal(sealed, segment, `words of segment ${segment}`)).toString());

export const openBlock = (sealed: unknown, segment: number, ordinal: number): Uint8Array =>
  unseal(sealed, segment * BLOCKS + ordinal, `words of segment ${segment} (block ${ordinal})`);

/** Makes the blobs of one segment; a store writes them as they come. */
export class SegmentEncoder {
  readonly segment: number;
  /** Takes terms in ascending order of their bytes. */
  readonly blocks: BlockWriter;
  #ready: { number: number; data: Uint8Array }[] = [];
  readonly #directory: string[] = [];
  #bytes = 0;

  constructor(segment: number, firstUnit: number) {
    this.segment = segment;
    this.blocks = new BlockWriter(firstUnit, (first, block) => {
      const number = segment * BLOCKS + this.#directory.length;
      this.#ready.push({ number, data: seal(block, number) });
      this.#directory.push(first);
      this.#bytes += block.length;
    });
  }

  /** The blocks that are full and were not taken yet. */
  take(): readonly { readonly number: number; readonly data: Uint8Array }[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** After the last term: its directory, and the size of all. The last blocks are there to be taken. */
  finish(): { readonly directory: Uint8Array; readonly bytes: number } {
    this.blocks.flush();
    const directory = seal(deflateRawSync(JSON.stringify(this.#directory), { level: 1 }), this.segment);
    return { directory, bytes: this.#bytes + directory.length };
  }
}

/** The last of the ascending terms that is not above the wanted one; -1 when all are. */
export function blockFor(directory: readonly string[], key: string): number {
  let low = 0;
  let high = directory.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byCodePoint(directory[middle]!, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
