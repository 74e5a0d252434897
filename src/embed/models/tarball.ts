import { gunzipSync } from 'node:zlib';
import { StrataError } from '../../model/errors.js';

const BLOCK = 512;
/** A registry's tarball is somebody else's file: no more than this is ever unpacked. */
const MOST_BYTES = 512 * 2 ** 20;

/** One file of an npm tarball, or null. Inner `.gz` files are unpacked. */
export function fileInTarball(tgz: Uint8Array, wanted: string): Buffer | null {
  for (const { path, body } of filesInTarball(tgz)) if (path === wanted) return unpacked(body, path);
  return null;
}

/** The files of an npm tarball by their paths inside the package: `package/`, which stands before each, is left out. */
export function* filesInTarball(
  tgz: Uint8Array,
): Generator<{ readonly path: string; readonly body: Buffer }> {
  const tar = gunzipSync(tgz, { maxOutputLength: MOST_BYTES });
  let longName: string | null = null;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size) || size < 0 || at + BLOCK + size > tar.length) {
      throw new StrataError('CORRUPT', 'the tarball is damaged');
    }
    const body = tar.subarray(at + BLOCK, at + BLOCK + size);
    const kind = String.fromCharCode(header[156]!);
    if (kind === 'x') longName = paxPath(body);
    else if (kind === 'L') longName = text(body, 0, size);
    else {
      const prefix = text(header, 345, 155);
      const name: string = longName ?? (prefix ? `${prefix}/` : '') + text(header, 0, 100);
      longName = null;
      // The first folder is `package/` by custom only.
      if (kind === '0' || kind === '\0') yield { path: name.slice(name.indexOf('/') + 1), body };
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

const unpacked = (body: Buffer, path: string): Buffer =>
  path.endsWith('.gz') ? gunzipSync(body, { maxOutputLength: MOST_BYTES }) : Buffer.from(body);

function text(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString('utf8', start, end < 0 ? start + length : Math.min(end, start + length));
}

const paxPath = (body: Buffer): string | null =>
  /\d+ path=([^\n]*)\n/.exec(body.toString('utf8'))?.[1] ?? null;
