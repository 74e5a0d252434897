import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { StrataError } from '../model/errors.js';
import { isInside, toPosix } from '../source/path.js';
import type { Backend } from '../store/backend.js';
import type { Pack } from '../store/driver.js';
import { OWN_FILE } from '../store/own-file.js';
import { chunkWords, documentWords } from '../text/words.js';
import { DRIVERS } from './driver-table.js';
import { LibraryTrust, realPath } from './trust/trust.js';

export interface StoreSpec {
  readonly driver: string;
  /** A folder, file or URL; the driver's own place inside the library where none is given. */
  readonly place?: string;
}

export interface DriverOptions {
  /** The library's folder. */
  readonly location: string;
  readonly create: boolean;
  /** What `strata.config.json` names, for a library that is new; it must agree with where an old one is kept. */
  readonly configured?: string | undefined;
  /** Keep what searches need of a store elsewhere on this disk, too. */
  readonly cache?: boolean | undefined;
  /** What the user has agreed to for this library; where none is given, only what needs no agreement is opened. */
  readonly trust?: LibraryTrust;
}

/** How a document is made ready for a driver, also in another process than the one that commits it. */
export const packerOf = async (driver: string): Promise<Pack> =>
  (await DRIVERS.get(driver)?.pack?.()) ?? (await import('../store/records.js')).packRecords;

export const DEFAULT_DRIVER = 'sqlite';

/** `json`, `json:DIR`, `sqlite:FILE`, `postgres://HOST/DATABASE`. The name alone may be shown: the rest may hold a secret. */
export function parseStoreSpec(spec: string): StoreSpec {
  const colon = spec.indexOf(':');
  const driver = colon < 0 ? spec : spec.slice(0, colon);
  const place = colon < 0 ? '' : spec.slice(colon + 1);
  if (!DRIVERS.has(driver)) {
    throw new StrataError('INVALID_ARGUMENT', `store "${driver}": known are ${names()}`);
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
  const { location } = options;
  const wanted = asked === undefined ? undefined : specOf(asked, { cwd, location });
  if (wanted && kept && shownSpec(wanted) !== shownSpec(kept)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${options.location}: is kept by ${shownSpec(kept)}, not by ${shownSpec(wanted)}; name another --library`,
    );
  }
  const configured = configuredSpec(options, wanted ?? kept);
  const spec = wanted ?? kept ?? configured ?? { driver: DEFAULT_DRIVER };
  // First: what a crash leaves behind can be recognised then.
  if (!kept && options.create) await keepSpec(options.location, spec);
  await refuseElsewhere(spec, wanted?.place !== undefined, options);
  const cache = options.cache ? await cacheFolder(spec) : undefined;
  return openStore(spec, { location: options.location, isAsked: wanted !== undefined, cache });
}

/** What the project's file says is no flag: a library is not opened elsewhere for it, and not moved. */
function configuredSpec(
  { location, configured }: DriverOptions,
  known: StoreSpec | null | undefined,
): StoreSpec | undefined {
  if (configured === undefined) return undefined;
  const spec = specOf(configured, { cwd: dirname(location), location });
  if (known && shownSpec(known) !== shownSpec(spec)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${location}: is kept by ${shownSpec(known)}, and strata.config.json names ${shownSpec(spec)}; correct that file, or take "store" out of it and run \`strata move --to ${shownSpec(spec)} --switch\``,
    );
  }
  return spec;
}

/** A store, whatever is written down beside the library. */
export async function openStore(
  { driver, place }: StoreSpec,
  from: { readonly location: string; readonly isAsked: boolean; readonly cache?: string | undefined },
): Promise<Backend> {
  const reindex = { chunk: chunkWords, document: documentWords };
  return DRIVERS.get(driver)!.open({ place, ...from, reindex });
}

/** In the user's cache, by the store's address: what a project says never names a folder. */
async function cacheFolder(spec: StoreSpec): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  const root = process.env.STRATA_CACHE || envPaths('strata', { suffix: '' }).cache;
  return join(root, 'index', createHash('sha256').update(shownSpec(spec)).digest('hex').slice(0, 32));
}

