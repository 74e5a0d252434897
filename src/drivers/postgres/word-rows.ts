import type { Sql } from 'postgres';
import { BLOCKS, STAGE } from '../../store/words/segment.js';
import type { FilterRow } from '../../store/words/unit-filters.js';
import type { PageRow } from '../../store/words/unit-table.js';
import type { BlockRow, SegmentRow, WordsStore, WordsWrite } from '../../store/words/words-change.js';
import type { WordsSource, WordsState } from '../../store/words/words-reader.js';
import type { Pool } from './pool.js';
import type { Row } from './rows.js';

/** The word index as rows of blobs: how it is read, and how a commit reads and writes it. */

/** With how often vectors were written: a question needs both, and asks once. */
export interface LibraryState extends WordsState {
  readonly vectors: number;
}

const stateOf = async (pool: Pool, sql: Sql): Promise<LibraryState> => {
  const { library } = pool.address;
  const [row] = await sql`
    SELECT generation, index_version, purged, vectors, identity,
      (SELECT string_agg(unit::text, ',' ORDER BY unit) FROM ${pool.table('strata_tombstones')} WHERE library = ${library}) AS buried
    FROM ${pool.table('strata_libraries')} WHERE name = ${library}`;
  return {
    ...toState(row ?? {}),
    vectors: Number(row?.vectors ?? 0),
    buried: row?.buried ? String(row.buried).split(',').map(Number) : [],
  };
};

const toState = ({ generation, index_version, purged, identity }: Row): Omit<WordsState, 'buried'> => ({
  generation: Number(generation ?? 0),
  index_version: Number(index_version ?? 0),
  purged: Number(purged ?? 0),
  identity: identity ? String(identity) : undefined,
});

const toPage = ({ page, data }: Row): PageRow => [Number(page), data as Uint8Array];

const toSegment = (row: Row): SegmentRow => ({
  segment: Number(row.segment),
  stage: STAGE.live,
  first_unit: Number(row.first_unit),
  last_unit: Number(row.last_unit),
  units: Number(row.units),
  dead: Number(row.dead),
  bytes: Number(row.bytes),
  directory: row.directory as Uint8Array,
});

const segmentsOf = async (pool: Pool, sql: Sql): Promise<SegmentRow[]> =>
  (
    await sql`SELECT segment, first_unit, last_unit, units, dead, bytes, directory FROM ${pool.table('strata_segments')}
      WHERE library = ${pool.address.library} ORDER BY first_unit`
  ).map(toSegment);

export function wordsSource(pool: Pool, onLook?: (state: LibraryState) => void): WordsSource {
  const { library } = pool.address;
  return {
    state: async () => {
      const state = await pool.read((sql) => stateOf(pool, sql));
      onLook?.(state);
      return state;
    },
    // One statement, so that all of it is of one moment.
    changes: async (since) => {
      const rows = await pool.read(
        (
          sql,
        ) => sql`SELECT l.generation, l.index_version, l.purged, l.identity, p.page, p.data, NULL::bigint AS segment, NULL::bigint AS first_unit,
            NULL::bigint AS last_unit, NULL::bigint AS units, NULL::bigint AS dead, NULL::bigint AS bytes, NULL::bigint AS buried
          FROM ${pool.table('strata_libraries')} l LEFT JOIN ${pool.table('strata_pages')} p ON p.library = l.name AND p.generation > ${since}
          WHERE l.name = ${library}
          UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, directory, segment, first_unit, last_unit, units, dead, bytes, NULL
          FROM ${pool.table('strata_segments')} WHERE library = ${library}
          UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, unit
          FROM ${pool.table('strata_tombstones')} WHERE library = ${library}`,
      );
      const row = rows.find(({ generation }) => generation !== null) ?? {};
      const buried = rows.filter((one) => one.buried !== null).map((one) => Number(one.buried));
      const segments = rows
        .filter((one) => one.segment !== null)
        .map((one) => toSegment({ ...one, directory: one.data }));
      return {
        state: { ...toState(row), buried: buried.sort((a, b) => a - b) },
        pages: rows.filter(({ page }) => page !== null).map(toPage),
        segments: segments.sort((a, b) => a.first_unit - b.first_unit),
      };
    },
    blocks: async (places) => {
      const numbers = places.map(([segment, ordinal]) => segment * BLOCKS + ordinal);
      const rows = await pool.read(
        (sql) => sql`SELECT block, data FROM ${pool.table('strata_blocks')}
          WHERE library = ${library} AND block = ANY(${numbers.map(String)}::bigint[])`,
      );
      const found = new Map(rows.map(({ block, data }) => [Number(block), data as Uint8Array]));
      return numbers.map((number) => found.get(number));
    },
    documents: async () => {
      const rows = await pool.read(
        (sql) => sql`SELECT l.generation, d.n, d.id, d.record FROM ${pool.table('strata_libraries')} l
          LEFT JOIN ${pool.table('documents')} d ON d.library = l.name WHERE l.name = ${library}
          ORDER BY d.source`,
      );
      const generation = Number(rows[0]?.generation ?? 0);
      return { generation, rows: rows.filter(({ n }) => n !== null).map(toFilterRow) };
    },
  };
}

