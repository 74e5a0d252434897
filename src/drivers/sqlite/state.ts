import type { Connection } from './connection.js';

/** The one row of counters. */
export interface State {
  /** Of commits. */
  readonly generation: number;
  /** Of changes to the set of segments, merges included. */
  readonly index_version: number;
  readonly next_unit: number;
  readonly next_segment: number;
  /** Pages emptied before this generation have been forgotten: who is older reads all of them again. */
  readonly purged: number;
  /** Who is merging big segments, and until when that holds without a sign of life. */
  readonly merger: string;
  readonly merger_until: number;
}

const FIELDS = [
  'generation',
  'index_version',
  'next_unit',
  'next_segment',
  'purged',
  'merger',
  'merger_until',
] as const satisfies readonly (keyof State)[];

export function readState(connection: Connection): State {
  const row = connection.get(`SELECT ${FIELDS.join(', ')} FROM state`)!;
  return Object.fromEntries(FIELDS.map((field, i) => [field, row[i]])) as unknown as State;
}

export function updateState(connection: Connection, fields: Partial<State>): void {
  const names = Object.keys(fields);
  const values = Object.values(fields);
  connection.run(`UPDATE state SET ${names.map((name) => `${name} = ?`).join(', ')}`, ...values);
}

/** A number of its own, never given again. */
export function takeSegment(connection: Connection): number {
  return connection.get(
    'UPDATE state SET next_segment = next_segment + 1 RETURNING next_segment - 1',
  )![0] as number;
}
