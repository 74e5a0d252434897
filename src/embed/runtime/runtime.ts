import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isStrataError, reasonOf, StrataError } from '../../model/errors.js';
import { sha256 } from '../../model/hash.js';
import { withLease } from '../../store/lock/lease.js';
import { RUNTIME_UNLOADABLE } from '../local/worker-pool.js';
import { modelsFolder } from '../models/models.js';
import { npmTarball } from '../models/npm-pack.js';
import { fetchNotice, OFFLINE, type PullOptions } from '../models/pull.js';
import { filesInTarball } from '../models/tarball.js';
import {
  nativeBuild,
  RUNTIME,
  RUNTIME_VERSION,
  type RuntimeBuild,
  type RuntimePackage,
  WASM_BUILD,
} from './packages.js';

/**
 * Runs `make` with the module that runs models: what is installed beside Strata, else what the cache has, else what is
 * fetched now. Where there is no native build, or it does not load, WebAssembly takes its place.
 */
export async function withRuntime<T>(
  options: PullOptions,
  make: (runtime: string) => Promise<T>,
): Promise<T> {
  const first = installed() ?? (await pullRuntime(preferredBuild(), options));
  try {
    return await make(first);
  } catch (error) {
    if (!(error instanceof StrataError) || error.cause !== RUNTIME_UNLOADABLE || nativeBuild() === null)
      throw error;
    if (!isHere(WASM_BUILD, options.env)) {
      options.log?.(`${error.message} Its WebAssembly build takes its place, about four times slower.`);
    }
    return make(await pullRuntime(WASM_BUILD, options));
  }
}

/** The address of a runtime that this process can load, for processes that it starts. */
export const loadableRuntime = (options: PullOptions): Promise<string> =>
  withRuntime(options, async (runtime) => {
    try {
      await import(runtime);
      return runtime;
    } catch (error) {
      const reason = `${RUNTIME.name} cannot be loaded (${reasonOf(error)}).`;
      throw new StrataError('EMBEDDER_UNAVAILABLE', reason, { cause: RUNTIME_UNLOADABLE });
    }
  });

/** Whether models can be run with what is on this machine: nothing fetched. */
export const isRuntimeHere = (env: NodeJS.ProcessEnv = process.env): boolean =>
  installed() !== null || [nativeBuild(), WASM_BUILD].some((build) => build !== null && isHere(build, env));

/** The build that this machine would use first. */
export const preferredBuild = (): RuntimeBuild => nativeBuild() ?? WASM_BUILD;

/** What `strata models` shows of it. */
export interface RuntimeStatus {
  readonly name: string;
  readonly licence: string;
  readonly authors: string;
  /** To be fetched; a third of it stays. */
  readonly bytes: number;
  readonly present: boolean;
  readonly path: string;
  readonly sources: readonly string[];
}

export function runtimeStatus(env: NodeJS.ProcessEnv = process.env): RuntimeStatus {
  const build = preferredBuild();
  const kept = [build, WASM_BUILD].find((one) => isHere(one, env)) ?? build;
  return {
    ...RUNTIME,
    bytes: bytesOf(build),
    present: isRuntimeHere(env),
    path: installed() ?? runtimeFolder(kept, env),
    sources: build.packages.map(({ name }) => `npm:${name}@${RUNTIME_VERSION}`),
  };
}

/** All builds that were fetched. */
export const removeRuntime = (env: NodeJS.ProcessEnv = process.env): Promise<void> =>
  rm(dirname(runtimeFolder(WASM_BUILD, env)), { recursive: true, force: true });

const bytesOf = ({ packages }: RuntimeBuild): number => packages.reduce((sum, { bytes }) => sum + bytes, 0);

/** Where a build is kept, in the layout of `node_modules`, so that its packages find each other. */
export function runtimeFolder(build: RuntimeBuild, env: NodeJS.ProcessEnv = process.env): string {
  const hash = sha256(build.packages.map((one) => one.sha256).join('\n')).slice(0, 8);
  return join(
    dirname(modelsFolder(env)),
    'runtime',
    `onnxruntime-${RUNTIME_VERSION}-${build.target}-${hash}`,
  );
}

/** The module of a build, fetched and unpacked unless it is here. All of it is in place, or nothing. */
export async function pullRuntime(build: RuntimeBuild, options: PullOptions = {}): Promise<string> {
  const folder = runtimeFolder(build, options.env);
  if (!isHere(build, options.env)) {
    await withLease(`${folder}.lease`, () => pullInto(build, folder, options), { signal: options.signal });
  }
  return pathToFileURL(join(folder, 'node_modules', build.entry)).href;
}

async function pullInto(build: RuntimeBuild, folder: string, options: PullOptions): Promise<void> {
  if (isHere(build, options.env)) return;
  const temporary = join(dirname(folder), `.temp-${randomUUID()}`);
  const total = bytesOf(build);
  options.log?.(fetchNotice(RUNTIME, total));
  let done = 0;
  try {
    for (const one of build.packages) {
      options.onProgress?.({ model: RUNTIME.name, source: 'npm', done, total });
      await unpack(await verified(one, options), one, join(temporary, 'node_modules', one.name));
      done += one.bytes;
    }
    options.onProgress?.({ model: RUNTIME.name, source: 'npm', done, total });
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The tarball from a folder that was named, else by the person's npm. */
async function verified(one: RuntimePackage, options: PullOptions): Promise<Buffer> {
  const env = options.env ?? process.env;
  for (const folder of [options.from, env.STRATA_MODELS_DIR]) {
    const file = folder ? join(folder, `${one.name}-${RUNTIME_VERSION}.tgz`) : '';
    if (!existsSync(file)) continue;
    const bytes = await readFile(file);
    if (sha256(bytes) === one.sha256) return bytes;
  }
  try {
    const bytes = await npmTarball(`${one.name}@${RUNTIME_VERSION}`, options.signal);
    if (sha256(bytes) === one.sha256) return bytes;
  } catch (error) {
    if (isStrataError(error, 'ABORTED')) throw error;
    throw missing(OFFLINE.test(reasonOf(error)) ? 'no network' : reasonOf(error), error);
  }
  throw missing('the checksum of what the registry sent is wrong');
}

async function unpack(tgz: Buffer, { keeps }: RuntimePackage, folder: string): Promise<void> {
  for (const { path, body } of filesInTarball(tgz)) {
    if (!keeps(path)) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), body, { flush: true });
  }
}

const isHere = (build: RuntimeBuild, env?: NodeJS.ProcessEnv): boolean =>
  existsSync(join(runtimeFolder(build, env), 'node_modules', build.entry));

/** Whoever has the package beside Strata has chosen it. */
function installed(): string | null {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve('onnxruntime-node')).href;
  } catch {
    return null;
  }
}

const missing = (reason: string, cause?: unknown): StrataError =>
  new StrataError(
    'EMBEDDER_UNAVAILABLE',
    `${RUNTIME.name}, which runs the models, could not be fetched (${reason}); \`strata models pull\` fetches it when there is a network, or --from a folder.`,
    { cause },
  );
