import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { StrataError } from '../../model/errors.js';
import { onPaper } from './paper.js';
import type { PagePicture } from './wrapped.js';

/** What we use of WebAssembly: Node has it, but its types come with a browser's only. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<never> };

/** PDF does not know how WebP packs pixels: libwebp unpacks them, inside WebAssembly. */
export async function webpPicture(bytes: Uint8Array, expanded: number): Promise<PagePicture> {
  const claimed = sizeOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (claimed === null) throw damaged();
  if (claimed.width * claimed.height * 4 > expanded)
    throw new StrataError('LIMIT', 'the picture is too large to be read');
  const { default: decode, init } = await import('@jsquash/webp/decode.js');
  const wasm = createRequire(import.meta.url).resolve('@jsquash/webp/codec/dec/webp_dec.wasm');
  await init(await WebAssembly.compile(await readFile(wasm)));
  const { width, height, data } = await decode(Uint8Array.from(bytes).buffer).catch(() => {
    throw damaged();
  });
  const dictionary = '/ColorSpace /DeviceRGB /BitsPerComponent 8';
  const pixels = onPaper(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), 4, 1);
  return { width, height, parts: [{ x: 0, y: 0, width, height, dictionary, data: pixels }] };
}

const damaged = (): StrataError =>
  new StrataError('CORRUPT', 'the picture is damaged: it cannot be unpacked');

/** What the header says, read before anything is unpacked; null where it makes no sense. */
function sizeOf(file: Buffer): { readonly width: number; readonly height: number } | null {
  if (file.length < 30) return null;
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
