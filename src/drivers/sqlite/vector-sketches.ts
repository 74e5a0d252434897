import { seal, unseal } from '../../store/bytes.js';
import { type Sketch, sketchBytes, sketchGroups } from '../../store/sketch.js';
import type { Connection } from './connection.js';

/**
 * The sketches of vectors as the file keeps them: many a row, so that opening a library of 100,000 reads 14 MB in few
 * rows instead of every vector. They can always be made again from the vectors. Vectors that are gone stay in here;
 * the table `vectors_gone` names them, until a rewrite drops both and raises the space's epoch.
 */
export interface SlotSketch {
  readonly slot: number;
  readonly sketch: Sketch;
}

/** Segments of one put each are merged when there are so many. */
const MANY = 64;
/** A segment this large is left as it is. */
const LARGE = 4096;

export function appendSketches(
  connection: Connection,
  space: number,
  dimensions: number,
  added: readonly SlotSketch[],
): void {
  writeSegment(connection, space, added);
  const small = connection.all(
    'SELECT segment, data FROM vector_sketches WHERE space = ? AND count < ?',
    space,
    LARGE,
  );
  if (small.length < MANY) return;
  const merged: SlotSketch[] = [];
  for (const [segment, data] of small) {
    merged.push(...decode(data, Number(segment), dimensions));
    connection.run('DELETE FROM vector_sketches WHERE segment = ?', segment!);
  }
  merged.sort((a, b) => a.slot - b.slot);
  writeSegment(connection, space, merged);
}

/** All sketches with a slot above `after`, in any order. Throws STORE_DAMAGED. */
export function readSketches(
  connection: Connection,
  space: number,
  dimensions: number,
  after: number,
): SlotSketch[] {
  return connection
    .all('SELECT segment, data FROM vector_sketches WHERE space = ? AND last_slot > ?', space, after)
    .flatMap(([segment, data]) => decode(data, Number(segment), dimensions))
    .filter(({ slot }) => slot > after);
}

/** Without what is gone; other processes see the new epoch and start afresh. */
export function rewriteSketches(connection: Connection, space: number, live: readonly SlotSketch[]): void {
  connection.run('DELETE FROM vector_sketches WHERE space = ?', space);
  connection.run('DELETE FROM vectors_gone WHERE space = ?', space);
  connection.run('UPDATE vector_spaces SET epoch = epoch + 1 WHERE space = ?', space);
  for (let at = 0; at < live.length; at += LARGE) writeSegment(connection, space, live.slice(at, at + LARGE));
}

function writeSegment(connection: Connection, space: number, sketches: readonly SlotSketch[]): void {
  if (sketches.length === 0) return;
  const last = sketches.reduce((most, { slot }) => Math.max(most, slot), 0);
  const sql = "INSERT INTO vector_sketches (space, last_slot, count, data) VALUES (?, ?, ?, x'')";
  const { rowid } = connection.run(sql, space, last, sketches.length);
  connection.run(
    'UPDATE vector_sketches SET data = ? WHERE segment = ?',
    seal(encode(sketches), rowid),
    rowid,
  );
}

/** Slots as float64 (they only grow, past 32 bits one day), then all bits, then all weights. */
function encode(sketches: readonly SlotSketch[]): Uint8Array {
  const count = sketches.length;
  const { bits, weights } = sketches[0]!.sketch;
  const bytes = new Uint8Array(count * (8 + bits.length + weights.length * 4));
  const slots = new Float64Array(bytes.buffer, 0, count);
  const scales = new Float32Array(bytes.buffer, count * (8 + bits.length), count * weights.length);
  for (const [at, { slot, sketch }] of sketches.entries()) {
    slots[at] = slot;
    bytes.set(sketch.bits, count * 8 + at * bits.length);
    scales.set(sketch.weights, at * weights.length);
  }
  return bytes;
}

function decode(data: unknown, segment: number, dimensions: number): SlotSketch[] {
  // A copy of its own: views of numbers must start at a multiple of their size.
  const bytes = unseal(data, segment, 'sketches of vectors').slice();
  const size = sketchBytes(dimensions);
  const groups = sketchGroups(dimensions);
  const count = bytes.length / (8 + size + groups * 4);
  const slots = new Float64Array(bytes.buffer, 0, count);
  const scales = new Float32Array(bytes.buffer, count * (8 + size), count * groups);
  return Array.from(slots, (slot, at) => ({
    slot,
    sketch: {
      bits: bytes.subarray(count * 8 + at * size, count * 8 + (at + 1) * size),
      weights: scales.subarray(at * groups, (at + 1) * groups),
    },
  }));
}
