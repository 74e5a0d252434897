import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { parseDocument } from '../parse.js';
import { DEFAULT_LIMITS } from '../parser.js';
import type { Raster } from './raster.js';

const [WIDTH, HEIGHT] = [40, 20];
/** Dark on the left, light on the right. */
const rows = (pixel: (isDark: boolean) => readonly number[], before: readonly number[]): Buffer =>
  Buffer.from(
    Array.from({ length: HEIGHT }, () => [
      ...before,
      ...Array.from({ length: WIDTH }, (_, x) => pixel(x < WIDTH / 2)).flat(),
    ]).flat(),
  );

function png(colours: number, pixels: Buffer): Buffer {
  const chunk = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header[8] = 8;
  header[9] = colours;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function tiff(compression: number, data: Buffer): Buffer {
  const tags = [
    [256, WIDTH],
    [257, HEIGHT],
    [258, 8],
    [259, compression],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, HEIGHT],
    [279, data.length],
  ] as const;
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(8 + data.length, 4);
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  for (const [at, [tag, value]] of tags.entries()) {
    directory.writeUInt16LE(tag, 2 + at * 12);
    directory.writeUInt16LE(4, 4 + at * 12);
    directory.writeUInt32LE(1, 6 + at * 12);
    directory.writeUInt32LE(value, 10 + at * 12);
  }
  return Buffer.concat([head, data, directory]);
}

// Made by libwebp's own program.
const LOSSLESS = Buffer.from('UklGRigAAABXRUJQVlA4TBwAAAAvJ8AEAA8w//M///MfeBAIEP5rHRgQENH/AGsP', 'base64');
const grey = (isDark: boolean): number[] => [isDark ? 0 : 255];
const PICTURES: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['grey.png', png(0, rows(grey, [0]))],
  [
    'colour.png',
    png(
      2,
      rows((isDark) => (isDark ? [0, 0, 0] : [255, 255, 255]), [0]),
    ),
  ],
  [
    'transparent.png',
    png(
      6,
      rows((isDark) => [0, 0, 0, isDark ? 255 : 0], [0]),
    ),
  ],
  ['plain.tif', tiff(1, rows(grey, []))],
  ['deflated.tif', tiff(8, deflateSync(rows(grey, [])))],
  ['lossless.webp', LOSSLESS],
  [
    'lossy.webp',
    Buffer.from(
      'UklGRkQAAABXRUJQVlA4IDgAAAAQAwCdASooABQAPpE6mEeloyKhMAgAsBIJaQAAcr3tlAAA/vjPq/6ND//azl/+2H/+1hh9SAAAAA==',
      'base64',
    ),
  ],
];

it.each(PICTURES)(
  'B14 %s is seen as it is, and without OCR it is said what reads it',
  async (name, bytes) => {
    const seen: Raster[] = [];
    const read = async (picture: Raster) => {
      seen.push(picture);
      return { width: picture.width, height: picture.height, turns: 0 as const, lines: [] };
    };
    const input = { bytes, name, limits: DEFAULT_LIMITS };
    const tree = await parseDocument({ ...input, ocr: { mode: 'auto', model: 'none', read } });
    expect(tree).toMatchObject({ format: 'picture', metadata: { ocr: { pages: [1] } } });
    const { width, height, data } = seen[0]!;
    const at = (x: number): number => data[(Math.floor(height / 2) * width + Math.floor(x * width)) * 3]!;
    expect(at(0.25)).toBeLessThan(30);
    expect(at(0.75)).toBeGreaterThan(225);
    await expect(parseDocument(input)).rejects.toMatchObject({ code: 'NEEDS_OCR', pages: 1 });
  },
);

it('B14 what cannot be read says why', async () => {
  const failing = (bytes: Buffer, name: string) => parseDocument({ bytes, name, limits: DEFAULT_LIMITS });
  const webp = (bytes: Buffer): Promise<unknown> => failing(bytes, 'a.webp');
  await expect(webp(Buffer.from('RIFF0000WEBPVP8 '))).rejects.toMatchObject({ code: 'CORRUPT' });
  await expect(webp(LOSSLESS.subarray(0, 31))).rejects.toMatchObject({ code: 'CORRUPT' });
  // A header that claims 16,384 by 16,384 pixels is not believed with memory.
  const huge = Buffer.from(LOSSLESS);
  huge.writeUInt32LE(0x0fffffff, 21);
  const small = { ...DEFAULT_LIMITS, expanded: 64_000_000 };
  await expect(parseDocument({ bytes: huge, name: 'a.webp', limits: small })).rejects.toMatchObject({
    code: 'LIMIT',
  });
  await expect(failing(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'a.png')).rejects.toMatchObject({
    code: 'CORRUPT',
  });
  await expect(failing(tiff(99, rows(grey, [])), 'a.tif')).rejects.toThrow(/compression 99/);
  await expect(failing(tiff(1, Buffer.alloc(9)).subarray(0, 30), 'a.tif')).rejects.toMatchObject({
    code: 'CORRUPT',
  });
});
