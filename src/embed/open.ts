import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import { sha256 } from '../model/hash.js';
import type { Embedder } from './embedder.js';
import { type LocalOptions, localModel, localPair } from './local/local.js';
import { hubModel, isHubId } from './models/hub-model.js';
import { DEFAULT_PAIR, MODELS, type ModelEntry } from './models/manifest.js';
import { readModelFolder } from './models/model-folder.js';
import { modelEntry, onnxModel, pullModel } from './models/models.js';
import type { PullOptions } from './models/pull.js';
import { ollamaEmbedder } from './remote/ollama.js';
import { openaiEmbedder } from './remote/openai.js';
import { withRuntime } from './runtime/runtime.js';
import type { EmbedderSpec } from './spec.js';

export interface OpenEmbedderOptions extends PullOptions, LocalOptions {
  /** The user has named this embedder: the user's keys may go to its address, wherever that is. */
  readonly is_named?: boolean;
}

/**
 * The embedder a spec names, ready to use; the default weights are fetched when they are not here. Throws
 * EMBEDDER_UNAVAILABLE with the reason and the next step where none can be had: search then goes on by words.
 */
export async function openEmbedder(spec: EmbedderSpec, options: OpenEmbedderOptions = {}): Promise<Embedder> {
  try {
    return await choose(spec, options);
  } catch (error) {
    if (isStrataError(error)) {
      if (error.code !== 'MODEL_INVALID' && error.code !== 'EMBEDDER_FAILED') throw error;
    }
    throw new StrataError('EMBEDDER_UNAVAILABLE', reasonOf(error), { cause: error });
  }
}

async function choose(spec: EmbedderSpec, options: OpenEmbedderOptions): Promise<Embedder> {
  switch (spec.kind) {
    case 'none':
      throw new StrataError(
        'EMBEDDER_UNAVAILABLE',
        'This library uses no embedder (none): search is by words.',
      );
    case 'openai':
      return openaiEmbedder(spec, options);
    case 'ollama':
      return ollamaEmbedder(spec, options);
    case 'local':
      return withRuntime(options, (runtime) => local(spec.model, { ...options, runtime }));
  }
}

async function local(model: string | undefined, options: OpenEmbedderOptions): Promise<Embedder> {
  if (model === undefined) {
    const entries = DEFAULT_PAIR.map(modelEntry) as [ModelEntry, ModelEntry];
    const folders = [await pull(entries[0], options), await pull(entries[1], options)] as const;
    return localPair(
      {
        name: 'pair',
        models: [onnxModel(entries[0], folders[0]), onnxModel(entries[1], folders[1])],
        dimensions: [entries[0].dimensions, entries[1].dimensions],
        weightsHash: sha256(entries.flatMap((entry) => entry.files.map((file) => file.sha256)).join('\n')),
      },
      options,
    );
  }
  const entry = MODELS.find((known) => known.name === model);
  if (entry !== undefined) {
    return localModel(onnxModel(entry, await pull(entry, options)), entry.files[0]!.sha256, options);
  }
  if (existsSync(model) && statSync(model).isDirectory()) return fromFolder(model, options);
  if (isHubId(model)) return fromFolder(await hubModel(model, options), options);
  throw new StrataError(
    'EMBEDDER_UNAVAILABLE',
    `There is no model "${model}": give a folder with model.onnx and tokenizer.json, a hub id (owner/name), or one of ${MODELS.map((known) => known.name).join(', ')}.`,
  );
}

async function fromFolder(folder: string, options: OpenEmbedderOptions): Promise<Embedder> {
  const model = readModelFolder(folder);
  const hash = createHash('sha256');
  await pipeline(createReadStream(model.onnx), hash);
  return localModel(model, hash.digest('hex'), options);
}

async function pull(entry: ModelEntry, options: OpenEmbedderOptions): Promise<string> {
  try {
    return await pullModel(entry.name, options);
  } catch (error) {
    if (isStrataError(error, 'ABORTED')) throw error;
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      `${reasonOf(error).replace(/\.$/, '')}; \`strata models pull\` fetches it when there is a network, or --from a folder`,
      { cause: error },
    );
  }
}
