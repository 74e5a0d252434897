import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isEmbedderSpec } from '../embed/spec.js';
import type { ChunkingOptions } from '../ingest/chunking.js';
import { settingsOf } from '../ingest/chunking.js';
import { reasonOf, StrataError } from '../model/errors.js';
import { isObject } from '../model/json/json.js';
import { OWN_FILE } from '../store/own-file.js';
import { parseStoreSpec } from './drivers.js';
import { CONFIG_FILE } from './locate.js';

/**
 * What a project says about its library. It may have come with a cloned repository, so it is treated as the library
 * itself is: a store elsewhere or an embedding service is used after the user has agreed to it (engine/trust).
 */
export interface Config {
  readonly store?: string;
  readonly embedder?: string;
  /** See `LibraryOptions`. */
  readonly cache?: boolean;
  readonly chunking: ChunkingOptions;
}

export const NO_CONFIG: Config = { chunking: {} };

/** Nobody needs more; whatever is longer is something else. */
const MOST_BYTES = 64 * 1024;

const KINDS = {
  store: 'text',
  embedder: 'text',
  cache: 'switch',
  strategy: 'text',
  max: 'number',
  min: 'number',
  overlap: 'number',
} as const;
type Key = keyof typeof KINDS;
const KEYS = Object.keys(KINDS) as readonly Key[];

/** Without the file: nothing is said. */
export async function readConfig(root: string): Promise<Config> {
  const file = join(root, CONFIG_FILE);
  const text = await textOf(file);
  if (text === null) return NO_CONFIG;
  const said = parsed(text, file);
  const { store, embedder, cache, ...chunking } = said;
  checkStore(store, file);
  if (embedder !== undefined && !isEmbedderSpec(embedder))
    throw wrong(file, `"embedder": no embedder is called "${embedder}"; see \`strata models\``);
  try {
    settingsOf(chunking);
  } catch (error) {
    throw wrong(file, reasonOf(error));
  }
  return {
    ...(store !== undefined && { store }),
    ...(embedder !== undefined && { embedder }),
    ...(cache !== undefined && { cache }),
    chunking,
  };
}

interface Said extends ChunkingOptions {
  readonly store?: string;
  readonly embedder?: string;
  readonly cache?: boolean;
}

function parsed(text: string, file: string): Said {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (error) {
    throw wrong(file, `is no JSON (${reasonOf(error)}); correct or remove it`);
  }
  if (!isObject(said)) throw wrong(file, 'must be an object, such as {"store": "json"}');
  for (const [key, value] of Object.entries(said)) {
    const kind = KINDS[key as Key];
    if (!Object.hasOwn(KINDS, key)) throw wrong(file, `"${key}" is not known; known are ${KEYS.join(', ')}`);
    if (kind === 'switch' && typeof value !== 'boolean') throw wrong(file, `"${key}" must be true or false`);
    if (kind === 'text' && (typeof value !== 'string' || value === ''))
      throw wrong(file, `"${key}" must be a text`);
    if (kind === 'number' && typeof value !== 'number') throw wrong(file, `"${key}" must be a number`);
  }
  return said as Said;
}

/** A file is read by everybody who has the project: secrets stand in the environment. */
function checkStore(store: string | undefined, file: string): void {
  if (store === undefined) return;
  try {
    parseStoreSpec(store);
  } catch (error) {
    throw wrong(file, reasonOf(error));
  }
  if (/^[a-z0-9+.:-]*:\/\/[^/?#]*@/i.test(store))
    throw wrong(file, '"store" holds a user or password; put those into STRATA_POSTGRES_URL');
}

const wrong = (file: string, problem: string): StrataError =>
  new StrataError('INVALID_ARGUMENT', `${file}: ${problem.replace(/\p{C}/gu, '�').slice(0, 500)}`);

/** null where there is none. A link may lead anywhere, a pipe would be waited for: neither is read. */
async function textOf(file: string): Promise<string | null> {
  const handle = await open(file, OWN_FILE).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw wrong(
      file,
      error.code === 'ELOOP' ? 'is a link; it must be a file' : `cannot be read (${error.code})`,
    );
  });
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw wrong(file, 'must be a file');
    if (found.size > MOST_BYTES) throw wrong(file, `is larger than ${MOST_BYTES / 1024} KB`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
