import { availableParallelism } from 'node:os';
import { sha256 } from '../../model/hash.js';
import type { Embedder } from '../embedder.js';
import type { OnnxModel } from '../models/model-folder.js';
import { embedInParts } from '../passages.js';
import { cleanForModel } from './clean.js';
import { join, readAsPair } from './pair.js';
import { partsOf } from './parts.js';
import { type PartText, WorkerPool } from './worker-pool.js';

/** One thread each: two workers of one thread do more than one of two, which wait for each other at every layer. */
const PASSAGE_WORKERS = 2;

export interface LocalOptions {
  /** The module that runs models; what is installed beside Strata. */
  readonly runtime?: string;
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
  const read: Embedder['embed'] = (texts, role, signal) =>
    pools[role].run(
      texts.map((text) => ({ part: 0, text: prefix[role] + text })),
      signal,
    );
  const { embed, embedPassages } = cleaning(read);
  try {
    const dimensions = (await embed(['strata'], 'query'))[0]!.length;
    const settings = [
      'parts',
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
      embed,
      embedPassages,
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
  const read: Embedder['embed'] = async (texts, role, signal) => {
    const readings = texts.map(readAsPair);
    const prefixed = (part: 0 | 1, text: string): PartText => {
      const { query_prefix, passage_prefix } = pair.models[part];
      return { part, text: (role === 'query' ? query_prefix : passage_prefix) + text };
    };
    const asks = readings.flatMap(({ first, second }) =>
      second === null ? [prefixed(0, first.text)] : [prefixed(0, first.text), prefixed(1, second.text)],
    );
    const halves = (await pools[role].run(asks, signal)).values();
    return readings.map((reading) => {
      const first = halves.next().value!;
      return join(reading, first, reading.second === null ? null : halves.next().value!, dimensions);
    });
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
    // Raise the version with every change of pair.ts, parts.ts or clean.ts that changes vectors.
    fingerprint: `local:${pair.name}:${dimensions}:${sha256(`6\n${pair.weightsHash}`).slice(0, 12)}`,
    ...cleaning(read),
    close: pools.close,
  };
}

/** Texts as models should read them, whole or in parts. `read` gets them clean. */
const cleaning = (read: Embedder['embed']): Required<Pick<Embedder, 'embed' | 'embedPassages'>> => ({
  embed: (texts, role, signal) => read(texts.map(cleanForModel), role, signal),
  embedPassages: (texts, signal) =>
    embedInParts(
      texts.map((text) => partsOf(cleanForModel(text))),
      (parts) => read(parts, 'passage', signal),
    ),
});

/** A query never waits behind passages: it has a worker of its own, at a higher priority. */
function openPools(models: readonly OnnxModel[], options: LocalOptions) {
  const workers = options.workers ?? Math.min(PASSAGE_WORKERS, availableParallelism());
  const { runtime = 'onnxruntime-node' } = options;
  const query = new WorkerPool({ runtime, models, background: false }, 1);
  const passage = new WorkerPool({ runtime, models, background: true }, workers);
  return {
    query,
    passage,
    close: async (): Promise<void> => {
      await Promise.all([query.close(), passage.close()]);
    },
  };
}
