import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { StrataError } from '../../model/errors.js';

/**
 * Reads one entry of a zip at a time, within one budget for all that is expanded. A library that unpacks everything
 * would trust sizes that the file's author wrote: here an entry is refused by its stated size before it is inflated,
 * and stopped by its real size while it is. Pictures and fonts are never inflated at all.
 *
 * Only what office documents and books use: stored and deflated entries, Zip64 sizes, one disk.
 */
export interface ZipArchive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Undefined where there is no such entry. */
  read(name: string): Uint8Array | undefined;
  /** The entry in pieces, for parts that should not be in memory at once (a sheet of a million rows). */
  stream(name: string): AsyncIterable<Uint8Array>;
}

interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly compressed: number;
  readonly size: number;
  readonly offset: number;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const ZIP64_EXTRA = 1;
/** The end record is 22 bytes and a comment of at most 65,535 (APPNOTE 4.3.16). */
const END_SEARCH = 22 + 0xffff;

/** Throws CORRUPT for what is no whole zip; reading throws LIMIT past `expanded` bytes in all, ENCRYPTED, CORRUPT. */
export function openZip(bytes: Uint8Array, expanded: number): ZipArchive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = whole(() => readDirectory(bytes, view));
  let left = expanded;

  const locate = (entry: Entry): Uint8Array => {
    if (entry.flags & 1) throw new StrataError('ENCRYPTED', `its part ${entry.name} needs a password`);
    if (entry.method !== 0 && entry.method !== 8) {
      throw new StrataError('UNSUPPORTED', `its part ${entry.name} is packed with method ${entry.method}`);
    }
    if (entry.size > left) throw tooLarge(entry.name, expanded);
    if (entry.offset + 30 > bytes.length || view.getUint32(entry.offset, true) !== LOCAL_ENTRY) {
      throw corrupt(`the part ${entry.name} is not where the directory says`);
    }
    const start =
      entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
    if (start + entry.compressed > bytes.length) throw corrupt(`the part ${entry.name} is cut off`);
    return bytes.subarray(start, start + entry.compressed);
  };
  const spend = (entry: Entry, size: number): void => {
    left -= size;
    if (left < 0) throw tooLarge(entry.name, expanded);
  };

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      const data = whole(() => locate(entry));
      const part = entry.method === 0 ? data : inflate(entry, data, left, expanded);
      spend(entry, part.length);
      return part;
    },
    async *stream(name) {
      const entry = entries.get(name);
      if (entry === undefined) return;
      const data = whole(() => locate(entry));
      if (entry.method === 0) {
        spend(entry, data.length);
        yield data;
        return;
      }
      const pieces = createInflateRaw();
      pieces.end(data);
      try {
        for await (const piece of pieces) {
          spend(entry, (piece as Uint8Array).length);
          yield piece as Uint8Array;
        }
      } catch (error) {
        throw error instanceof StrataError ? error : damaged(entry, error);
      } finally {
        pieces.destroy();
      }
    },
  };
}

function readDirectory(bytes: Uint8Array, view: DataView): ReadonlyMap<string, Entry> {
  const end = findEnd(bytes, view);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  // Bytes put before the zip (an installer's stub) shift every stated offset by the same amount.
  const shift = size === 0xffffffff ? 0 : end - size - view.getUint32(end + 16, true);
  let at = size === 0xffffffff ? zip64Directory(view, end) : end - size;
  const entries = new Map<string, Entry>();
  for (let read = 0; read < count || count === 0xffff; read += 1) {
    if (at < 0 || at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) {
      if (count === 0xffff && entries.size > 0) break;
      throw corrupt('its directory is damaged');
    }
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd)).replaceAll('\\', '/');
    const stated = {
      compressed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    const { compressed, size: expands, offset } = zip64Sizes(view, nameEnd, extraEnd, stated);
    entries.set(name, {
      name,
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      compressed,
      size: expands,
      offset: offset + shift,
    });
    at = extraEnd + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(bytes: Uint8Array, view: DataView): number {
  const lowest = Math.max(0, bytes.length - END_SEARCH);
  for (let at = bytes.length - 22; at >= lowest; at -= 1) {
    if (bytes[at] === 0x50 && view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  throw corrupt('it has no directory: the file is cut off or no zip');
}

/** The Zip64 end record stands before its 20-byte locator, which stands before the plain end record. */
function zip64Directory(view: DataView, end: number): number {
  if (end < 20) throw corrupt('its directory is damaged');
  const record = Number(view.getBigUint64(end - 12, true));
  if (record + 56 > view.byteLength) throw corrupt('its directory is damaged');
  return Number(view.getBigUint64(record + 48, true));
}

function zip64Sizes(
  view: DataView,
  from: number,
  to: number,
  stated: Pick<Entry, 'compressed' | 'size' | 'offset'>,
): Pick<Entry, 'compressed' | 'size' | 'offset'> {
  for (let at = from; at + 4 <= Math.min(to, view.byteLength); at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== ZIP64_EXTRA) continue;
    let field = at + 4;
    const next = (value: number): number => {
      if (value !== 0xffffffff || field + 8 > view.byteLength) return value;
      field += 8;
      return Number(view.getBigUint64(field - 8, true));
    };
    const size = next(stated.size);
    const compressed = next(stated.compressed);
    return { size, compressed, offset: next(stated.offset) };
  }
  return stated;
}

function inflate(entry: Entry, data: Uint8Array, left: number, expanded: number): Uint8Array {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, left) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(entry.name, expanded);
    throw damaged(entry, error);
  }
}

/** A damaged offset leads out of the file: that is damage, not a defect. */
function whole<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? corrupt('an offset leads out of the file') : error;
  }
}

const corrupt = (problem: string): StrataError =>
  new StrataError('CORRUPT', `the zip is damaged: ${problem}`);

const damaged = (entry: Entry, cause: unknown): StrataError =>
  new StrataError('CORRUPT', `the zip is damaged: its part ${entry.name} cannot be unpacked`, { cause });

const tooLarge = (name: string, expanded: number): StrataError =>
  new StrataError(
    'LIMIT',
    `it expands past ${mebibytes(expanded)} (at ${name}); raise limits.expanded to read it`,
  );

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
