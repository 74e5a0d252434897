import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tellWhenWaiting } from '../ingest/waiting.js';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import type { Backend } from '../store/backend.js';
import { networkDrive } from '../store/lock/drive.js';
import { NO_CONFIG, readConfig } from './config.js';
import { isLibrary, openBackend, parseStoreSpec } from './drivers.js';
import type { Library, LibraryOptions } from './library.js';
import { FOLDER, locate } from './locate.js';
import { makeFolders } from './make-folders.js';
import { mirroredBackend } from './mirror/mirrored-backend.js';
import { OpenLibrary } from './open-library.js';
import { type KeptSettings, keptSettings } from './settings.js';
import { refuseLink, refuseOthers, tighten } from './trust/own.js';
import { LibraryTrust } from './trust/trust.js';

/** The library that is meant, opened (and made, where there is none). Close it when done. */
export async function openLibrary(options: LibraryOptions = {}): Promise<Library> {
  const { location, root, isNamed } = await locate(options);
  const create = options.create ?? true;
  // Kept nowhere: for trying out, and for what must not leave a trace.
  const transient = options.store === 'memory';
  if (!transient && !isNamed) await refuseLink(location, { onConsent: options.onConsent });
  if (!transient && !isLibrary(location)) {
    if (!create) {
      throw new StrataError(
        'NOT_FOUND',
        `${location}: there is no library; \`strata add FOLDER\` makes one, --library names another`,
      );
    }
    if (hasOtherFiles(location)) {
      throw new StrataError(
        'INVALID_ARGUMENT',
        `${location}: holds other files and is no library; name a new folder, such as ${join(location, FOLDER)}`,
      );
    }
    // What is written wrongly is refused before a folder is made for it.
    if (options.store !== undefined) parseStoreSpec(options.store);
    await readConfig(root);
    await makeFolder(location);
  }
  const cwd = resolve(options.cwd ?? process.cwd());
  const trust = new LibraryTrust(location, { onConsent: options.onConsent });
  if (!transient) {
    await refuseOthers(location, trust);
    tighten(location);
  }
  const config = transient ? NO_CONFIG : await readConfig(root);
  const opened = await openBackend(options.store, cwd, {
    location,
    create: create && !transient,
    configured: config.store,
    cache: options.cache ?? config.cache,
    trust,
  });
  const waiting = tellWhenWaiting(opened, options.onNotice);
  const backend = await mirroredBackend(waiting, { trust, onNotice: options.onNotice });
  await warnOfNetworkDrive(backend.location, options.onNotice);
  const { embedder } = await settingsOrDefaults(backend, options.onNotice);
  return new OpenLibrary({ location, root, backend, options, trust, config, keptEmbedder: embedder });
}

async function warnOfNetworkDrive(place: string, onNotice: LibraryOptions['onNotice']): Promise<void> {
  const drive = onNotice === undefined ? null : await networkDrive(place);
  if (drive === null) return;
  onNotice?.(`${place} is on a network drive (${drive}): let one machine at a time write to this library.`);
}

/** A damaged record of settings must not keep `doctor` from opening the library. */
async function settingsOrDefaults(
  backend: Backend,
  onNotice: LibraryOptions['onNotice'],
): Promise<KeptSettings> {
  try {
    return await keptSettings(backend);
  } catch (error) {
    if (!isStrataError(error, 'STORE_DAMAGED')) throw error;
    onNotice?.(`The settings of this library cannot be read (${reasonOf(error)}); going on without them.`);
    return { chunking: {} };
  }
}

const hasOtherFiles = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => !OURS.test(name));

/** What a crash may leave of a library that was just being made. */
const OURS = /^(\.gitignore|store\.json.*|library\.db.*|json|lock|embedding)$/;

/** With a note to git: a library is made from documents, and is no part of a project's history. */
async function makeFolder(location: string): Promise<void> {
  try {
    await makeFolders(location);
    // Only where there is none: what is there may be a link.
    await writeFile(join(location, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }).catch((error) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw new StrataError(
      'STORE_FAILED',
      `${location}: the library cannot be made here (${reasonOf(error)})`,
      {
        cause: error,
      },
    );
  }
}
