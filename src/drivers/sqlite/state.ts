import { StrataError } from '../../model/errors.js';
import { isCount } from '../../store/stored.js';
import { MOST_UNITS } from '../../store/words/unit-page.js';
import type { Connection } from './connection.js';
import { checksum } from './records/rows.js';
import type { Row, Value } from './values.js';

/** The one row of counters. */
export interface State {
  /** Counts commits. */
  readonly generation: number;
  /** Counts changes to the set of segments, merges included. */
  readonly index_version: number;
  readonly next_unit: number;
  readonly next_segment: number;
  /** Pages emptied before this generation have been forgotten: who is older reads all of them again. */
  readonly purged: number;
  /** Who is merging big segments, and until when that holds without a sign of life. */
  readonly merger: string;
  readonly merger_until: number;
}

const INITIAL: State = {
  generation: 0,
  index_version: 0,
  next_unit: 0,
  next_segment: 1,
  purged: 0,
  merger: '',
  merger_until: 0,
};
const FIELDS = Object.keys(INITIAL) as (keyof State)[];

export function readState(connection: Connection): State {
  const row = connection.get(`SELECT ${FIELDS.join(', ')}, crc FROM state`);
  if (row === undefined || checksum(row.slice(0, -1)) !== row.at(-1) || !isPossible(row)) {
    const message = `${connection.path}: the library's counters are damaged; run \`strata doctor --fix\`.`;
    throw new StrataError('STORE_DAMAGED', message);
  }
  return Object.fromEntries(FIELDS.map((field, i) => [field, row[i]])) as unknown as State;
}

/** A right checksum only says that whoever wrote it could compute one: no loop may run up to a number like 1e308. */
function isPossible(row: Row): boolean {
  const isOwnType = (field: keyof State, i: number): boolean =>
    typeof INITIAL[field] === 'string' ? typeof row[i] === 'string' : isCount(row[i]);
  return FIELDS.every(isOwnType) && Number(row[FIELDS.indexOf('next_unit')]) < MOST_UNITS;
}

/** Inside a write transaction. */
export function updateState(connection: Connection, changed: Partial<State>): void {
  writeState(connection, { ...readState(connection), ...changed });
}

export function createState(connection: Connection, known: Partial<State> = {}): void {
  writeState(connection, { ...INITIAL, ...known });
}

function writeState(connection: Connection, state: State): void {
  const values: Value[] = FIELDS.map((field) => state[field]);
  const marks = FIELDS.map(() => '?').join(', ');
  connection.run(
    `INSERT OR REPLACE INTO state (one, ${FIELDS.join(', ')}, crc) VALUES (1, ${marks}, ?)`,
    ...values,
    checksum(values),
  );
}

/** A number of its own, never given again. */
export function takeSegment(connection: Connection): number {
  const { next_segment } = readState(connection);
  updateState(connection, { next_segment: next_segment + 1 });
  return next_segment;
}
