import { isStrataError } from '../../model/errors.js';
import type { UnitWords } from '../../model/words.js';
import { unitNorm } from '../index/scoring.js';
import type { UnitKind } from '../lexical.js';
import { countLive, liveUnits, mergeInto } from './merge.js';
import { bytesOf, planMerge } from './merge-plan.js';
import { BLOCKS, openBlock, openDirectory, type Segment, SegmentEncoder, STAGE } from './segment.js';
import { SegmentBuilder } from './segment-builder.js';
import { DEAD, PAGE_UNITS, UnitPage, type UnitRecord } from './unit-page.js';
import type { PageRow } from './unit-table.js';

/** A segment with its directory, as a store keeps it. */
export interface SegmentRow extends Segment {
  readonly directory: Uint8Array;
}

/** A block as a store keeps it. */
export interface BlockRow {
  readonly number: number;
  readonly data: Uint8Array;
}

export interface NewSegment extends SegmentRow {
  readonly blocks: readonly BlockRow[];
}

/** What a change must read of the index that a store keeps, inside the store's own transaction. */
export interface WordsStore {
  pages(numbers: readonly number[]): Promise<readonly PageRow[]>;
  pagesBetween(first: number, last: number): Promise<readonly PageRow[]>;
  segments(): Promise<readonly SegmentRow[]>;
  /** All blocks of these segments. */
  blocks(segments: readonly number[]): Promise<readonly BlockRow[]>;
}

/** What a store has to write, in the same transaction. */
export interface WordsWrite {
  readonly pages: readonly PageRow[];
  readonly segments: readonly NewSegment[];
  readonly dropped: readonly number[];
  /** Segments that stay, with how many of their units are dead now. */
  readonly dead: ReadonlyMap<number, number>;
  readonly next_unit: number;
  readonly next_segment: number;
}

/** Up to this size a merge takes some milliseconds and happens inside the commit that made it due. */
const INLINE_BYTES = 512 * 1024;

/** One change of the words of a store that must be waited for: collected first, then written at once. */
export class WordsChange {
  readonly #builder = new SegmentBuilder();
  readonly #units = new Map<number, UnitRecord>();
  readonly #dead = new Set<number>();
  #nextUnit: number;
  #nextSegment: number;

  constructor({ next_unit, next_segment }: { next_unit: number; next_segment: number }) {
    this.#nextUnit = next_unit;
    this.#nextSegment = next_segment;
  }

  /** A new unit, by its number. */
  add(kind: UnitKind, unit: Pick<UnitRecord, 'type' | 'item' | 'id'>, words: UnitWords): number {
    const number = this.#nextUnit++;
    this.amend(number, unit, words);
    this.#builder.add(kind, number, words);
    return number;
  }

  /** What is known of a unit whose words stay as they are. */
  amend(unit: number, record: Pick<UnitRecord, 'type' | 'item' | 'id'>, words: UnitWords): void {
    const { body_length, title_length } = words;
    this.#units.set(unit, { ...record, body_length, title_length, norm: unitNorm(words) });
  }

  kill(unit: number): void {
    this.#dead.add(unit);
  }

