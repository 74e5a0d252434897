import { type Box, findBoxes } from './boxes.js';
import type { Network } from './network.js';
import { type Raster, scaled } from './raster.js';

// What the network was trained with: the usual means and deviations of photographs, by colour (blue, green, red).
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;
/** The network halves a picture five times. */
const STEP = 32;

/** Where lines of text stand in a picture, in its own pixels. `longest` is the side that the network sees. */
export async function detectLines(network: Network, picture: Raster, longest: number): Promise<Box[]> {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const inSteps = (side: number): number => Math.max(STEP, Math.round((side * scale) / STEP) * STEP);
  const [width, height] = [inSteps(picture.width), inSteps(picture.height)];
  const { data, dims } = await network.run(planes(scaled(picture, width, height)), [1, 3, height, width]);
  const [rows, columns] = [dims.at(-2)!, dims.at(-1)!];
  const [wider, higher] = [picture.width / columns, picture.height / rows];
  return findBoxes(data, columns, rows).map((box) => ({
    ...box,
    x: box.x * wider,
    y: box.y * higher,
    width: box.width * wider,
    height: box.height * higher,
  }));
}

function planes({ width, height, data }: Raster): Float32Array {
  const size = width * height;
  const out = new Float32Array(3 * size);
  for (let channel = 0; channel < 3; channel++) {
    const [mean, deviation] = [MEAN[channel]!, DEVIATION[channel]!];
    const plane = channel * size;
    for (let at = 0; at < size; at++) {
      out[plane + at] = (data[at * 3 + 2 - channel]! / 255 - mean) / deviation;
    }
  }
  return out;
}
