import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from '../../model/errors.js';
import { OWN_FILE } from '../own-file.js';
import { packedUnits, type UnitsEntry, unpackedUnits } from './words-cache-units.js';
import type { SegmentRow } from './words-change.js';
import type { WordsSource, WordsState } from './words-reader.js';

/** What one library may take of the disk; then the files that were written first go. */
const MOST_BYTES = 512 * 2 ** 20;
const UNITS = 'units';
/** So many changes behind each other, and they are written as one. */
const MOST_ENTRIES = 32;

export interface WordsCache extends WordsSource {
  /** What is being written behind. */
  finish(): Promise<void>;
}

/**
 * The word index of a store far away, kept on this disk too: a new process asks the store only whether anything has
 * changed, and reads units, directories and blocks from here. Segments never change, so their files are true as long as
 * the library is the same one, which its identity says.
 *
 * Every file begins with an HMAC of its name and content, with the library's identity as the key: what was changed,
 * exchanged or cut off is not believed, and asked of the store again. Whatever goes wrong here costs time, never an answer.
 */
export async function cachedWords(
  source: WordsSource,
  folder: string,
  most = MOST_BYTES,
): Promise<WordsCache> {
  await ownFolder(folder);
  return new DiskCache(source, folder, most);
}

/** Words of documents are in it: nobody else may read it, and what others could write is not read. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (found.isDirectory() && isOwn && (process.platform === 'win32' || (found.mode & 0o077) === 0)) return;
  throw new StrataError(
    'INVALID_ARGUMENT',
    `${folder}: the cache must be a folder that only you can open; remove it, or \`chmod 700\` it`,
  );
}

class DiskCache implements WordsCache {
  readonly #source: WordsSource;
  readonly #root: string;
  readonly #most: number;
  #now: WordsState | null = null;
  #folder = '';
  #key = '';
  #bytes = 0;
  /** Of these segments the directory has been written, or read. */
  readonly #directories = new Set<number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(source: WordsSource, root: string, most: number) {
    this.#source = source;
    this.#root = root;
    this.#most = most;
  }

  async state(): Promise<WordsState> {
    this.#now = await this.#source.state();
    await this.#enter(this.#now.identity).catch(() => {
      this.#key = '';
    });
    return this.#now;
  }

  async changes(since: number): ReturnType<WordsSource['changes']> {
    if (this.#key === '' || since >= 0) return this.#asked(since);
    const kept = await this.#keptUnits().catch(() => null);
    const now = this.#now;
    if (kept === null || now === null || kept.state.generation < now.purged) return this.#asked(since);
    const { state, segments } = kept;
    if (state.generation === now.generation && state.index_version === now.index_version)
      return { state: now, pages: [...kept.pages], segments };
    const newer = await this.#asked(state.generation);
    // Pages that were emptied since may have been forgotten there.
    if (state.generation < newer.state.purged) return this.#asked(since);
    const pages = new Map([...kept.pages, ...newer.pages]);
    return { ...newer, pages: [...pages] };
  }

  async blocks(places: Parameters<WordsSource['blocks']>[0]): Promise<readonly (Uint8Array | undefined)[]> {
    if (this.#key === '') return this.#source.blocks(places);
    const found = await Promise.all(places.map(([segment, at]) => this.#read(`${segment}.${at}`)));
    const missing = places.filter((_, i) => found[i] === undefined);
    if (missing.length === 0) return found;
    const asked = (await this.#source.blocks(missing)).values();
    return places.map(([segment, at], i) => {
      if (found[i] !== undefined) return found[i];
      const block = asked.next().value;
      if (block !== undefined) this.#write(`${segment}.${at}`, block);
      return block;
    });
  }

  documents(): ReturnType<WordsSource['documents']> {
    return this.#source.documents();
  }

  async finish(): Promise<void> {
    await this.#writing;
  }

  async #asked(since: number): ReturnType<WordsSource['changes']> {
    const found = await this.#source.changes(since);
    if (this.#key === '' || found.state.identity !== this.#now?.identity) return found;
    for (const { segment, directory } of found.segments) {
      if (since >= 0 && this.#directories.has(segment)) continue;
      this.#directories.add(segment);
      this.#write(`${segment}.d`, directory);
    }
    this.#behind(() => this.#keepUnits({ since, ...found }));
    this.#behind(() => this.#dropOld(found.segments));
    return found;
  }

  /** A library has a folder by its identity; those of libraries that stood at this address before are removed. */
  async #enter(identity: string | undefined): Promise<void> {
    if (identity === undefined || this.#key === identity) return;
    const name = createHash('sha256').update(identity).digest('hex').slice(0, 32);
    this.#folder = join(this.#root, name);
    await ownFolder(this.#folder);
    for (const other of await readdir(this.#root))
      if (other !== name) await rm(join(this.#root, other), { recursive: true, force: true });
    this.#bytes = (await this.#files()).reduce((sum, { size }) => sum + size, 0);
    this.#key = identity;
  }

  async #keptUnits(): Promise<UnitsEntry | null> {
    const log = await readFile(join(this.#folder, UNITS), { flag: OWN_FILE }).catch(() => null);
    if (log === null) return null;
    const { entry, count, isWhole } = unpackedUnits(log, (payload) => this.#seal(UNITS, payload));
    if (entry === null) return null;
    const segments: SegmentRow[] = [];
    for (const segment of entry.segments) {
      const directory = await this.#read(`${segment.segment}.d`);
      if (directory === undefined) return null;
      this.#directories.add(segment.segment);
      segments.push({ ...segment, directory });
    }
    const kept = { ...entry, segments };
    if (count > MOST_ENTRIES || !isWhole) this.#behind(() => this.#keepUnits({ ...kept, since: -1 }));
    return kept;
  }

  /** All units take the place of what was there; changes are written behind it. */
  async #keepUnits(entry: UnitsEntry): Promise<void> {
    const bytes = packedUnits(entry, (payload) => this.#seal(UNITS, payload));
    if (entry.since < 0) return this.#put(UNITS, bytes);
    const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    const file = await open(join(this.#folder, UNITS), flags).catch(() => null);
    if (file === null) return;
    try {
      await file.write(bytes);
    } finally {
      await file.close();
    }
  }

  async #read(name: string): Promise<Uint8Array | undefined> {
    const bytes = await readFile(join(this.#folder, name), { flag: OWN_FILE }).catch(() => null);
    if (bytes === null || bytes.length < MAC) return undefined;
    const payload = bytes.subarray(MAC);
    return timingSafeEqual(bytes.subarray(0, MAC), this.#seal(name, payload)) ? payload : undefined;
  }

  #write(name: string, payload: Uint8Array): void {
    this.#behind(() => this.#put(name, Buffer.concat([this.#seal(name, payload), payload])));
  }

  /** Moved into place: others read at the same time, and whoever writes may be killed. */
  async #put(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#bytes + bytes.length > this.#most) await this.#makeRoom();
    if (bytes.length > this.#most) return;
    const draft = join(this.#folder, `.${randomUUID()}`);
    await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' });
    await rename(draft, join(this.#folder, name));
    this.#bytes += bytes.length;
  }

  #seal(name: string, payload: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(`${name}\n`).update(payload).digest();
  }

  #behind(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(work).catch(() => {});
  }

  async #makeRoom(): Promise<void> {
    const files = (await this.#files()).filter(({ name }) => name !== UNITS);
    this.#bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size } of files.sort((a, b) => a.time - b.time)) {
      if (this.#bytes <= 0.75 * this.#most) break;
      await rm(join(this.#folder, name), { force: true });
      this.#bytes -= size;
    }
  }

  /** Segments that were merged are asked for no more. */
  async #dropOld(segments: readonly SegmentRow[]): Promise<void> {
    const live = new Set(segments.map(({ segment }) => String(segment)));
    for (const { name, size } of await this.#files()) {
      if (name === UNITS || live.has(name.split('.', 1)[0]!)) continue;
      await rm(join(this.#folder, name), { force: true });
      this.#bytes -= size;
    }
  }

  async #files(): Promise<{ readonly name: string; readonly size: number; readonly time: number }[]> {
    const names = await readdir(this.#folder);
    const found = await Promise.all(
      names.map(async (name) => {
        const about = await stat(join(this.#folder, name)).catch(() => null);
        return about === null ? [] : [{ name, size: about.size, time: about.mtimeMs }];
      }),
    );
    return found.flat();
  }
}

const MAC = 32;
