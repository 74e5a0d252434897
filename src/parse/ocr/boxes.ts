import type { Point } from './raster.js';

/** A rectangle around a line of text. It lies nearly level: its `angle` is within an eighth of a turn. */
export interface Box {
  readonly x: number;
  readonly y: number;
  /** Along `angle`. */
  readonly width: number;
  /** Across it. */
  readonly height: number;
  /** In radians with the clock (y goes down); -π/4 to π/4. */
  readonly angle: number;
  /** How sure the network is that this is text, 0–1. */
  readonly score: number;
}

// PP-OCR's own values: a pixel of text has 0.3 or more, a line 0.6 in the mean. A shrunken line grows by this ratio
// (area by circumference, as DB puts it) to the size that its letters have.
const TEXT_PIXEL = 0.3;
const LINE_SCORE = 0.6;
const GROWTH = 1.6;
const LEAST_SIDE = 3;
const MOST_BOXES = 4_000;

/** Lines of text in a map of probabilities: connected pixels, each in the smallest rectangle that holds them. */
export function findBoxes(map: Float32Array, width: number, height: number): Box[] {
  const boxes: Box[] = [];
  for (const component of components(map, width, height)) {
    if (component.score < LINE_SCORE) continue;
    const box = smallestRectangle(convexHull(component.outline));
    if (Math.min(box.width, box.height) < LEAST_SIDE) continue;
    const grown = (GROWTH * box.width * box.height) / (2 * (box.width + box.height));
    boxes.push({
      ...box,
      width: box.width + 2 * grown,
      height: box.height + 2 * grown,
      score: component.score,
    });
    if (boxes.length >= MOST_BOXES) break;
  }
  return boxes;
}

interface Component {
  /** The first and the last pixel of each row. */
  readonly outline: readonly Point[];
  readonly score: number;
}

function* components(map: Float32Array, width: number, height: number): Generator<Component> {
  const seen = new Uint8Array(map.length);
  const stack: number[] = [];
  for (let start = 0; start < map.length; start++) {
    if (seen[start] === 1 || map[start]! < TEXT_PIXEL) continue;
    const rows = new Map<number, { left: number; right: number }>();
    let [sum, count] = [0, 0];
    seen[start] = 1;
    stack.push(start);
    while (stack.length > 0) {
      const at = stack.pop()!;
      const [x, y] = [at % width, Math.floor(at / width)];
      sum += map[at]!;
      count++;
      const row = rows.get(y);
      if (row === undefined) rows.set(y, { left: x, right: x });
      else if (x < row.left) row.left = x;
      else if (x > row.right) row.right = x;
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          const [nx, ny] = [x + dx, y + dy];
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
          const near = ny * width + nx;
          if (seen[near] === 1 || map[near]! < TEXT_PIXEL) continue;
          seen[near] = 1;
          stack.push(near);
        }
      }
    }
    // Pixels are squares: the rectangle goes around their corners.
    const outline = [...rows].flatMap(([y, { left, right }]) => [
      { x: left, y },
      { x: left, y: y + 1 },
      { x: right + 1, y },
      { x: right + 1, y: y + 1 },
    ]);
    yield { outline, score: sum / count };
  }
}

/** Andrew's monotone chain. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (all: readonly Point[]): Point[] => {
    const hull: Point[] = [];
    for (const point of all) {
      while (hull.length >= 2 && cross(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop();
      hull.push(point);
    }
    hull.pop();
    return hull;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const cross = (o: Point, a: Point, b: Point): number => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);

/** The rectangle of least area around a convex outline: one of its sides lies along a side of the outline. */
export function smallestRectangle(hull: readonly Point[]): Omit<Box, 'score'> {
  let best: Omit<Box, 'score'> | undefined;
  for (const [at, point] of hull.entries()) {
    const next = hull[(at + 1) % hull.length]!;
    const angle = levelled(Math.atan2(next.y - point.y, next.x - point.x));
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of hull) {
      const [along, across] = [x * cos + y * sin, y * cos - x * sin];
      left = Math.min(left, along);
      right = Math.max(right, along);
      top = Math.min(top, across);
      bottom = Math.max(bottom, across);
    }
    const [width, height] = [right - left, bottom - top];
    if (best !== undefined && width * height >= best.width * best.height) continue;
    const [along, across] = [(left + right) / 2, (top + bottom) / 2];
    best = { x: along * cos - across * sin, y: along * sin + across * cos, width, height, angle };
  }
  return best ?? { x: 0, y: 0, width: 0, height: 0, angle: 0 };
}

/** A rectangle's sides stand at right angles: of the four directions the one that is nearly level. */
function levelled(angle: number): number {
  const quarter = Math.PI / 2;
  return angle - Math.round(angle / quarter) * quarter;
}

/**
 * Boxes grow beyond their text, and where columns stand close they reach into each other: a line would be read with
 * crumbs of its neighbour. Of two on one row each then ends half-way.
 */
export function parted(boxes: readonly Box[]): Box[] {
  const rows = boxes
    .map(({ x, y, width, height }) => ({ left: x - width / 2, right: x + width / 2, y, height }))
    .map((row, at) => ({ ...row, at }))
    .sort((a, b) => a.left - b.left);
  for (const [at, one] of rows.entries()) {
    for (const other of rows.slice(at + 1)) {
      if (other.left >= one.right) break;
      const isSameRow = Math.abs(one.y - other.y) < 0.5 * Math.min(one.height, other.height);
      const isBehind = other.left > one.left + one.height && other.right > one.right;
      // More than a letter's width is no crumb: the two stand over each other for another reason.
      if (!isSameRow || !isBehind || one.right - other.left > Math.min(one.height, other.height)) continue;
      const middle = (one.right + other.left) / 2;
      one.right = middle;
      other.left = middle;
    }
  }
  const out = [...boxes];
  for (const { at, left, right } of rows)
    out[at] = { ...boxes[at]!, x: (left + right) / 2, width: right - left };
  return out;
}
