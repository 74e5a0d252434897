import { pause } from '../../model/turns.js';

/**
 * Many vectors as points of a plane, near ones near each other, in seconds: the vectors are folded to a few dimensions
 * (count sketch), turned so that the first ones spread most (PCA), grouped (k-means), and each group becomes an island:
 * where it lies follows from the groups' own spread, how its points lie from theirs. t-SNE and UMAP look better and take
 * minutes at 100,000 points.
 */
export interface Projection {
  /** x and y in turn, each 0–65535. */
  readonly points: Uint16Array;
  /** The island of each point. */
  readonly groups: Uint16Array;
}

export const FOLDED = 64;
const KEPT = 12;
const MOST_GROUPS = 48;
const ROUNDS = 8;
/** How many points are looked at to find groups; the others join the nearest group. */
const SAMPLED = 10_000;

/** Each input dimension is added to one output dimension with a sign of its own: inner products stay, in expectation. */
export function folder(dimensions: number): (codes: Int8Array, scale: number, into: Float32Array) => void {
  const next = randoms(7);
  const target = Uint8Array.from({ length: dimensions }, () => next() * FOLDED);
  const sign = Int8Array.from({ length: dimensions }, () => (next() < 0.5 ? -1 : 1));
  return (codes, scale, into) => {
    for (let d = 0; d < codes.length; d++) {
      const at = target[d]!;
      into[at] = into[at]! + sign[d]! * codes[d]! * scale;
    }
  };
}

/** `folded` holds one row of `FOLDED` numbers per vector. */
export async function project(folded: Float32Array): Promise<Projection> {
  const count = folded.length / FOLDED;
  const turned = await principal(folded, count, FOLDED, Math.min(KEPT, FOLDED));
  const groups = await grouped(turned, count);
  const islands = layIslands(turned, groups.centres, groups.sizes);
  const place = await placePoints(turned, count, groups, islands);
  return { points: scaled(place), groups: groups.of };
}

/** The rows in the directions in which they spread most. */
async function principal(
  rows: Float32Array,
  count: number,
  width: number,
  kept: number,
): Promise<Float32Array> {
  const mean = new Float64Array(width);
  for (let row = 0; row < count; row++)
    for (let d = 0; d < width; d++) mean[d] = mean[d]! + rows[row * width + d]! / count;
  const spread = new Float64Array(width * width);
  const centred = new Float64Array(width);
  for (let row = 0; row < count; row++) {
    for (let d = 0; d < width; d++) centred[d] = rows[row * width + d]! - mean[d]!;
    for (let a = 0; a < width; a++) {
      const value = centred[a]!;
      for (let b = a; b < width; b++) spread[a * width + b] = spread[a * width + b]! + value * centred[b]!;
    }
    if (row % 256 === 0) await pause();
  }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) spread[a * width + b] = spread[b * width + a]!;
  const axes = topDirections(spread, width, kept);
  const turned = new Float32Array(count * kept);
  for (let row = 0; row < count; row++) {
    for (let k = 0; k < kept; k++) {
      let sum = 0;
      const axis = axes[k]!;
      for (let d = 0; d < width; d++) sum += (rows[row * width + d]! - mean[d]!) * axis[d]!;
      turned[row * kept + k] = sum;
    }
    if (row % 1024 === 0) await pause();
  }
  return turned;
}

/** By power iteration, each direction taken out before the next is looked for. */
function topDirections(matrix: Float64Array, width: number, kept: number): Float64Array[] {
  const next = randoms(11);
  const axes: Float64Array[] = [];
  for (let k = 0; k < kept; k++) {
    let axis = Float64Array.from({ length: width }, () => next() - 0.5);
    for (let round = 0; round < 40; round++) {
      const image = new Float64Array(width);
      for (let a = 0; a < width; a++)
        for (let b = 0; b < width; b++) image[a] = image[a]! + matrix[a * width + b]! * axis[b]!;
      for (const other of axes) {
        const along = image.reduce((sum, value, d) => sum + value * other[d]!, 0);
        for (let d = 0; d < width; d++) image[d] = image[d]! - along * other[d]!;
      }
      const length = Math.hypot(...image) || 1;
      axis = image.map((value) => value / length);
    }
    axes.push(axis);
  }
  return axes;
}

interface Groups {
  readonly of: Uint16Array;
  readonly centres: readonly Float64Array[];
  readonly sizes: readonly number[];
}

async function grouped(rows: Float32Array, count: number): Promise<Groups> {
  const wanted = Math.max(1, Math.min(MOST_GROUPS, Math.round(Math.sqrt(count / 8))));
  const step = Math.max(1, count / SAMPLED);
  const sample: number[] = [];
  for (let at = 0; at < count; at += step) sample.push(Math.floor(at));
  let centres = startingCentres(rows, sample, wanted);
  for (let round = 0; round < ROUNDS; round++) {
    const sums = centres.map(() => new Float64Array(KEPT));
    const totals = new Array<number>(centres.length).fill(0);
    for (const [at, row] of sample.entries()) {
      const group = nearest(rows, row, centres);
      totals[group] = totals[group]! + 1;
      for (let d = 0; d < KEPT; d++) sums[group]![d] = sums[group]![d]! + rows[row * KEPT + d]!;
      if (at % 256 === 0) await pause();
    }
    centres = sums.map((sum, group) =>
      totals[group] === 0 ? centres[group]! : sum.map((value) => value / totals[group]!),
    );
  }
  const of = new Uint16Array(count);
  const sizes = new Array<number>(centres.length).fill(0);
  for (let row = 0; row < count; row++) {
    const group = nearest(rows, row, centres);
    of[row] = group;
    sizes[group] = sizes[group]! + 1;
    if (row % 256 === 0) await pause();
  }
  return { of, centres, sizes };
}