  async finish(store: WordsStore): Promise<WordsWrite> {
    const pages = await this.#pages(store);
    const rows = await store.segments();
    const dead = this.#deadIn(rows);
    const counted = rows.map((row) => ({ ...row, dead: dead.get(row.segment) ?? row.dead }));
    const { first_unit, last_unit, units } = this.#builder;
    const added: NewSegment[] = [];
    if (units > 0) {
      const encoder = new SegmentEncoder(this.#nextSegment++, first_unit);
      this.#builder.encode(encoder);
      added.push(segmentOf(encoder, { first_unit, last_unit, units, dead: 0 }));
    }
    const merged = await this.#merge(counted, added, overlaid(store, pages));
    const dropped = new Set(merged.dropped);
    return {
      pages: [...pages],
      segments: merged.segments,
      dropped: merged.dropped.filter((segment) => rows.some((row) => row.segment === segment)),
      dead: new Map([...dead].filter(([segment]) => !dropped.has(segment))),
      next_unit: this.#nextUnit,
      next_segment: this.#nextSegment,
    };
  }

  async #pages(store: WordsStore): Promise<ReadonlyMap<number, Uint8Array>> {
    const numbers = new Set([...this.#units.keys(), ...this.#dead].map(pageOf));
    const known = new Map(await store.pages([...numbers]));
    const pages = new Map<number, UnitPage>();
    for (const number of numbers) {
      const data = known.get(number);
      const isEmpty = data === undefined || data.length === 0;
      pages.set(number, isEmpty ? new UnitPage() : UnitPage.decode(data, number));
    }
    for (const [unit, record] of this.#units) pages.get(pageOf(unit))!.set(unit % PAGE_UNITS, record);
    for (const unit of this.#dead) pages.get(pageOf(unit))!.types[unit % PAGE_UNITS] = DEAD;
    return new Map(
      [...pages].map(([number, page]) => [number, page.isEmpty ? new Uint8Array() : page.encode(number)]),
    );
  }

  #deadIn(segments: readonly Segment[]): Map<number, number> {
    const counts = new Map<number, number>();
    for (const unit of this.#dead) {
      const holder = segments.find(({ first_unit, last_unit }) => first_unit <= unit && unit <= last_unit);
      if (holder === undefined) continue;
      counts.set(holder.segment, (counts.get(holder.segment) ?? holder.dead) + 1);
    }
    return counts;
  }

  async #merge(
    rows: readonly SegmentRow[],
    added: readonly NewSegment[],
    store: WordsStore,
  ): Promise<{ segments: NewSegment[]; dropped: number[] }> {
    let live: readonly (SegmentRow | NewSegment)[] = [...rows, ...added];
    const dropped: number[] = [];
    for (;;) {
      const sources = planMerge(live) as readonly (SegmentRow | NewSegment)[] | null;
      if (sources === null || bytesOf(sources) > INLINE_BYTES) break;
      const merged = await mergeSegments(sources, this.#nextSegment, store);
      if (merged === undefined) break;
      this.#nextSegment++;
      const gone = new Set(sources.map(({ segment }) => segment));
      dropped.push(...gone);
      live = [...live.filter(({ segment }) => !gone.has(segment)), ...(merged === null ? [] : [merged])];
    }
    return { segments: live.filter((row): row is NewSegment => 'blocks' in row), dropped };
  }
}

const pageOf = (unit: number): number => Math.floor(unit / PAGE_UNITS);

/** The store as it will be: with the pages that are about to be written. */
const overlaid = (store: WordsStore, pages: ReadonlyMap<number, Uint8Array>): WordsStore => ({
  ...store,
  pagesBetween: async (first, last) => {
    const known = new Map(await store.pagesBetween(first, last));
    for (const [page, data] of pages) if (page >= first && page <= last) known.set(page, data);
    return [...known];
  },
});

/**
 * Neighbouring segments as one; null where nothing of them is live, undefined where one is damaged: that must not keep
 * documents from being added, and searches and `check` report it.
 */
export async function mergeSegments(
  sources: readonly (SegmentRow | NewSegment)[],
  segment: number,
  store: Pick<WordsStore, 'pagesBetween' | 'blocks'>,
): Promise<NewSegment | null | undefined> {
  const [first_unit, last_unit] = [sources[0]!.first_unit, sources.at(-1)!.last_unit];
  const kept = sources.filter((source) => !('blocks' in source)).map((source) => source.segment);
  const blocks = new Map<number, Uint8Array>();
  for (const { number, data } of kept.length === 0 ? [] : await store.blocks(kept)) blocks.set(number, data);
  for (const source of sources)
    if ('blocks' in source) for (const { number, data } of source.blocks) blocks.set(number, data);
  const directories = new Map(sources.map((source) => [source.segment, source.directory]));
  const pages = await store.pagesBetween(pageOf(first_unit), pageOf(last_unit));
  try {
    const live = liveUnits(pages, first_unit, last_unit);
    const units = countLive(live);
    if (units === 0) return null;
    const encoder = new SegmentEncoder(segment, first_unit);
    const source = {
      directory: (number: number) => openDirectory(directories.get(number), number),
      block: (number: number, ordinal: number) =>
        openBlock(blocks.get(number * BLOCKS + ordinal), number, ordinal),
    };
    for (const _ of mergeInto(encoder, source, sources, live));
    return segmentOf(encoder, { first_unit, last_unit, units, dead: 0 });
  } catch (error) {
    if (isStrataError(error, 'STORE_DAMAGED')) return undefined;
    throw error;
  }
}

function segmentOf(
  encoder: SegmentEncoder,
  range: Pick<Segment, 'first_unit' | 'last_unit' | 'units' | 'dead'>,
): NewSegment {
  const { directory, bytes } = encoder.finish();
  const { segment } = encoder;
  return { segment, stage: STAGE.live, ...range, bytes, directory, blocks: encoder.take() };
}
