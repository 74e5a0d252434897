import { StrataError } from '../../model/errors.js';
import { jpegPart } from './jpeg.js';
import type { PagePicture, PicturePart } from './wrapped.js';

/** Numbers of TIFF 6.0. */
const TAG = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  offsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  counts: 279,
  planar: 284,
  groupThree: 292,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileCounts: 325,
  jpegTables: 347,
} as const;
/** Bytes of a value, by its type: byte, text, short, long. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1 };
const MOST_PARTS = 100_000;

/** The pages of a TIFF. Its strips and tiles are packed in ways that PDF knows, too. */
export function tiffPictures(bytes: Uint8Array, mostPages: number): PagePicture[] {
  const file = new TiffFile(bytes);
  const pages: PagePicture[] = [];
  const seen = new Set<number>();
  for (let at = file.long(4); at !== 0 && !seen.has(at); ) {
    seen.add(at);
    if (pages.length >= mostPages)
      throw new StrataError('LIMIT', `the picture has more than the limit of ${mostPages} pages`);
    const { tags, next } = file.directory(at);
    pages.push(pageOf(file, tags));
    at = next;
  }
  if (pages.length === 0) throw new StrataError('CORRUPT', 'the picture is damaged: it has no pixels');
  return pages;
}

type Tags = ReadonlyMap<number, readonly number[]>;

class TiffFile {
  readonly bytes: Buffer;
  readonly #little: boolean;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = bytes[0] === 0x49;
  }

  short(at: number): number {
    if (at + 2 > this.bytes.length) throw damaged();
    return this.#little ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at);
  }

  long(at: number): number {
    if (at + 4 > this.bytes.length) throw damaged();
    return this.#little ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at);
  }

  directory(at: number): { tags: Tags; next: number } {
    const count = this.short(at);
    const tags = new Map<number, readonly number[]>();
    for (let entry = at + 2; entry < at + 2 + 12 * count; entry += 12) {
      tags.set(this.short(entry), this.#values(entry));
    }
    return { tags, next: this.long(at + 2 + 12 * count) };
  }

  #values(entry: number): number[] {
    const size = SIZES[this.short(entry + 2)];
    const count = this.long(entry + 4);
    if (size === undefined || count > MOST_PARTS) return [];
    const from = size * count <= 4 ? entry + 8 : this.long(entry + 8);
    return Array.from({ length: count }, (_, index) => {
      const at = from + index * size;
      if (size === 1) return this.bytes[at] ?? 0;
      return size === 2 ? this.short(at) : this.long(at);
    });
  }
}

const damaged = (): StrataError =>
  new StrataError('CORRUPT', 'the picture is damaged: its tables lead nowhere');

function pageOf(file: TiffFile, tags: Tags): PagePicture {
  const one = (tag: number, fallback: number): number => tags.get(tag)?.[0] ?? fallback;
  const [width, height] = [one(TAG.width, 0), one(TAG.height, 0)];
  if (width === 0 || height === 0) throw damaged();
  if (one(TAG.planar, 1) !== 1 && one(TAG.samples, 1) > 1) throw unknown('colours in planes of their own');
  const tiled = tags.has(TAG.tileOffsets);
  const offsets = tags.get(tiled ? TAG.tileOffsets : TAG.offsets) ?? [];
  const counts = tags.get(tiled ? TAG.tileCounts : TAG.counts) ?? [];
  const partWidth = tiled ? one(TAG.tileWidth, width) : width;
  const partHeight = tiled ? one(TAG.tileHeight, height) : Math.min(height, one(TAG.rowsPerStrip, height));
  const across = Math.ceil(width / Math.max(1, partWidth));
  const parts = offsets.map((from, at): PicturePart => {
    const [x, y] = [(at % across) * partWidth, Math.floor(at / across) * partHeight];
    const rows = tiled ? partHeight : Math.min(partHeight, height - y);
    const data = file.bytes.subarray(from, from + (counts[at] ?? 0));
    return { x, y, ...packedPart(data, { width: partWidth, height: Math.max(1, rows), tags }) };
  });
  return { width, height, parts };
}

