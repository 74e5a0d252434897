/** A picture in memory: red, green and blue, one byte each, row by row from the top. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Quarter turns with the clock. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** The whole picture, turned. */
export function turned({ width, height, data }: Raster, turns: QuarterTurns): Raster {
  if (turns === 0) return { width, height, data };
  const upright = turns === 2;
  const out = new Uint8Array(data.length);
  const [toWidth, toHeight] = upright ? [width, height] : [height, width];
  let at = 0;
  for (let y = 0; y < toHeight; y++) {
    for (let x = 0; x < toWidth; x++) {
      const fromX = turns === 1 ? y : turns === 2 ? width - 1 - x : width - 1 - y;
      const fromY = turns === 1 ? height - 1 - x : turns === 2 ? height - 1 - y : x;
      const from = (fromY * width + fromX) * 3;
      out[at++] = data[from]!;
      out[at++] = data[from + 1]!;
      out[at++] = data[from + 2]!;
    }
  }
  return { width: toWidth, height: toHeight, data: out };
}

/** Where a point of a picture is after `turned`. */
export function turnedPoint(
  { x, y }: Point,
  { width, height }: Pick<Raster, 'width' | 'height'>,
  turns: QuarterTurns,
): Point {
  switch (turns) {
    case 0:
      return { x, y };
    case 1:
      return { x: height - y, y: x };
    case 2:
      return { x: width - x, y: height - y };
    case 3:
      return { x: y, y: width - x };
  }
}

/** Smaller by the mean of the pixels that fall together; larger by the nearest. */
export function scaled(from: Raster, width: number, height: number): Raster {
  if (width === from.width && height === from.height) return from;
  const out = new Uint8Array(width * height * 3);
  const [xs, ys] = [edges(from.width, width), edges(from.height, height)];
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let [red, green, blue] = [0, 0, 0];
      const [top, bottom, left, right] = [ys[y]!, ys[y + 1]!, xs[x]!, xs[x + 1]!];
      for (let row = top; row < Math.max(bottom, top + 1); row++) {
        let pixel = (row * from.width + left) * 3;
        for (let column = left; column < Math.max(right, left + 1); column++, pixel += 3) {
          red += from.data[pixel]!;
          green += from.data[pixel + 1]!;
          blue += from.data[pixel + 2]!;
        }
      }
      const count = Math.max(1, bottom - top) * Math.max(1, right - left);
      out[at++] = red / count;
      out[at++] = green / count;
      out[at++] = blue / count;
    }
  }
  return { width, height, data: out };
}

/** Where the pixels of the new length begin in the old one. */
function edges(from: number, to: number): Int32Array {
  return Int32Array.from({ length: to + 1 }, (_, at) =>
    Math.min(from - (at < to ? 1 : 0), Math.floor((at * from) / to)),
  );
}
