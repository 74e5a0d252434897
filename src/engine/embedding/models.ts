import { existsSync } from 'node:fs';
import { DEFAULT_PAIR } from '../../embed/models/manifest.js';
import { assetOf, listModels, type ModelStatus, pullModel, removeModel } from '../../embed/models/models.js';
import type { PullOptions } from '../../embed/models/pull.js';
import {
  preferredBuild,
  pullRuntime,
  type RuntimeStatus,
  removeRuntime,
  runtimeStatus,
} from '../../embed/runtime/runtime.js';
import { StrataError } from '../../model/errors.js';
import type { OnProgress } from '../../model/progress.js';

export const MODEL_ACTIONS = ['list', 'pull', 'path', 'remove'] as const;
export type ModelAction = (typeof MODEL_ACTIONS)[number];

export interface ModelsReport {
  readonly action: ModelAction;
  /** Those that were asked for, as they are now. */
  readonly models: readonly ModelStatus[];
  /** What runs them. */
  readonly runtime: RuntimeStatus;
}

export interface ModelsOptions {
  /** A folder that has the files, for machines without a network. */
  readonly from?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly onNotice?: ((line: string) => void) | undefined;
}

/** Fetched without being asked for by name. */
const isDefault = (name: string): boolean =>
  assetOf(name).kind !== 'embedding' || (DEFAULT_PAIR as readonly string[]).includes(name);

/** The model files on this machine: look, fetch, remove. No name means all of them, or to fetch the default ones. */
export async function manageModels(
  action: ModelAction,
  names: readonly string[],
  { from, signal, onProgress, onNotice }: ModelsOptions = {},
): Promise<ModelsReport> {
  for (const name of names) assetOf(name);
  // Whoever names a folder may have no network, or want none: what is not there is no reason to ask one.
  if (from !== undefined && !existsSync(from))
    throw new StrataError(
      'NOT_FOUND',
      `${from}: is not there; name the folder or tarball that has the models`,
    );
  const wanted = listModels()
    .map(({ name }) => name)
    .filter((name) => names.includes(name) || (names.length === 0 && (action !== 'pull' || isDefault(name))));
  const options: PullOptions = {
    ...(from === undefined ? {} : { from }),
    ...(signal === undefined ? {} : { signal }),
    ...(onNotice && { log: onNotice }),
    onProgress: ({ model, done, total }) => onProgress?.({ stage: `Fetching ${model}`, done, total }),
  };
  for (const name of wanted) {
    if (action === 'remove') await removeModel(name);
    if (action === 'pull') await pullModel(name, options);
  }
  if (action === 'pull' && !runtimeStatus().present) await pullRuntime(preferredBuild(), options);
  if (action === 'remove' && names.length === 0) await removeRuntime();
  const models = listModels().filter(({ name }) => wanted.includes(name));
  return { action, models, runtime: runtimeStatus() };
}