const toFilterRow = ({ n, record }: Row): FilterRow => ({ n: Number(n), ...JSON.parse(String(record)) });

/** Inside a commit's transaction. */
export function wordsStore(pool: Pool, sql: Sql): WordsStore {
  const { library } = pool.address;
  return {
    pages: async (numbers) =>
      (
        await sql`SELECT page, data FROM ${pool.table('strata_pages')}
          WHERE library = ${library} AND page = ANY(${numbers.map(String)}::bigint[])`
      ).map(toPage),
    pagesBetween: async (first, last) =>
      (
        await sql`SELECT page, data FROM ${pool.table('strata_pages')}
          WHERE library = ${library} AND page BETWEEN ${first} AND ${last}`
      ).map(toPage),
    segments: () => segmentsOf(pool, sql),
    blocks: (segments) => blocksOf(pool, sql, segments),
  };
}

async function blocksOf(pool: Pool, sql: Sql, segments: readonly number[]): Promise<BlockRow[]> {
  const { library } = pool.address;
  const found: BlockRow[] = [];
  for (const segment of segments) {
    const rows = await sql`SELECT block, data FROM ${pool.table('strata_blocks')}
      WHERE library = ${library} AND block >= ${segment * BLOCKS} AND block < ${(segment + 1) * BLOCKS}`;
    found.push(...rows.map(({ block, data }) => ({ number: Number(block), data: data as Uint8Array })));
  }
  return found;
}

/** Rows of one statement: a message to the server has 65,534 parameters at most. */
const BATCH = 1000;

export async function writeWords(pool: Pool, sql: Sql, write: WordsWrite, generation: number): Promise<void> {
  const { library } = pool.address;
  for (const segment of write.dropped) {
    await sql`DELETE FROM ${pool.table('strata_blocks')}
      WHERE library = ${library} AND block >= ${segment * BLOCKS} AND block < ${(segment + 1) * BLOCKS}`;
    await sql`DELETE FROM ${pool.table('strata_segments')} WHERE library = ${library} AND segment = ${segment}`;
  }
  for (const [segment, dead] of write.dead)
    await sql`UPDATE ${pool.table('strata_segments')} SET dead = ${dead} WHERE library = ${library} AND segment = ${segment}`;
  for (const { segment, first_unit, last_unit, units, dead, bytes, directory, blocks } of write.segments) {
    await sql`INSERT INTO ${pool.table('strata_segments')}
      VALUES (${library}, ${segment}, ${first_unit}, ${last_unit}, ${units}, ${dead}, ${bytes}, ${Buffer.from(directory)})`;
    const rows = blocks.map(({ number, data }) => ({ library, block: number, data: Buffer.from(data) }));
    for (const batch of batches(rows, BATCH))
      await sql`INSERT INTO ${pool.table('strata_blocks')} ${sql(batch, 'library', 'block', 'data')}`;
  }
  const pages = write.pages.map(([page, data]) => ({ library, page, generation, data: Buffer.from(data) }));
  for (const batch of batches(pages, BATCH))
    await sql`INSERT INTO ${pool.table('strata_pages')} ${sql(batch, 'library', 'page', 'generation', 'data')}
      ON CONFLICT (library, page) DO UPDATE SET generation = excluded.generation, data = excluded.data`;
}

export function* batches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
