import { BlockReader, type EncodedList } from '../index/block.js';
import { decodePostings, PostingList } from '../index/postings.js';
import type { Segment, SegmentEncoder, SegmentSource } from './segment.js';
import { DEAD, PAGE_UNITS, UnitPage } from './unit-page.js';

/** Which units of a range are live, by the pages that hold them: one byte each, from the first. */
export function liveUnits(
  pages: Iterable<readonly [page: number, data: Uint8Array]>,
  first: number,
  last: number,
): Uint8Array {
  const live = new Uint8Array(last - first + 1);
  for (const [page, data] of pages) {
    if (data.length === 0) continue;
    const { types } = UnitPage.decode(data, page);
    for (let i = 0; i < PAGE_UNITS; i++) {
      const at = page * PAGE_UNITS + i - first;
      if (types[i] !== DEAD && at >= 0 && at < live.length) live[at] = 1;
    }
  }
  return live;
}

export const countLive = (live: Uint8Array): number => live.reduce((sum, one) => sum + one, 0);

/** The terms of one segment in order. */
class Cursor {
  readonly #source: SegmentSource;
  readonly #segment: Segment;
  readonly #blocks: number;
  readonly isClean: boolean;
  #ordinal = -1;
  entry = new BlockReader(EMPTY_BLOCK);
  isDone = false;

  constructor(source: SegmentSource, segment: Segment) {
    this.#source = source;
    this.#segment = segment;
    this.isClean = segment.dead === 0;
    this.#blocks = source.directory(segment.segment).length;
    this.next();
  }

  encoded(): EncodedList {
    const { bytes, start, end, count, span } = this.entry;
    return { bytes, start, end, count, span, base: this.#segment.first_unit };
  }

  /** Appends the current term's live postings. */
  appendTo(list: PostingList, live: Uint8Array, first: number): void {
    const from = list.length;
    decodePostings(list, this.entry.bytes, this.entry.start, this.entry.count, this.#segment.first_unit);
    let kept = from;
    for (let i = from; i < list.length; i++) {
      if (live[list.units[i]! - first] === 0) continue;
      list.units[kept] = list.units[i]!;
      list.body[kept] = list.body[i]!;
      list.title[kept] = list.title[i]!;
      kept++;
    }
    list.length = kept;
  }

  next(): void {
    while (!this.entry.next()) {
      this.#ordinal++;
      if (this.#ordinal >= this.#blocks) {
        this.isDone = true;
        return;
      }
      this.entry = new BlockReader(this.#source.block(this.#segment.segment, this.#ordinal));
    }
  }
}

const EMPTY_BLOCK = new Uint8Array(2);

function compareTerms(a: BlockReader, b: BlockReader): number {
  const shorter = Math.min(a.length, b.length);
  const [x, y] = [a.term, b.term];
  for (let i = 0; i < shorter; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
  return a.length - b.length;
}

/** How many terms a merge takes in one go, some 50 µs: the caller may pause between. */
const TERMS_A_STEP = 128;

/** Merges neighbouring segments into one, term by term; yields now and then. */
export function* mergeInto(
  { blocks }: SegmentEncoder,
  source: SegmentSource,
  sources: readonly Segment[],
  live: Uint8Array,
): Generator<undefined> {
  const first = sources[0]!.first_unit;
  let cursors = sources.map((segment) => new Cursor(source, segment));
  const list = new PostingList(1024);
  for (let terms = 1; ; terms++) {
    if (terms % TERMS_A_STEP === 0) yield;
    let least: Cursor[] = [];
    for (const cursor of cursors) {
      if (cursor.isDone) continue;
      const order = least.length === 0 ? -1 : compareTerms(cursor.entry, least[0]!.entry);
      if (order < 0) least = [cursor];
      else if (order === 0) least.push(cursor);
    }
    if (least.length === 0) return;
    const { term, length } = least[0]!.entry;
    if (least.every(({ isClean }) => isClean)) {
      blocks.addEncoded(
        term,
        length,
        least.map((cursor) => cursor.encoded()),
      );
    } else {
      list.length = 0;
      for (const cursor of least) cursor.appendTo(list, live, first);
      if (list.length > 0) blocks.add(term, length, list);
    }
    for (const cursor of least) {
      cursor.next();
      if (cursor.isDone) cursors = cursors.filter(({ isDone }) => !isDone);
    }
  }
}