/** A store as a person names it, with an absolute place. */
export const specOf = (text: string, from: { cwd: string; location: string }): StoreSpec =>
  resolvePlace(parseStoreSpec(text), from);

/** Another store keeps the library from now on: the user has named it. */
export async function switchStore(location: string, spec: StoreSpec): Promise<void> {
  await refuseElsewhere(spec, true, { location, create: false });
  await keepSpec(location, spec);
}

/** A place outside the library's folder is used when the user has named it, or agreed to it once. */
async function refuseElsewhere(spec: StoreSpec, isNamed: boolean, options: DriverOptions): Promise<void> {
  const { location, trust = new LibraryTrust(location) } = options;
  const elsewhere = placeElsewhere(spec, location);
  if (elsewhere === null) return;
  if (isNamed) await trust.note('store', elsewhere);
  else await trust.require('store', elsewhere);
}

/** null: inside the library's own folder, links resolved. */
export function placeElsewhere(spec: StoreSpec, location: string): string | null {
  const { inside } = DRIVERS.get(spec.driver)!;
  if (inside === undefined) return spec.place === undefined ? null : shownSpec(spec);
  if (spec.place !== undefined && isUrl(spec.place)) return shownSpec(spec);
  const place = realPath(spec.place ?? join(location, inside));
  return isInside(realPath(location), place) ? null : shownSpec({ ...spec, place });
}

/** `s3://…`: no path, however it is resolved. */
const isUrl = (place: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(place);

/** Something has been kept here. */
export const isLibrary = (location: string): boolean => existsSync(join(location, FILE));

const names = (): string => [...DRIVERS.keys()].join(', ');

function resolvePlace({ driver, place }: StoreSpec, from: { cwd: string; location: string }): StoreSpec {
  const found = DRIVERS.get(driver)!.place?.(place, from) ?? (place && resolve(from.cwd, place));
  return found === undefined ? { driver } : { driver, place: found };
}

/** As it is written down and shown: without secrets. */
export const shownSpec = ({ driver, place }: StoreSpec): string =>
  place === undefined ? driver : `${driver}:${DRIVERS.get(driver)!.kept?.(place) ?? place}`;

const FILE = 'store.json';

export async function keptSpec(location: string): Promise<StoreSpec | null> {
  const text = await readFile(join(location, FILE), { encoding: 'utf8', flag: OWN_FILE }).catch(() => null);
  if (text === null) return null;
  const { driver, place } = readSpec(text, join(location, FILE));
  if (place === undefined) return { driver };
  return isAbsolute(place) ? { driver, place } : resolvePlace({ driver, place }, { cwd: location, location });
}

function readSpec(text: string, file: string): StoreSpec {
  try {
    const { driver, place } = JSON.parse(text) as { driver: unknown; place?: unknown };
    if (typeof driver === 'string' && DRIVERS.has(driver)) {
      return typeof place === 'string' ? { driver, place } : { driver };
    }
  } catch {
    // Damaged: the error below says so.
  }
  throw new StrataError(
    'STORE_DAMAGED',
    `${file}: does not name a store; write {"driver":"sqlite"} (or ${names()}) there`,
  );
}

/** A place inside the library is kept relative, so that the library can be moved. */
export async function keepSpec(location: string, { driver, place }: StoreSpec): Promise<void> {
  const shown = place === undefined ? undefined : (DRIVERS.get(driver)!.kept?.(place) ?? place);
  const kept =
    shown !== undefined && isAbsolute(shown) && isInside(location, shown)
      ? toPosix(relative(location, shown))
      : shown;
  const text = `${JSON.stringify({ driver, ...(kept !== undefined && { place: kept }) })}\n`;
  // Moved into place: two processes may make the same library at once, and either may be killed.
  const draft = join(location, `${FILE}.${randomUUID()}`);
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  await rename(draft, join(location, FILE));
}

/** Where a driver keeps a library in the library's own folder; undefined for one that keeps it elsewhere. */
export const insideOf = (driver: string): string | undefined => DRIVERS.get(driver)?.inside;
