import type { Box } from './boxes.js';
import type { Raster } from './raster.js';

/** A line cut out and laid level, as the networks want it: three planes (blue, green, red) of -1 to 1. */
export interface Crop {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/**
 * The pixels of a box at the given height. `width` is what the line needs at that height unless it is given: then what
 * is left over stays grey. `flip` reads the box from its other end, as lines that stand on their head are.
 */
export function cropLine(
  picture: Raster,
  box: Box,
  height: number,
  { width, flip = false }: { readonly width?: number; readonly flip?: boolean } = {},
): Crop {
  const needed = Math.max(1, Math.round((box.width / box.height) * height));
  const used = Math.min(needed, width ?? needed);
  const total = width ?? needed;
  const data = new Float32Array(3 * height * total);
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)];
  const size = height * total;
  for (let row = 0; row < height; row++) {
    const down = ((row + 0.5) / height - 0.5) * box.height * (flip ? -1 : 1);
    for (let column = 0; column < used; column++) {
      const along = ((column + 0.5) / used - 0.5) * box.width * (flip ? -1 : 1);
      const x = box.x + along * cos - down * sin - 0.5;
      const y = box.y + along * sin + down * cos - 0.5;
      sample(picture, x, y, data, row * total + column, size);
    }
  }
  return { data, width: total, height };
}

/** Between the four pixels around a point; beyond the picture's edge its last pixels go on. */
function sample(picture: Raster, x: number, y: number, out: Float32Array, at: number, size: number): void {
  const { width, height, data } = picture;
  const cx = Math.min(width - 1, Math.max(0, x));
  const cy = Math.min(height - 1, Math.max(0, y));
  const [left, top] = [Math.floor(cx), Math.floor(cy)];
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const [fx, fy] = [cx - left, cy - top];
  const corners = [top * width + left, top * width + right, bottom * width + left, bottom * width + right];
  for (let channel = 0; channel < 3; channel++) {
    const colour = 2 - channel;
    const above = data[corners[0]! * 3 + colour]! * (1 - fx) + data[corners[1]! * 3 + colour]! * fx;
    const below = data[corners[2]! * 3 + colour]! * (1 - fx) + data[corners[3]! * 3 + colour]! * fx;
    out[channel * size + at] = (above * (1 - fy) + below * fy) / 127.5 - 1;
  }
}
