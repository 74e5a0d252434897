import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isStrataError, reasonOf, StrataError } from '../../model/errors.js';
import { withLease } from '../../store/lock/lease.js';
import { hubFile } from './hub.js';
import { modelsFolder } from './models.js';
import type { PullOptions } from './pull.js';

const MOST_BYTES = 2 ** 31 - 1;
const GRAPHS = ['onnx/model_quantized.onnx', 'onnx/model_int8.onnx', 'onnx/model.onnx', 'model.onnx'];
const NEEDED = ['config.json', 'tokenizer.json'];
const WELCOME = [
  'tokenizer_config.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
];

export const isHubId = (model: string): boolean => /^[\w.-]+\/[\w.-]+$/.test(model);

/** A model of a hub by its id. Nobody here knows its checksums: the hub (or mirror) is trusted for these. */
export async function hubModel(id: string, options: PullOptions): Promise<string> {
  const env = options.env ?? process.env;
  const folder = join(modelsFolder(env), 'hub', id.replace('/', '--'));
  await withLease(
    `${folder}.lease`,
    async () => {
      if (existsSync(folder)) return;
      const temporary = join(dirname(folder), `.temp-${process.pid}-${Date.now()}`);
      const fetchTo = async (file: string): Promise<void> => {
        const bytes = await hubFile(id, file, {
          env,
          mostBytes: MOST_BYTES,
          ...(options.signal ? { signal: options.signal } : {}),
          onBytes: (done) => options.onProgress?.({ model: id, source: `hub ${id} ${file}`, done, total: 0 }),
        });
        await mkdir(dirname(join(temporary, file)), { recursive: true });
        await writeFile(join(temporary, file), bytes);
      };
      try {
        for (const file of NEEDED) await fetchTo(file);
        for (const file of WELCOME) await fetchTo(file).catch(unlessAborted);
        await firstOf(GRAPHS, fetchTo);
        await rename(temporary, folder);
      } catch (error) {
        if (isStrataError(error, 'ABORTED')) throw error;
        throw new StrataError(
          'EMBEDDER_UNAVAILABLE',
          `The model ${id} could not be fetched (${reasonOf(error)}).`,
        );
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
    { signal: options.signal },
  );
  return folder;
}

async function firstOf(files: readonly string[], fetchTo: (file: string) => Promise<void>): Promise<void> {
  let last: unknown;
  for (const file of files) {
    try {
      return await fetchTo(file);
    } catch (error) {
      unlessAborted(error);
      last = error;
    }
  }
  throw last;
}

function unlessAborted(error: unknown): void {
  if (isStrataError(error, 'ABORTED')) throw error;
}
