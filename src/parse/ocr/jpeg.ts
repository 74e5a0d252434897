import { StrataError } from '../../model/errors.js';
import type { PagePicture, PicturePart } from './wrapped.js';

const SPACES: Readonly<Record<number, string>> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' };

/** A JPEG goes into a PDF as it is; only its size and colours are looked up. */
export function jpegPicture(bytes: Uint8Array): PagePicture {
  const part = jpegPart(bytes);
  return { width: part.width, height: part.height, parts: [{ x: 0, y: 0, ...part }] };
}

export function jpegPart(bytes: Uint8Array): Omit<PicturePart, 'x' | 'y'> {
  let isAdobe = false;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) break;
    const marker = bytes[at + 1]!;
    const length = (bytes[at + 2]! << 8) | bytes[at + 3]!;
    if (marker === 0xee) isAdobe = true;
    // Start of frame, of any kind; C4, C8 and CC are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const height = (bytes[at + 5]! << 8) | bytes[at + 6]!;
      const width = (bytes[at + 7]! << 8) | bytes[at + 8]!;
      const space = SPACES[bytes[at + 9]!];
      if (width === 0 || height === 0 || space === undefined) break;
      // Adobe writes CMYK with its signs turned.
      const decode = isAdobe && space === '/DeviceCMYK' ? ' /Decode [1 0 1 0 1 0 1 0]' : '';
      const dictionary = `/ColorSpace ${space} /BitsPerComponent 8 /Filter /DCTDecode${decode}`;
      return { width, height, dictionary, data: bytes };
    }
    at += 2 + length;
  }
  throw new StrataError('CORRUPT', 'the picture is damaged: it does not say how large it is');
}
