import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { QuarterTurns, Raster } from '../../parse/ocr/raster.js';
import type { ReadLine, ReadPicture } from '../../parse/ocr/read-picture.js';

/** Grows with the form of what is kept, and with every change of how pictures are read. */
const VERSION = 1;
/** A page has a few kilobytes; what expands to more is none of ours. */
const MOST_BYTES = 16 * 2 ** 20;

/**
 * Pages that have been read, by the hash of their pictures: what was interrupted goes on with the next page, and a
 * document that is added again is read at once. A page that cannot be kept, or is damaged, is merely read again.
 */
export class PageCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(picture: Raster, read: (picture: Raster) => Promise<ReadPicture>): Promise<ReadPicture> {
    const path = this.#pathOf(picture);
    const known = await readFile(path).then(unpacked, () => null);
    if (known !== null) return known;
    const page = await read(picture);
    await keep(path, page).catch(() => {});
    return page;
  }

  #pathOf({ width, height, data }: Raster): string {
    const hash = createHash('sha256').update(`${VERSION} ${width}x${height}\n`).update(data).digest('hex');
    return join(this.#folder, hash.slice(0, 2), hash.slice(2));
  }
}

/** In its place in one step, so that nobody reads half of it. */
async function keep(path: string, page: ReadPicture): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, deflateRawSync(JSON.stringify(page, rounded)), { mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Five digits are a hundredth of a pixel. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1e5) / 1e5 : value;

function unpacked(bytes: Buffer): ReadPicture | null {
  try {
    const page: unknown = JSON.parse(inflateRawSync(bytes, { maxOutputLength: MOST_BYTES }).toString('utf8'));
    return isPage(page) ? page : null;
  } catch {
    return null;
  }
}

function isPage(value: unknown): value is ReadPicture {
  const page = value as Partial<Record<keyof ReadPicture, unknown>> | null;
  return (
    typeof page === 'object' &&
    page !== null &&
    isNumbers(page, ['width', 'height', 'turns']) &&
    [0, 1, 2, 3].includes(page.turns as QuarterTurns) &&
    Array.isArray(page.lines) &&
    page.lines.every(isLine)
  );
}

function isLine(value: unknown): value is ReadLine {
  const line = value as Partial<Record<keyof ReadLine, unknown>> | null;
  return (
    typeof line === 'object' &&
    line !== null &&
    isNumbers(line, ['confidence']) &&
    isNumbers(line.box, ['x', 'y', 'width', 'height', 'angle', 'score']) &&
    isNumbers(line.ink, ['from', 'to']) &&
    Array.isArray(line.characters) &&
    line.characters.every(
      (one: unknown) =>
        isNumbers(one, ['at', 'confidence']) && typeof (one as { text?: unknown }).text === 'string',
    )
  );
}

const isNumbers = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => Number.isFinite((value as Record<string, unknown>)[name]));
