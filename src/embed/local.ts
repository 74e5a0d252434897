import { availableParallelism } from 'node:os';
import { sha256 } from '../model/hash.js';
import { cleanForModel } from './clean.js';
import type { Embedder, EmbedRole } from './embedder.js';
import type { OnnxModel } from './model-folder.js';
import { join, type PairWeights, passageWeights, queryWeights } from './pair.js';
import { WorkerPool } from './worker-pool.js';

/** One thread each: two workers of one thread do more than one of two, which wait for each other at every layer. */
const PASSAGE_WORKERS = 2;

export interface LocalOptions {
  /** Worker threads for passages. */
  readonly workers?: number;
}

/** A folder's model: its own vectors. */
export async function localModel(
  model: OnnxModel,
  weightsHash: string,
  options: LocalOptions = {},
): Promise<Embedder> {
  const pools = openPools([model], options);
  const prefix = { query: model.query_prefix, passage: model.passage_prefix };
  const embedOne = (text: string, role: EmbedRole, signal?: AbortSignal): Promise<Float32Array> =>
    pools[role].run(0, prefix[role] + cleanForModel(text), signal);
  try {
    const { length: dimensions } = await embedOne('strata', 'query');
    const settings = [
      model.pooling,
      model.max_tokens,
      model.lower_case,
      model.query_prefix,
      model.passage_prefix,
    ];
    return {
      id: `local:${model.name}`,
      dimensions,
      fingerprint: `local:${model.name}:${dimensions}:${sha256([weightsHash, ...settings].join('\n')).slice(0, 12)}`,
      embed: (texts, role, signal) => Promise.all(texts.map((text) => embedOne(text, role, signal))),
      close: pools.close,
    };
  } catch (error) {
    await pools.close();
    throw error;
  }
}

export interface LocalPair {
  readonly name: string;
  readonly models: readonly [OnnxModel, OnnxModel];
  readonly dimensions: readonly [number, number];
  readonly weightsHash: string;
}

/** Two models, one joined vector (see pair.ts). */
export async function localPair(pair: LocalPair, options: LocalOptions = {}): Promise<Embedder> {
  const pools = openPools(pair.models, options);
  const dimensions = pair.dimensions[0] + pair.dimensions[1];
  const half = (part: 0 | 1, text: string, role: EmbedRole, signal?: AbortSignal): Promise<Float32Array> => {
    const model = pair.models[part];
    return pools[role].run(
      part,
      (role === 'query' ? model.query_prefix : model.passage_prefix) + text,
      signal,
    );
  };
  const embedOne = async (text: string, role: EmbedRole, signal?: AbortSignal): Promise<Float32Array> => {
    const clean = cleanForModel(text);
    const weights: PairWeights = role === 'query' ? queryWeights(clean) : passageWeights(clean);
    const first = half(0, clean, role, signal);
    const second = weights.second > 0 ? half(1, clean, role, signal) : null;
    const [a, b] = await Promise.all([first, second]);
    return join(a, b, weights, dimensions);
  };
  try {
    await pools.query.start();
  } catch (error) {
    await pools.close();
    throw error;
  }
  return {
    id: `local:${pair.name}`,
    dimensions,
    fingerprint: `local:${pair.name}:${dimensions}:${pair.weightsHash.slice(0, 12)}`,
    embed: (texts, role, signal) => Promise.all(texts.map((text) => embedOne(text, role, signal))),
    close: pools.close,
  };
}

/** A query never waits behind passages: it has a worker of its own, at a higher priority. */
function openPools(models: readonly OnnxModel[], options: LocalOptions) {
  const workers = options.workers ?? Math.min(PASSAGE_WORKERS, availableParallelism());
  const query = new WorkerPool({ models, background: false }, 1);
  const passage = new WorkerPool({ models, background: true }, workers);
  return {
    query,
    passage,
    close: async (): Promise<void> => {
      await Promise.all([query.close(), passage.close()]);
    },
  };
}
