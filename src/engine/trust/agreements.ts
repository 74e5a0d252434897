import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, StrataError } from '../../model/errors.js';
import { isObject } from '../../model/json/json.js';
import { acquireLock } from '../../store/lock/lock.js';
import { isText } from '../../store/stored.js';

/** What a library may ask for that reaches beyond its own folder. */
export const SUBJECTS = ['owner', 'store', 'embedder', 'vectors', 'sources'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** One thing that the user has agreed to, for one library. */
export interface Agreement {
  /** The library's folder, with all links resolved. */
  readonly library: string;
  readonly about: Subject;
  /** Exactly what the library names. Anything else, however similar, is another question. */
  readonly value: string;
  /** `named`: the user wrote it, by a flag or in the environment. `agreed`: the library did, and the user agreed. */
  readonly by: 'named' | 'agreed';
  readonly at: string;
}

const FILE = 'trust.json';

/** The user's own configuration, never the library's folder: a library must not be able to vouch for itself. */
async function configFolder(env: NodeJS.ProcessEnv): Promise<string> {
  if (env.STRATA_CONFIG) return env.STRATA_CONFIG;
  const { default: envPaths } = await import('env-paths');
  return envPaths('strata', { suffix: '' }).config;
}

export async function readAgreements(env: NodeJS.ProcessEnv = process.env): Promise<readonly Agreement[]> {
  const file = join(await configFolder(env), FILE);
  try {
    const { agreements } = JSON.parse(await readFile(file, 'utf8')) as { agreements: unknown };
    if (Array.isArray(agreements)) return agreements.filter(isAgreement);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new StrataError(
      'INVALID_ARGUMENT',
      `${file} cannot be read (${reasonOf(error)}); correct or remove it`,
    );
  }
  throw new StrataError('INVALID_ARGUMENT', `${file} holds no agreements; correct or remove it`);
}

/** In the place of older ones on the same matter. What was added from where is forgotten with its library. */
export const addAgreements = (added: readonly Agreement[], env?: NodeJS.ProcessEnv): Promise<void> => {
  const matter = ({ library, about, value }: Agreement): string => JSON.stringify([library, about, value]);
  const matters = new Set(added.map(matter));
  return changeAgreements((all) => {
    const libraries = new Set(all.map(({ library }) => library));
    const gone = new Set([...libraries].filter((library) => !existsSync(library)));
    const stays = (one: Agreement): boolean =>
      !matters.has(matter(one)) && !(one.about === 'sources' && gone.has(one.library));
    return [...all.filter(stays), ...added];
  }, env);
};

/** Under a lock, and moved into place: two commands may agree to something at once. */
export async function changeAgreements(
  change: (agreements: readonly Agreement[]) => readonly Agreement[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const folder = await configFolder(env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await acquireLock(join(folder, 'trust-lock'));
  try {
    const agreements = change(await readAgreements(env));
    const draft = join(folder, `${FILE}.${randomUUID()}`);
    await writeFile(draft, `${JSON.stringify({ agreements }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, join(folder, FILE));
  } finally {
    await lock.release();
  }
}

const isAgreement = (value: unknown): value is Agreement =>
  isObject(value) &&
  isText(value.library) &&
  (SUBJECTS as readonly unknown[]).includes(value.about) &&
  isText(value.value) &&
  (value.by === 'named' || value.by === 'agreed') &&
  isText(value.at);
