import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { StrataError } from '../../model/errors.js';
import { isGenuine } from './genuine.js';
import { hubAddress } from './hub.js';
import { ASSETS, type Asset, type FileSource, MODELS, type ModelEntry } from './manifest.js';
import type { OnnxModel } from './model-folder.js';
import { fetchNotice, type PullOptions, pullInto } from './pull.js';

/** What `strata models` shows. */
export interface ModelStatus {
  readonly name: string;
  readonly kind: Asset['kind'];
  readonly about: string;
  readonly licence: string;
  readonly authors: string;
  /** The dimensions of an embedding model's vectors. */
  readonly dimensions?: number;
  readonly bytes: number;
  readonly present: boolean;
  readonly path: string;
  /** Where its files are looked for, in this order; their checksums decide. */
  readonly sources: readonly string[];
}

/** Where model files are kept: the person's cache folder, or below `STRATA_CACHE`. */
export function modelsFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.STRATA_CACHE || envPaths('strata', { suffix: '' }).cache, 'models');
}

export function listModels(env: NodeJS.ProcessEnv = process.env): readonly ModelStatus[] {
  return ASSETS.map((entry) => ({
    name: entry.name,
    kind: entry.kind,
    about: entry.about,
    licence: entry.licence,
    authors: entry.authors,
    ...(isModel(entry) && { dimensions: entry.dimensions }),
    bytes: bytesOf(entry),
    present: isPresent(entry, env),
    path: modelPath(entry.name, env),
    sources: [...new Set(entry.files.flatMap(({ sources }) => sources.map((source) => nameOf(source, env))))],
  }));
}

const isModel = (entry: Asset): entry is ModelEntry => entry.kind === 'embedding';

const bytesOf = ({ files }: Asset): number => files.reduce((sum, file) => sum + file.bytes, 0);

const nameOf = (source: FileSource, env: NodeJS.ProcessEnv): string =>
  'npm' in source ? `npm:${source.npm}` : `${hubAddress(env)}/${source.hub}`;

/** The folder a model has, or would have. */
export function modelPath(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const entry = assetOf(name);
  // The weights' hash is part of the path: a new version never meets an old one's files.
  return join(modelsFolder(env), `${entry.name}-${entry.files[0]!.sha256.slice(0, 8)}`);
}

/** Bring a model's files here, verified, unless they are here already. */
export async function pullModel(name: string, options: PullOptions = {}): Promise<string> {
  const env = options.env ?? process.env;
  const entry = assetOf(name);
  const folder = modelPath(name, env);
  const isWhole = async (): Promise<boolean> => isPresent(entry, env) && (await isGenuine(entry, folder));
  if (!(await isWhole())) {
    options.log?.(fetchNotice(entry, bytesOf(entry)));
    await pullInto(entry, folder, isWhole, options);
  }
  return folder;
}

/** True when there was something to remove. */
export async function removeModel(name: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const folder = modelPath(name, env);
  const existed = existsSync(folder);
  await rm(folder, { recursive: true, force: true });
  return existed;
}

export const assetOf = (name: string): Asset => named(ASSETS, name);

/** An embedding model. */
export const modelEntry = (name: string): ModelEntry => named(MODELS, name);

function named<T extends Asset>(known: readonly T[], name: string): T {
  const entry = known.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  throw new StrataError(
    'NOT_FOUND',
    `No model is called "${name}"; known are ${known.map((one) => one.name).join(', ')}.`,
  );
}

/** A quick look, for lists: whether they are still what they were is asked when a model is loaded (genuine.ts). */
export function isPresent(entry: Asset, env: NodeJS.ProcessEnv): boolean {
  const folder = modelPath(entry.name, env);
  return entry.files.every(
    (file) => statSync(join(folder, file.path), { throwIfNoEntry: false })?.size === file.bytes,
  );
}

export function onnxModel(entry: ModelEntry, folder: string): OnnxModel {
  return {
    name: entry.name,
    onnx: join(folder, 'model.onnx'),
    tokenizer: join(folder, 'tokenizer.json'),
    tokenizer_config: {},
    pooling: entry.pooling,
    lower_case: entry.lower_case,
    max_tokens: entry.max_tokens,
    query_prefix: entry.query_prefix,
    passage_prefix: '',
  };
}
