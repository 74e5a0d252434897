import { blockEntries } from '../../store/block.js';
import { decodePostings, PostingList } from '../../store/postings.js';
import type { Connection } from './connection.js';
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

/** The terms of one segment in order, each with its entry in the current block. */
class Cursor {
  readonly #connection: Connection;
  readonly #segment: Segment;
  readonly #blocks: number;
  #block: Uint8Array = new Uint8Array();
  #entries: ReturnType<typeof blockEntries> = [];
  #ordinal = -1;
  #at = 0;
  term: string | null = null;

  constructor(connection: Connection, segment: Segment) {
    this.#connection = connection;
    this.#segment = segment;
    this.#blocks = segmentDirectory(connection, segment.segment).length;
    this.next();
  }

  /** Appends the current term's live postings. */
  appendTo(list: PostingList, live: Uint8Array, first: number): void {
    const { start, count } = this.#entries[this.#at]!;
    const from = list.length;
    decodePostings(list, this.#block, start, count, this.#segment.first_unit);
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
    this.#at++;
    if (this.#at >= this.#entries.length) {
      this.#ordinal++;
      this.#at = 0;
      if (this.#ordinal >= this.#blocks) {
        this.term = null;
        return;
      }
      this.#block = segmentBlock(this.#connection, this.#segment.segment, this.#ordinal);
      this.#entries = blockEntries(this.#block);
    }
    this.term = this.#entries[this.#at]!.term;
  }
}

/** Merges neighbouring segments into the writer, term by term; yields after each, so that the caller may pause. */
export function* mergeInto(
  writer: SegmentWriter,
  connection: Connection,
  sources: readonly Segment[],
  live: Uint8Array,
): Generator<undefined> {
  const first = sources[0]!.first_unit;
  const cursors = sources.map((segment) => new Cursor(connection, segment));
  const list = new PostingList(1024);
  for (;;) {
    let term: string | null = null;
    for (const cursor of cursors)
      if (cursor.term !== null && (term === null || cursor.term < term)) term = cursor.term;
    if (term === null) return;
    list.length = 0;
    for (const cursor of cursors) {
      if (cursor.term !== term) continue;
      cursor.appendTo(list, live, first);
      cursor.next();
    }
    if (list.length > 0) writer.add(term, list);
    yield;
  }
}
