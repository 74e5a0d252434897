import type { Box } from './boxes.js';
import { cropLine } from './crop.js';
import { inkColumns, runsOf } from './ink.js';
import type { Raster } from './raster.js';

// How many lines must end at a gutter, and as many begin behind it.
const WITNESSES = 3;
// The height at which lines are looked at.
const HEIGHT = 48;
// Paper of this width (in heights of a line) across a gutter; a space between words is half of it.
const BLANK = 0.4;

/**
 * Where columns stand close the network may take two lines side by side for one. Such a line is cut where others show
 * that a gutter is, if there is nothing but paper at that place.
 */
export function splitAtGutters(picture: Raster, boxes: readonly Box[]): Box[] {
  return guttersOf(boxes).reduce<readonly Box[]>(
    (all, gutter) => all.flatMap((box) => split(picture, box, gutter) ?? [box]),
    boxes,
  ) as Box[];
}

const leftOf = (box: Box): number => box.x - box.width / 2;
const rightOf = (box: Box): number => box.x + box.width / 2;

/** Places at which some lines end and others begin. */
function guttersOf(boxes: readonly Box[]): number[] {
  const lines = boxes.filter(({ width, height }) => width > 4 * height);
  const found: number[] = [];
  for (const line of [...lines].sort((a, b) => rightOf(a) - rightOf(b))) {
    const [end, height] = [rightOf(line), line.height];
    if (found.some((known) => Math.abs(known - end) < 1.5 * height)) continue;
    const before = lines.filter((other) => Math.abs(rightOf(other) - end) < 0.4 * height);
    const behind = lines.filter(
      (other) => leftOf(other) > end - 0.4 * height && leftOf(other) < end + 1.6 * height,
    );
    if (Math.min(before.length, behind.length) < WITNESSES) continue;
    found.push((middle(before.map(rightOf)) + middle(behind.map(leftOf))) / 2);
  }
  return found;
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

/** The two parts of a box that goes over a gutter; null where it does not, or where there is ink. */
function split(picture: Raster, box: Box, gutter: number): [Box, Box] | null {
  const { height } = box;
  if (leftOf(box) > gutter - 2 * height || rightOf(box) < gutter + 2 * height) return null;
  const crop = cropLine(picture, box, HEIGHT);
  const scale = box.width / crop.width;
  const blank = runsOf(inkColumns(crop), 0).find(
    ({ from, to }) =>
      to - from >= BLANK * HEIGHT &&
      Math.abs(((from + to) / 2) * scale - (gutter - leftOf(box))) < 0.5 * height,
  );
  if (blank === undefined) return null;
  const at = (column: number): number => leftOf(box) + column * scale;
  const spare = 0.1 * height;
  return [part(box, leftOf(box), at(blank.from) + spare), part(box, at(blank.to) - spare, rightOf(box))];
}

/** A stretch of a box, which may lie askew. */
function part(box: Box, left: number, right: number): Box {
  const shift = (left + right) / 2 - box.x;
  return {
    ...box,
    x: box.x + shift * Math.cos(box.angle),
    y: box.y + shift * Math.sin(box.angle),
    width: right - left,
  };
}
