import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { isStrataError, reasonOf } from '../../model/errors.js';
import type { OnnxModel } from '../models/model-folder.js';
import { OnnxSession, type Runtime } from './onnx-session.js';
import type { FromWorker, ToWorker, WorkerSetup } from './worker-pool.js';

// The thread that runs the models. Jobs come one text each; models load when a text first needs them.

const port = parentPort!;
const setup = workerData as WorkerSetup;
const answer = (message: FromWorker): void => port.postMessage(message);

/**
 * On Linux a priority belongs to a thread: passages then give way at once to the main thread and to queries.
 * Elsewhere it would slow the whole process down, so it is left alone.
 */
if (setup.background && process.platform === 'linux') {
  try {
    setPriority(0, 10);
  } catch {
    // A container may forbid it; embedding is then merely less polite.
  }
}

const runtime: Promise<Runtime> = import(setup.runtime).then((loaded: Runtime) => {
  // Of the WebAssembly build; one thread per worker, as for the native one.
  loaded.env.wasm.numThreads = 1;
  return loaded;
});

const sessions = new Map<number, Promise<OnnxSession>>();
const waiting: Extract<ToWorker, { kind: 'embed' }>[] = [];
let busy = false;

const session = (part: number): Promise<OnnxSession> => {
  const model = setup.models[part] as OnnxModel;
  const known = sessions.get(part) ?? runtime.then((loaded) => OnnxSession.load(loaded, model));
  sessions.set(part, known);
  return known;
};

async function drain(): Promise<void> {
  busy = true;
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    try {
      const loaded = await session(job.part);
      const vector = await (job.pair === undefined
        ? loaded.embed(job.text)
        : loaded.score(job.text, job.pair));
      answer({ kind: 'vector', id: job.id, vector });
    } catch (error) {
      answer({ kind: 'error', id: job.id, ...described(error) });
    }
  }
  busy = false;
}

const described = (error: unknown): { code: 'EMBEDDER_FAILED' | 'MODEL_INVALID'; message: string } => ({
  code: isStrataError(error, 'MODEL_INVALID') ? 'MODEL_INVALID' : 'EMBEDDER_FAILED',
  message: reasonOf(error),
});

port.on('message', (message: ToWorker) => {
  if (message.kind === 'embed') {
    waiting.push(message);
    if (!busy) void drain();
  } else {
    waiting.length = 0;
    // The runtime must let go of its memory before the thread ends, or it may crash the process.
    void Promise.allSettled([...sessions.values()].map(async (loaded) => (await loaded).release())).then(() =>
      port.close(),
    );
  }
});

// Loading the native library is the step that fails where it has no build for the machine: say so before any job.
runtime.then(
  () => answer({ kind: 'ready' }),
  (error: unknown) => answer({ kind: 'unavailable', message: reasonOf(error) }),
);
