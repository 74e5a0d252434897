import { StrataError } from '../../../model/errors.js';
import {
  BLOCKS,
  openBlock,
  openDirectory,
  type Segment,
  SegmentEncoder,
  type SegmentSource,
  STAGE,
} from '../../../store/words/segment.js';
import type { SegmentBuilder } from '../../../store/words/segment-builder.js';
import type { Connection } from '../connection.js';
import { checksum } from '../records/rows.js';
import type { Row } from '../values.js';

const COLUMNS = 'segment, stage, first_unit, last_unit, units, dead, bytes, crc';
/** A checksum of what never changes in a segment's row. */
const rangeChecksum = (segment: number, first: number, last: number, units: number, bytes: number): number =>
  checksum([segment, first, last, units, bytes]);

/** All that can be searched, oldest units first. */
export function liveSegments(connection: Connection): readonly Segment[] {
  const sql = `SELECT ${COLUMNS} FROM segments WHERE stage > ${STAGE.building} ORDER BY first_unit`;
  return connection.all(sql).map(toSegment);
}

const toSegment = (row: Row): Segment => {
  const [segment, stage, first_unit, last_unit, units, dead, bytes, crc] = row as number[];
  if (rangeChecksum(segment!, first_unit!, last_unit!, units!, bytes!) !== crc) {
    const message = `The entry of word segment ${segment} is damaged; run \`strata doctor --fix\`.`;
    throw new StrataError('STORE_DAMAGED', message);
  }
  return {
    segment: segment!,
    stage: stage!,
    first_unit: first_unit!,
    last_unit: last_unit!,
    units: units!,
    dead: dead!,
    bytes: bytes!,
  };
};

export const segmentSource = (connection: Connection): SegmentSource => ({
  directory: (segment) => {
    const row = connection.get('SELECT directory FROM segments WHERE segment = ?', segment);
    return openDirectory(row?.[0], segment);
  },
  block: (segment, ordinal) => {
    const row = connection.get('SELECT data FROM segment_blocks WHERE block = ?', segment * BLOCKS + ordinal);
    return openBlock(row?.[0], segment, ordinal);
  },
});

export function dropSegment(connection: Connection, segment: number): void {
  connection.run(
    'DELETE FROM segment_blocks WHERE block >= ? AND block < ?',
    segment * BLOCKS,
    (segment + 1) * BLOCKS,
  );
  connection.run('DELETE FROM segments WHERE segment = ?', segment);
}

/** Writes a segment's blocks as they come; nothing finds them before `finish`. */
export class SegmentWriter {
  readonly encoder: SegmentEncoder;
  readonly #connection: Connection;

  constructor(connection: Connection, segment: number, firstUnit: number) {
    this.#connection = connection;
    this.encoder = new SegmentEncoder(segment, firstUnit);
  }

  /** Inside a write transaction. */
  writeReady(): void {
    for (const { number, data } of this.encoder.take())
      this.#connection.run('INSERT INTO segment_blocks VALUES (?, ?)', number, data);
  }

  /** Inside the write transaction that makes the segment live. */
  finish({
    first_unit,
    last_unit,
    units,
    dead,
  }: Pick<Segment, 'first_unit' | 'last_unit' | 'units' | 'dead'>): void {
    const { segment } = this.encoder;
    const { directory, bytes } = this.encoder.finish();
    this.writeReady();
    this.#connection.run(
      `INSERT OR REPLACE INTO segments (${COLUMNS}, directory) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[segment, STAGE.live, first_unit, last_unit, units, dead, bytes],
      rangeChecksum(segment, first_unit, last_unit, units, bytes),
      directory,
    );
  }
}

export function writeSegment(connection: Connection, segment: number, builder: SegmentBuilder): void {
  const { first_unit, last_unit, units } = builder;
  const writer = new SegmentWriter(connection, segment, first_unit);
  builder.encode(writer.encoder);
  writer.finish({ first_unit, last_unit, units, dead: 0 });
}
