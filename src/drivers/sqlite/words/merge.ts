import { BlockReader, type EncodedList } from '../../../store/index/block.js';
import { decodePostings, PostingList } from '../../../store/index/postings.js';
import type { Connection } from '../connection.js';
import { type Segment, type SegmentWriter, segmentBlock, segmentDirectory } from './segments.js';
import { DEAD, PAGE_UNITS, UnitPage } from './unit-page.js';

/** Which units of a range are live now: one byte each, from the first. */
export function liveUnits(connection: Connection, first: number, last: number): Uint8Array {
  const live = new Uint8Array(last - first + 1);
  const rows = connection.all(
    'SELECT page, data FROM unit_pages WHERE page >= ? AND page <= ?',
    Math.floor(first / PAGE_UNITS),
    Math.floor(last / PAGE_UNITS),
  );
  for (const [page, data] of rows) {
    if ((data as Uint8Array).length === 0) continue;
    const { types } = UnitPage.decode(data, Number(page));
    for (let i = 0; i < PAGE_UNITS; i++) {
      const at = Number(page) * PAGE_UNITS + i - first;
      if (types[i] !== DEAD && at >= 0 && at < live.length) live[at] = 1;
    }
  }
  return live;
}

export const countLive = (live: Uint8Array): number => live.reduce((sum, one) => sum + one, 0);

/** The terms of one segment in order. */
class Cursor {
  readonly #connection: Connection;
  readonly #segment: Segment;
  readonly #blocks: number;
  readonly isClean: boolean;
  #ordinal = -1;
  entry = new BlockReader(EMPTY_BLOCK);
  isDone = false;

  constructor(connection: Connection, segment: Segment) {
    this.#connection = connection;
    this.#segment = segment;
    this.isClean = segment.dead === 0;
    this.#blocks = segmentDirectory(connection, segment.segment).length;
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
      this.entry = new BlockReader(segmentBlock(this.#connection, this.#segment.segment, this.#ordinal));
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

/** Merges neighbouring segments into the writer, term by term; yields now and then. */
export function* mergeInto(
  { blocks }: SegmentWriter,
  connection: Connection,
  sources: readonly Segment[],
  live: Uint8Array,
): Generator<undefined> {
  const first = sources[0]!.first_unit;
  let cursors = sources.map((segment) => new Cursor(connection, segment));
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
