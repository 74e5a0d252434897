import type { Crop } from './crop.js';

/** Columns of a crop, from `from` up to and without `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

// Of the contrast that a line has: print that is fainter than this is the paper's texture.
const FAINT = 0.35;
// The upper and lower tenth of a crop may show the lines above and below.
const EDGE = 0.1;
// A crumb of a neighbouring column at a line's end is no wider than this, and so much paper parts it from the line (in heights).
const CRUMB = 0.25;
const CRUMB_GAP = 0.2;

/** Which columns of a line hold ink: 1 or 0 each. */
export function inkColumns({ data, width, height }: Crop): Uint8Array {
  const top = Math.floor(height * EDGE);
  const bottom = height - top;
  // The green plane does for all: print is dark in every colour, or light in every colour.
  const plane = data.subarray(width * height, 2 * width * height);
  const values = plane.slice(top * width, bottom * width).sort();
  const at = (share: number): number => values[Math.floor(share * (values.length - 1))] ?? 0;
  const paper = at(0.5);
  const contrast = Math.max(paper - at(0.01), at(0.99) - paper);
  const out = new Uint8Array(width);
  if (contrast <= 0) return out;
  for (let column = 0; column < width; column++) {
    for (let row = top; row < bottom; row++) {
      if (Math.abs(plane[row * width + column]! - paper) > FAINT * contrast) {
        out[column] = 1;
        break;
      }
    }
  }
  return out;
}

/** Stretches of equal columns, with ink (1) or without (0). */
export function runsOf(columns: Uint8Array, wanted: 0 | 1): Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (let at = 0; at <= columns.length; at++) {
    if (at < columns.length && columns[at] === wanted) continue;
    if (at > from) runs.push({ from, to: at });
    from = at + 1;
  }
  return runs;
}

/** From the first to the last ink of a line, without crumbs of its neighbours at the edges; all of it where there is none. */
export function inkSpan(crop: Crop): Run {
  const runs = runsOf(inkColumns(crop), 1);
  const { width, height } = crop;
  const isCrumb = (run: Run | undefined, next: Run | undefined, gap: number): boolean =>
    run !== undefined &&
    next !== undefined &&
    (run.from <= 1 || run.to >= width - 1) &&
    run.to - run.from < CRUMB * height &&
    gap >= CRUMB_GAP * height &&
    width > 4 * height;
  if (runs.length > 1 && isCrumb(runs[0], runs[1], runs[1]!.from - runs[0]!.to)) runs.shift();
  if (runs.length > 1 && isCrumb(runs.at(-1), runs.at(-2), runs.at(-1)!.from - runs.at(-2)!.to)) runs.pop();
  return runs.length === 0 ? { from: 0, to: width } : { from: runs[0]!.from, to: runs.at(-1)!.to };
}

/** The line with nothing but paper outside of the span. */
export function withoutCrumbs(crop: Crop, { from, to }: Run): Crop {
  const { width, height } = crop;
  const [left, right] = [Math.max(0, from - 2), Math.min(width, to + 2)];
  if (left === 0 && right === width) return crop;
  const data = Float32Array.from(crop.data);
  const paper = [0, 1, 2].map((channel) => {
    const plane = crop.data.slice(channel * width * height, (channel + 1) * width * height).sort();
    return plane[plane.length >> 1] ?? 0;
  });
  for (let row = 0; row < 3 * height; row++) {
    const value = paper[Math.floor(row / height)]!;
    data.fill(value, row * width, row * width + left);
    data.fill(value, row * width + right, (row + 1) * width);
  }
  return { ...crop, data };
}
