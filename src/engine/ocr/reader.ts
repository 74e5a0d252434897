import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-common';
import type { OcrSetup } from '../../ingest/worker/job.js';
import { reasonOf, StrataError } from '../../model/errors.js';
import { alphabetOf } from '../../parse/ocr/alphabet.js';
import type { Network, OcrNetworks } from '../../parse/ocr/network.js';
import { readPicture } from '../../parse/ocr/read-picture.js';
import type { OcrReader } from '../../parse/parser.js';
import { PageCache } from './page-cache.js';

type Runtime = typeof import('onnxruntime-common');

const loaded = new Map<string, Promise<OcrNetworks>>();

/** What reads pictures in a worker process; its networks are loaded once and kept. */
export async function readerOf(setup: OcrSetup): Promise<OcrReader> {
  const { mode, model, folder, runtime, cache, lanes } = setup;
  const key = `${runtime}\n${folder}`;
  const networks = loaded.get(key) ?? load(runtime, folder);
  loaded.set(key, networks);
  const pages = new PageCache(cache);
  return {
    mode,
    model,
    read: (picture) => pages.read(picture, async (asked) => readPicture(await networks, asked, { lanes })),
  };
}

async function load(address: string, folder: string): Promise<OcrNetworks> {
  try {
    const runtime = (await import(address)) as Runtime;
    runtime.env.wasm.numThreads = 1;
    const network = (name: string): Promise<Network> => open(runtime, join(folder, name));
    return {
      detect: await network('detect.onnx'),
      turn: await network('turn.onnx'),
      recognise: await network('recognise.onnx'),
      alphabet: alphabetOf(readFileSync(join(folder, 'recognise.onnx'))),
    };
  } catch (error) {
    throw new StrataError('MODEL_INVALID', `the OCR models cannot be loaded (${reasonOf(error)})`, {
      cause: error,
    });
  }
}

async function open(runtime: Runtime, path: string): Promise<Network> {
  const session: InferenceSession = await runtime.InferenceSession.create(path, {
    // Lines are read side by side (`lanes`), each by one thread.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Every line has its own length. A pattern or an arena for each would only fill memory.
    enableMemPattern: false,
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });
  const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
  return {
    async run(data, dims) {
      const answer = (await session.run({ [input]: new runtime.Tensor('float32', data, [...dims]) }))[
        output
      ]!;
      return { data: answer.data as Float32Array, dims: answer.dims };
    },
  };
}