/** Far from each other, so that no two begin in the same group: each is the sampled point farthest from those before. */
function startingCentres(rows: Float32Array, sample: readonly number[], wanted: number): Float64Array[] {
  const few = sample.filter((_, at) => at % Math.max(1, Math.floor(sample.length / 2000)) === 0);
  const rowOf = (row: number) => Float64Array.from(rows.subarray(row * KEPT, row * KEPT + KEPT));
  const centres = [rowOf(few[0] ?? 0)];
  const distances = few.map((row) => distance(rows, row, centres[0]!));
  while (centres.length < Math.min(wanted, few.length)) {
    let farthest = 0;
    for (const [at, value] of distances.entries()) if (value > distances[farthest]!) farthest = at;
    const centre = rowOf(few[farthest]!);
    centres.push(centre);
    for (const [at, row] of few.entries())
      distances[at] = Math.min(distances[at]!, distance(rows, row, centre));
  }
  return centres;
}

function distance(rows: Float32Array, row: number, centre: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < KEPT; d++) sum += (rows[row * KEPT + d]! - centre[d]!) ** 2;
  return sum;
}

function nearest(rows: Float32Array, row: number, centres: readonly Float64Array[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [group, centre] of centres.entries()) {
    const far = distance(rows, row, centre);
    if (far < least) [least, best] = [far, group];
  }
  return best;
}

interface Island {
  x: number;
  y: number;
  readonly radius: number;
}

/** Centres where the first two directions put them, then pushed apart until no island covers another. */
function layIslands(
  rows: Float32Array,
  centres: readonly Float64Array[],
  sizes: readonly number[],
): Island[] {
  const total = rows.length / KEPT;
  const islands = centres.map((centre, group) => ({
    x: centre[0]!,
    y: centre[1]!,
    radius: Math.sqrt(sizes[group]! / total),
  }));
  const extent = Math.max(...islands.map(({ x, y }) => Math.hypot(x, y)), 1e-9);
  for (const island of islands) {
    island.x /= extent;
    island.y /= extent;
  }
  for (let round = 0; round < 200; round++) {
    for (const [at, a] of islands.entries()) {
      for (const b of islands.slice(at + 1)) {
        const [dx, dy] = [b.x - a.x || 1e-3 * (at + 1), b.y - a.y || 1e-3];
        const apart = Math.hypot(dx, dy);
        const missing = (a.radius + b.radius) * 1.05 - apart;
        if (missing <= 0) continue;
        const [px, py] = [(dx / apart) * missing * 0.5, (dy / apart) * missing * 0.5];
        a.x -= px;
        a.y -= py;
        b.x += px;
        b.y += py;
      }
    }
  }
  return islands;
}

/** Inside its island a point lies where the two directions in which that group spreads most put it. */
async function placePoints(
  rows: Float32Array,
  count: number,
  { of, centres, sizes }: Groups,
  islands: readonly Island[],
): Promise<Float32Array> {
  const spreads = centres.map(() => new Float64Array(KEPT * KEPT));
  for (let row = 0; row < count; row++) {
    const [spread, centre] = [spreads[of[row]!]!, centres[of[row]!]!];
    for (let a = 0; a < KEPT; a++) {
      const value = rows[row * KEPT + a]! - centre[a]!;
      for (let b = 0; b < KEPT; b++)
        spread[a * KEPT + b] = spread[a * KEPT + b]! + value * (rows[row * KEPT + b]! - centre[b]!);
    }
    if (row % 512 === 0) await pause();
  }
  const axes = spreads.map((spread) => topDirections(spread, KEPT, 2));
  const place = new Float32Array(count * 2);
  for (let row = 0; row < count; row++) {
    const group = of[row]!;
    const [axis, centre, island] = [axes[group]!, centres[group]!, islands[group]!];
    const width = Math.sqrt(trace(spreads[group]!) / Math.max(1, sizes[group]!)) || 1;
    const along = (k: number): number => {
      let sum = 0;
      for (let d = 0; d < KEPT; d++) sum += (rows[row * KEPT + d]! - centre[d]!) * axis[k]![d]!;
      return sum / width;
    };
    const [x, y] = [along(0), along(1)];
    // Far ones are drawn in: the island ends at its radius.
    const far = Math.hypot(x, y);
    const drawn = far === 0 ? 0 : (island.radius * Math.tanh(far)) / far;
    place[row * 2] = island.x + x * drawn;
    place[row * 2 + 1] = island.y + y * drawn;
    if (row % 1024 === 0) await pause();
  }
  return place;
}

function trace(matrix: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < KEPT; d++) sum += matrix[d * KEPT + d]!;
  return sum;
}

function scaled(place: Float32Array): Uint16Array {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < place.length; at += 2) {
    left = Math.min(left, place[at]!);
    right = Math.max(right, place[at]!);
    top = Math.min(top, place[at + 1]!);
    bottom = Math.max(bottom, place[at + 1]!);
  }
  const size = Math.max(right - left, bottom - top) || 1;
  const points = new Uint16Array(place.length);
  for (let at = 0; at < place.length; at += 2) {
    points[at] = Math.round(((place[at]! - left + (size - (right - left)) / 2) / size) * 65_535);
    points[at + 1] = Math.round(((place[at + 1]! - top + (size - (bottom - top)) / 2) / size) * 65_535);
  }
  return points;
}

/** The same map for the same library every time: mulberry32, seeded. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
