import { inflateSync } from 'node:zlib';
import { StrataError } from '../../model/errors.js';
import { onPaper } from './paper.js';
import type { PagePicture } from './wrapped.js';

const [GREY, COLOUR, PALETTE, GREY_ALPHA, COLOUR_ALPHA] = [0, 2, 3, 4, 6];
const CHANNELS: Readonly<Record<number, number>> = {
  [GREY]: 1,
  [COLOUR]: 3,
  [PALETTE]: 1,
  [GREY_ALPHA]: 2,
  [COLOUR_ALPHA]: 4,
};

/** A PNG's rows are packed as PDF packs them (Flate with PNG's predictors); only transparency must be taken out. */
export function pngPicture(bytes: Uint8Array, expanded: number): PagePicture {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Buffer[] = [];
  let palette: Buffer | undefined;
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'PLTE') palette = body;
    if (type === 'IDAT') data.push(body);
    if (type === 'IEND') break;
    at += 12 + length;
  }
  if (file.length < 33 || data.length === 0)
    throw new StrataError('CORRUPT', 'the picture is damaged: it has no pixels');
  const [width, height, bits, colours] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24]!, file[25]!];
  const channels = CHANNELS[colours];
  if (channels === undefined || width === 0 || height === 0)
    throw new StrataError('CORRUPT', 'the picture is damaged: its header makes no sense');
  if (file[28] !== 0)
    throw new StrataError('UNSUPPORTED', 'an interlaced PNG cannot be read: save it without');
  const packed = Buffer.concat(data);
  const part = (dictionary: string, pixels: Uint8Array): PagePicture => ({
    width,
    height,
    parts: [{ x: 0, y: 0, width, height, dictionary, data: pixels }],
  });
  if (colours === GREY_ALPHA || colours === COLOUR_ALPHA) {
    const size = bits === 16 ? 2 * channels : channels;
    const rows = unfiltered(packed, { width, height, size, expanded });
    const space = channels === 2 ? '/DeviceGray' : '/DeviceRGB';
    return part(`/ColorSpace ${space} /BitsPerComponent 8`, onPaper(rows, channels, bits === 16 ? 2 : 1));
  }
  const space =
    colours === PALETTE
      ? `[/Indexed /DeviceRGB ${(palette?.length ?? 3) / 3 - 1} <${palette?.toString('hex') ?? '000000'}>]`
      : channels === 1
        ? '/DeviceGray'
        : '/DeviceRGB';
  const predictor = `/DecodeParms << /Predictor 15 /Colors ${channels} /BitsPerComponent ${bits} /Columns ${width} >>`;
  return part(`/ColorSpace ${space} /BitsPerComponent ${bits} /Filter /FlateDecode ${predictor}`, packed);
}

interface Rows {
  readonly width: number;
  readonly height: number;
  /** Bytes of a pixel. */
  readonly size: number;
  readonly expanded: number;
}

/** The pixels of rows that were each written as the difference to what stands left of and above them. */
function unfiltered(packed: Buffer, { width, height, size, expanded }: Rows): Uint8Array {
  const stride = width * size;
  if ((stride + 1) * height > expanded) throw new StrataError('LIMIT', 'the picture is too large to be read');
  const raw = inflateSync(packed, { maxOutputLength: (stride + 1) * height });
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= size ? out[at - size]! : 0;
      const above = y > 0 ? out[at - stride]! : 0;
      const corner = x >= size && y > 0 ? out[at - stride - size]! : 0;
      out[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return out;
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  // Paeth: whichever of the three is nearest to left + above - corner.
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
