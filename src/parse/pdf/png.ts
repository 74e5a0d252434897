import { crc32, deflateSync } from 'node:zlib';

/** A PNG of 8-bit RGB pixels: signature, header, one stream of rows each with filter 0, end. */
export function png(width: number, height: number, rgb: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a sample, colour type 2 (RGB); compression, filter and interlace have one usual value each: 0.
  header.set([8, 2, 0, 0, 0], 8);
  const row = width * 3;
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) rows.set(rgb.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    part('IHDR', header),
    part('IDAT', deflateSync(rows, { level: 6 })),
    part('IEND', Buffer.alloc(0)),
  ]);
}

function part(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(checksum(body));
  return Buffer.concat([length, body, check]);
}

const checksum = (data: Uint8Array): number => crc32(data);
