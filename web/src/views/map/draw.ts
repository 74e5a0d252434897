import type { Points } from './points.js';

/** What part of the map is seen: the point in the middle, and how many times the whole is enlarged. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export const WHOLE: Camera = { x: 0.5, y: 0.5, zoom: 0.94 };

/** Ten colours that people with any kind of colour vision can tell apart in both themes, and grey for the rest. */
export const COLOURS = [
  '#2f8f97',
  '#d08a34',
  '#8a6fc0',
  '#6d9a2b',
  '#c8566a',
  '#4c7fd0',
  '#a6763c',
  '#3aa374',
  '#b0589f',
  '#7d8a99',
] as const;
export const OTHER = '#8d8a82';

/**
 * Points by colour, as squares of a pixel or a few: 100,000 take about 10 ms. They are written into the picture's own pixels,
 * since 100,000 calls of `fillRect` take ten times as long.
 */
export function draw(
  canvas: HTMLCanvasElement,
  points: Points,
  { camera, colourOf, hits }: { camera: Camera; colourOf: Uint8Array; hits: ReadonlySet<number> },
): void {
  const context = canvas.getContext('2d')!;
  const { width, height } = canvas;
  const picture = context.createImageData(width, height);
  const pixels = new Uint32Array(picture.data.buffer);
  const palette = [...COLOURS, OTHER].map(toPixel);
  const scale = Math.min(width, height) * camera.zoom;
  const [left, top] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale];
  // Few points are drawn large enough to be seen and clicked, many so that they do not cover each other.
  const usual = points.count > 20_000 ? 1 : points.count > 2_000 ? 2 : 4;
  const size = Math.max(
    2,
    Math.min(10, Math.round((devicePixelRatio || 1) * Math.sqrt(camera.zoom) * usual)),
  );
  const dim = hits.size > 0;
  for (let i = 0; i < points.count; i++) {
    const x = (left + points.at[2 * i]! * scale) | 0;
    const y = (top + points.at[2 * i + 1]! * scale) | 0;
    if (x < 0 || y < 0 || x >= width - size || y >= height - size) continue;
    const colour = dim ? (palette[colourOf[i]!]! & 0x00ff_ffff) | 0x6000_0000 : palette[colourOf[i]!]!;
    for (let row = 0; row < size; row++)
      pixels.fill(colour, (y + row) * width + x, (y + row) * width + x + size);
  }
  context.putImageData(picture, 0, 0);
  context.fillStyle = '#e0351b';
  for (const i of hits) {
    context.beginPath();
    context.arc(left + points.at[2 * i]! * scale, top + points.at[2 * i + 1]! * scale, size + 3, 0, 7);
    context.fill();
  }
}

/** `#rrggbb` as the bytes of a pixel, little-endian. */
const toPixel = (colour: string): number => {
  const value = Number.parseInt(colour.slice(1), 16);
  return (0xff00_0000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
};
