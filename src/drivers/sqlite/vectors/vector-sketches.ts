import { seal, unseal } from '../../../store/bytes.js';
import { type Sketch, type SketchBlock, sketchBytes, sketchGroups } from '../../../store/index/sketch.js';
import type { Connection } from '../connection.js';

/**
 * The sketches of vectors as the file keeps them: many a row, so that opening a library of 100,000 reads 14 MB in few
 * rows instead of every vector, and copies them as they are. They can always be made again from the vectors. Vectors
 * that are gone stay in here; the table `vectors_gone` names them, until a rewrite drops both and raises the space's
 * epoch.
 */
export interface SlotBlock extends SketchBlock {
  /** The file's slot of each; they only grow, past 32 bits one day. */
  readonly slots: Float64Array;
}

/** Segments of one put each are merged when there are this many. */
const MANY = 64;
/** A segment this large is left as it is. */
const LARGE = 4096;

export function appendSketches(
  connection: Connection,
  space: number,
  dimensions: number,
  added: SlotBlock,
): void {
  writeSegment(connection, space, added);
  const small = connection.all(
    'SELECT segment, data FROM vector_sketches WHERE space = ? AND count < ? ORDER BY last_slot',
    space,
    LARGE,
  );
  if (small.length < MANY) return;
  const blocks = small.map(([segment, data]) => decode(data, Number(segment), dimensions));
  for (const [segment] of small) connection.run('DELETE FROM vector_sketches WHERE segment = ?', segment!);
  writeSegment(connection, space, joined(blocks, dimensions));
}

/** All sketches with a slot above `after`, by slot. Throws STORE_DAMAGED. */
export function readSketches(
  connection: Connection,
  space: number,
  dimensions: number,
  after: number,
): SlotBlock[] {
  return connection
    .all(
      'SELECT segment, data FROM vector_sketches WHERE space = ? AND last_slot > ? ORDER BY last_slot',
      space,
      after,
    )
    .map(([segment, data]) => {
      const block = decode(data, Number(segment), dimensions);
      // Slots grow within a segment: what is known already stands first.
      return part(block, dimensions, lowerBound(block.slots, after + 1));
    });
}

/** Without what is gone; other processes see the new epoch and start afresh. */
export function rewriteSketches(
  connection: Connection,
  space: number,
  dimensions: number,
  live: SlotBlock,
): void {
  connection.run('DELETE FROM vector_sketches WHERE space = ?', space);
  connection.run('DELETE FROM vectors_gone WHERE space = ?', space);
  connection.run('UPDATE vector_spaces SET epoch = epoch + 1 WHERE space = ?', space);
  for (let at = 0; at < live.slots.length; at += LARGE)
    writeSegment(connection, space, part(live, dimensions, at, at + LARGE));
}

/** Sketches made one by one, as a block. */
export function blockOf(
  sketches: readonly { readonly slot: number; readonly sketch: Sketch }[],
  dimensions: number,
): SlotBlock {
  const block = emptyBlock(sketches.length, dimensions);
  for (const [at, { slot, sketch }] of sketches.entries()) {
    block.slots[at] = slot;
    block.bits.set(sketch.bits, at * sketch.bits.length);
    block.weights.set(sketch.weights, at * sketch.weights.length);
  }
  return block;
}

function joined(blocks: readonly SlotBlock[], dimensions: number): SlotBlock {
  const count = blocks.reduce((sum, { slots }) => sum + slots.length, 0);
  const all = emptyBlock(count, dimensions);
  let at = 0;
  for (const { slots, bits, weights } of blocks) {
    all.slots.set(slots, at);
    all.bits.set(bits, at * sketchBytes(dimensions));
    all.weights.set(weights, at * sketchGroups(dimensions));
    at += slots.length;
  }
  return all;
}

const emptyBlock = (count: number, dimensions: number): SlotBlock => ({
  slots: new Float64Array(count),
  bits: new Uint8Array(count * sketchBytes(dimensions)),
  weights: new Float32Array(count * sketchGroups(dimensions)),
});

function part(
  { slots, bits, weights }: SlotBlock,
  dimensions: number,
  from: number,
  to = Infinity,
): SlotBlock {
  const size = sketchBytes(dimensions);
  const groups = sketchGroups(dimensions);
  const end = Math.min(to, slots.length);
  return {
    slots: slots.subarray(from, end),
    bits: bits.subarray(from * size, end * size),
    weights: weights.subarray(from * groups, end * groups),
  };
}

function lowerBound(slots: Float64Array, wanted: number): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (slots[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function writeSegment(connection: Connection, space: number, block: SlotBlock): void {
  const { slots } = block;
  if (slots.length === 0) return;
  const sql = "INSERT INTO vector_sketches (space, last_slot, count, data) VALUES (?, ?, ?, x'')";
  const { rowid } = connection.run(sql, space, slots.at(-1)!, slots.length);
  connection.run('UPDATE vector_sketches SET data = ? WHERE segment = ?', seal(encode(block), rowid), rowid);
}

/** All slots as float64, then all bits, then all weights as float32. */
function encode({ slots, bits, weights }: SlotBlock): Uint8Array {
  return Buffer.concat([slots, bits, weights].map((view) => asBytes(view)));
}

const asBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function decode(data: unknown, segment: number, dimensions: number): SlotBlock {
  // A copy of its own: views of numbers must start at a multiple of their size.
  const bytes = new Uint8Array(unseal(data, segment, 'sketches of vectors'));
  const size = sketchBytes(dimensions);
  const groups = sketchGroups(dimensions);
  const count = bytes.length / (8 + size + groups * 4);
  return {
    slots: new Float64Array(bytes.buffer, 0, count),
    bits: bytes.subarray(count * 8, count * (8 + size)),
    weights: new Float32Array(bytes.buffer, count * (8 + size), count * groups),
  };
}
