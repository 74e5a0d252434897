import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { StrataError } from '../model/errors.js';
import { isInside, toPosix } from '../source/path.js';
import type { Backend, PackedWrite, StreamedWrite } from '../store/backend.js';
import { chunkWords, documentWords } from '../text/words.js';

/** Who keeps a library: the one place that chooses drivers. Each loads when it is chosen. */
export interface StoreSpec {
  readonly driver: string;
  /** A folder or file; the driver's own place inside the library where none is given. */
  readonly place?: string;
}

export interface DriverOptions {
  /** The library's folder. */
  readonly location: string;
  readonly create: boolean;
}

type OpenDriver = (place: string | undefined, options: DriverOptions) => Promise<Backend>;

const REINDEX = { chunk: chunkWords, document: documentWords };

const DRIVERS: Readonly<Record<string, OpenDriver>> = {
  sqlite: async (place, { location }) =>
    (await import('../drivers/sqlite/backend.js')).sqliteBackend({
      path: place ?? join(location, 'library.db'),
      reindex: REINDEX,
    }),
  json: async (place, { location }) =>
    (await import('../drivers/json/backend.js')).jsonBackend({
      path: place ?? join(location, 'json'),
      reindex: REINDEX,
    }),
  memory: async () => (await import('../store/memory/memory.js')).memoryBackend(),
};

/** What it gives `ahead` goes into the `ahead` of what it returns, wherever that arrives. */
type Pack = (write: StreamedWrite, ahead?: (part: Uint8Array) => Promise<void>) => Promise<PackedWrite>;

/** Drivers that take documents packed. */
const PACKERS: Readonly<Record<string, () => Promise<Pack>>> = {
  sqlite: async () => (await import('../drivers/sqlite/records/packed-document.js')).packDocument,
};

/** How a document is made ready in another process than the one that commits it. */
export const packerOf = async (driver: string | undefined): Promise<Pack | undefined> =>
  driver === undefined ? undefined : PACKERS[driver]?.();

const DEFAULT_DRIVER = 'sqlite';

/** `json`, `json:DIR`, `sqlite:FILE`. */
export function parseStoreSpec(spec: string): StoreSpec {
  const colon = spec.indexOf(':');
  const driver = colon < 0 ? spec : spec.slice(0, colon);
  const place = colon < 0 ? '' : spec.slice(colon + 1);
  if (!Object.hasOwn(DRIVERS, driver)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `store "${spec}": known are ${Object.keys(DRIVERS).join(', ')}`,
    );
  }
  return place === '' ? { driver } : { driver, place };
}

/**
 * The store asked for, else the one this library was made with. A choice other than the default is written down beside
 * the data, so that later commands need not repeat it.
 */
export async function openBackend(
  asked: string | undefined,
  cwd: string,
  options: DriverOptions,
): Promise<Backend> {
  const kept = await keptSpec(options.location);
  const wanted = asked === undefined ? undefined : resolvePlace(parseStoreSpec(asked), cwd);
  if (wanted && kept && formatSpec(wanted) !== formatSpec(kept)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${options.location}: is kept by ${formatSpec(kept)}, not by ${formatSpec(wanted)}; name another --library`,
    );
  }
  const spec = wanted ?? kept ?? { driver: DEFAULT_DRIVER };
  // First: what a crash leaves behind can be recognised then.
  if (!kept && options.create) await keepSpec(options.location, spec);
  return DRIVERS[spec.driver]!(spec.place, options);
}

/** Something has been kept here. */
export const isLibrary = (location: string): boolean => existsSync(join(location, FILE));

const resolvePlace = (spec: StoreSpec, cwd: string): StoreSpec =>
  spec.place === undefined ? spec : { ...spec, place: resolve(cwd, spec.place) };

const formatSpec = ({ driver, place }: StoreSpec): string =>
  place === undefined ? driver : `${driver}:${place}`;

const FILE = 'store.json';

async function keptSpec(location: string): Promise<StoreSpec | null> {
  const text = await readFile(join(location, FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  const { driver, place } = readSpec(text, join(location, FILE));
  if (place === undefined) return { driver };
  return { driver, place: isAbsolute(place) ? place : resolve(location, place) };
}

function readSpec(text: string, file: string): StoreSpec {
  try {
    const { driver, place } = JSON.parse(text) as { driver: unknown; place?: unknown };
    if (typeof driver === 'string' && Object.hasOwn(DRIVERS, driver)) {
      return typeof place === 'string' ? { driver, place } : { driver };
    }
  } catch {
    // Said below.
  }
  const known = Object.keys(DRIVERS).join(', ');
  throw new StrataError(
    'STORE_DAMAGED',
    `${file}: does not name a store; write {"driver":"sqlite"} (or ${known}) there`,
  );
}

/** A place inside the library is kept relative, so that the library can be moved. */
export async function keepSpec(location: string, { driver, place }: StoreSpec): Promise<void> {
  const kept = place !== undefined && isInside(location, place) ? toPosix(relative(location, place)) : place;
  const text = `${JSON.stringify({ driver, ...(kept !== undefined && { place: kept }) })}\n`;
  // Moved into place: two processes may make the same library at once, and either may be killed.
  const draft = join(location, `${FILE}.${process.pid}`);
  await writeFile(draft, text);
  await rename(draft, join(location, FILE));
}

/** Where a driver keeps its data in a library's folder, unless told otherwise. */
const PLACES: Readonly<Record<string, string>> = { sqlite: 'library.db', json: 'json' };

/** A backup is a library's folder too, with everything in the usual places. */
export function backupPlace(driver: string, location: string): string {
  const place = PLACES[driver];
  if (place !== undefined) return join(location, place);
  throw new StrataError('UNSUPPORTED', `a library kept by ${driver} has its own means of backup`);
}
