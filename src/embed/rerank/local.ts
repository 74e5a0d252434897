import { cleanForModel } from '../local/clean.js';
import { WorkerPool } from '../local/worker-pool.js';
import { readModelFolder } from '../models/model-folder.js';
import type { Reranker } from './reranker.js';

/** A folder's cross-encoder, in a worker thread of its own: questions are waiting for it. */
export async function localReranker(folder: string, runtime: string): Promise<Reranker> {
  const model = readModelFolder(folder);
  const pool = new WorkerPool({ runtime, models: [model], background: false }, 1);
  const scoreOf = async (question: string, text: string, signal?: AbortSignal): Promise<number> => {
    const [score] = await pool.run([{ part: 0, text: question, pair: cleanForModel(text) }], signal);
    return score![0]!;
  };
  try {
    // A folder that is no cross-encoder is named before the first question, not at it.
    await scoreOf('strata', 'strata');
  } catch (error) {
    await pool.close();
    throw error;
  }
  return {
    id: `local:${model.name}`,
    score: (question, texts, signal) =>
      Promise.all(
        texts.map((text) =>
          scoreOf(question, text, signal).catch((error: unknown) => {
            if (signal.aborted) return null;
            throw error;
          }),
        ),
      ),
    close: () => pool.close(),
  };
}
