import { bytesOf as bytesTogether, planMerge } from '../../store/words/merge-plan.js';
import { BLOCKS, STAGE } from '../../store/words/segment.js';
import type { PageRow } from '../../store/words/unit-table.js';
import {
  type BlockRow,
  mergeSegments,
  type SegmentRow,
  type WordsStore,
  type WordsWrite,
} from '../../store/words/words-change.js';
import type { WordsSource } from '../../store/words/words-reader.js';
import { bytesOf, parsed, toDocument } from './rows.js';
import { isOneOf, type Row, row, type Table } from './table.js';

/** The counters of a library, in a row of their own. */
export interface State {
  readonly generation: number;
  readonly index_version: number;
  readonly next_unit: number;
  readonly next_segment: number;
  readonly next_item: number;
  readonly active: string | null;
  /** Libraries that were made before there was one have it from their next change on. */
  readonly identity?: string;
  /** Dimensions by fingerprint. */
  readonly spaces: Readonly<Record<string, number>>;
}

const INITIAL: State = {
  generation: 0,
  index_version: 0,
  next_unit: 0,
  next_segment: 1,
  next_item: 1,
  active: null,
  spaces: {},
};

export async function readState(table: Table): Promise<State> {
  const [found] = await table.select("key = 'state'", ['record']);
  return found === undefined ? INITIAL : (parsed(found.record) as State);
}

export const stateRow = (state: State) => row({ key: 'state', kind: 'state', record: JSON.stringify(state) });

const PAGE = ['position', 'data'];
const toPage = ({ position, data }: Row): PageRow => [Number(position), bytesOf(data)];
const toSegment = ({ record, data }: Row): SegmentRow => ({
  ...(parsed(record) as Omit<SegmentRow, 'directory'>),
  stage: STAGE.live,
  directory: bytesOf(data),
});
const segmentKey = (segment: number): string => `segment/${segment}`;

export function wordsStore(table: Table): WordsStore {
  return {
    pages: async (numbers) =>
      (
        await table.among(
          'key',
          numbers.map((page) => `page/${page}`),
          PAGE,
        )
      ).map(toPage),
    pagesBetween: async (first, last) =>
      (await table.select(`kind = 'page' AND position >= ${first} AND position <= ${last}`, PAGE)).map(
        toPage,
      ),
    segments: async () =>
      (await table.select("kind = 'segment'", ['record', 'data']))
        .map(toSegment)
        .sort((a, b) => a.first_unit - b.first_unit),
    blocks: async (segments) =>
      (
        await table.among(
          'owner',
          segments.map((segment) => `blocks/${segment}`),
          ['position', 'data'],
        )
      ).map(({ position, data }): BlockRow => ({ number: Number(position), data: bytesOf(data) })),
  };
}

/** The state as it is now. It is read again only when the table has a new version: looking at that costs a tenth of a read. */
export function stateReader(table: Table): () => Promise<State> {
  let known: { readonly version: number; readonly state: State } | null = null;
  return async () => {
    for (;;) {
      const version = await table.version();
      if (known?.version === version) return known.state;
      const state = await readState(table);
      if ((await table.version()) === version) known = { version, state };
      else continue;
      return state;
    }
  };
}

export function wordsSource(table: Table, stateNow: () => Promise<State>): WordsSource {
  const store = wordsStore(table);
  const seen = ({ generation, index_version, identity }: State) => ({
    generation,
    index_version,
    purged: 0,
    buried: [],
    identity,
  });
  return {
    state: async () => seen(await stateNow()),
    changes: async (since) => {
      for (;;) {
        const before = await stateNow();
        const pages = (await table.select(`kind = 'page' AND generation > ${since}`, PAGE)).map(toPage);
        const segments = await store.segments();
        const after = await stateNow();
        if (after === before) return { state: seen(after), pages, segments };
      }
    },
    blocks: async (places) => {
      const numbers = places.map(([segment, ordinal]) => segment * BLOCKS + ordinal);
      const rows = await table.among(
        'key',
        numbers.map((number) => `block/${number}`),
        ['position', 'data'],
      );
      const found = new Map(rows.map(({ position, data }) => [Number(position), bytesOf(data)]));
      return numbers.map((number) => found.get(number));
    },
    documents: async () => {
      for (;;) {
        const before = await stateNow();
        const found = await table.select("kind = 'parent'", ['record', 'position']);
        if ((await stateNow()) !== before) continue;
        const rows = found.map((one) => ({ ...toDocument(one), n: Number(one.position) }));
        return { generation: before.generation, rows };
      }
    },
  };
}

/** The rows of a change's words, and the owners and keys of those that go. */
export function wordsRows(
  write: WordsWrite,
  kept: readonly SegmentRow[],
  generation: number,
): { readonly rows: Record<string, unknown>[]; readonly owners: string[] } {
  const rows: Record<string, unknown>[] = [];
  for (const [page, data] of write.pages)
    rows.push(
      row({ key: `page/${page}`, kind: 'page', position: page, generation, data: Buffer.from(data) }),
    );
  for (const { directory, blocks, ...segment } of write.segments) {
    rows.push(segmentRow(segment, directory));
    for (const { number, data } of blocks)
      rows.push(
        row({
          key: `block/${number}`,
          kind: 'block',
          owner: `blocks/${segment.segment}`,
          position: number,
          data: Buffer.from(data),
        }),
      );
  }
  for (const { directory, ...segment } of kept) {
    const dead = write.dead.get(segment.segment);
    if (dead !== undefined) rows.push(segmentRow({ ...segment, dead }, directory));
  }
  return { rows, owners: write.dropped.flatMap((segment) => [segmentKey(segment), `blocks/${segment}`]) };
}

const segmentRow = (segment: Omit<SegmentRow, 'directory'>, directory: Uint8Array) =>
  row({
    key: segmentKey(segment.segment),
    kind: 'segment',
    owner: segmentKey(segment.segment),
    record: JSON.stringify(segment),
    data: Buffer.from(directory),
  });

/** A merge holds its sources in memory; segments that are larger together stay apart. */
const MOST_BYTES = 192 * 2 ** 20;

/** Merges that were too large for a commit. The caller holds the lock. */
export async function mergeDue(table: Table): Promise<void> {
  const store = wordsStore(table);
  for (;;) {
    const sources = planMerge(await store.segments()) as readonly SegmentRow[] | null;
    if (sources === null || bytesTogether(sources) > MOST_BYTES) return;
    const state = await readState(table);
    const merged = await mergeSegments(sources, state.next_segment, store);
    if (merged === undefined) return;
    const dropped = sources.map(({ segment }) => segment);
    const { next_unit } = state;
    const next_segment = state.next_segment + 1;
    const write = {
      pages: [],
      segments: merged === null ? [] : [merged],
      dropped,
      dead: new Map(),
      next_unit,
      next_segment,
    };
    const { rows, owners } = wordsRows(write, [], state.generation);
    const next = { ...state, index_version: state.index_version + 1, next_segment };
    await table.merge([...rows, stateRow(next)], isOneOf('owner', owners));
  }
}