const unknown = (what: string): StrataError =>
  new StrataError('UNSUPPORTED', `a TIFF with ${what} cannot be read: save it as PNG`);

interface PartShape {
  readonly width: number;
  readonly height: number;
  readonly tags: Tags;
}

function packedPart(packed: Uint8Array, { width, height, tags }: PartShape): Omit<PicturePart, 'x' | 'y'> {
  const one = (tag: number, fallback: number): number => tags.get(tag)?.[0] ?? fallback;
  const compression = one(TAG.compression, 1);
  if (compression === 7) return jpegPart(withTables(packed, tags.get(TAG.jpegTables)));
  const data = one(TAG.fillOrder, 1) === 2 ? packed.map(reversed) : packed;
  const [bits, samples] = [one(TAG.bits, 1), one(TAG.samples, 1)];
  const predictor =
    one(TAG.predictor, 1) === 2
      ? ` /DecodeParms << /Predictor 2 /Colors ${samples} /BitsPerComponent ${bits} /Columns ${width} >>`
      : '';
  const colours = coloursOf(tags, samples, bits);
  const filters: Readonly<Record<number, string>> = {
    1: '',
    2: fax(0, width, height, true),
    3: fax(one(TAG.groupThree, 0) & 1 ? 1 : 0, width, height, false),
    4: fax(-1, width, height, false),
    5: `/Filter /LZWDecode${predictor}`,
    8: `/Filter /FlateDecode${predictor}`,
    32946: `/Filter /FlateDecode${predictor}`,
    32773: '/Filter /RunLengthDecode',
  };
  const filter = filters[compression];
  if (filter === undefined) throw unknown(`compression ${compression}`);
  return { width, height, dictionary: `${colours} /BitsPerComponent ${bits} ${filter}`, data };
}

const fax = (k: number, width: number, height: number, aligned: boolean): string =>
  `/Filter /CCITTFaxDecode /DecodeParms << /K ${k} /Columns ${width} /Rows ${height} /EndOfBlock false /EncodedByteAlign ${aligned} /BlackIs1 true >>`;

function coloursOf(tags: Tags, samples: number, bits: number): string {
  const photometric = tags.get(TAG.photometric)?.[0] ?? 1;
  if (photometric === 0 && samples === 1) return '/ColorSpace /DeviceGray /Decode [1 0]';
  if (photometric === 1 && samples === 1) return '/ColorSpace /DeviceGray';
  if (photometric === 2 && samples === 3) return '/ColorSpace /DeviceRGB';
  if (photometric === 5 && samples === 4) return '/ColorSpace /DeviceCMYK';
  const palette = tags.get(TAG.palette);
  if (photometric === 3 && samples === 1 && palette !== undefined && bits <= 8) {
    const size = palette.length / 3;
    const colours = Array.from({ length: size }, (_, at) =>
      [0, 1, 2]
        .map((plane) => ((palette[plane * size + at] ?? 0) >> 8).toString(16).padStart(2, '0'))
        .join(''),
    );
    return `/ColorSpace [/Indexed /DeviceRGB ${size - 1} <${colours.join('')}>]`;
  }
  throw unknown(`${samples} samples of kind ${photometric}`);
}

/** JPEG strips share their tables, which stand once for all. */
function withTables(strip: Uint8Array, tables: readonly number[] | undefined): Uint8Array {
  if (tables === undefined || tables.length < 4) return strip;
  return Buffer.concat([Uint8Array.from(tables.slice(0, -2)), strip.subarray(2)]);
}

function reversed(byte: number): number {
  let out = 0;
  for (let bit = 0; bit < 8; bit++) out |= ((byte >> bit) & 1) << (7 - bit);
  return out;
}
