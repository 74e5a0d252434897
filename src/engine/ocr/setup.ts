import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { OCR_MODEL } from '../../embed/models/manifest.js';
import { modelsFolder, pullModel } from '../../embed/models/models.js';
import type { PullOptions } from '../../embed/models/pull.js';
import { loadableRuntime } from '../../embed/runtime/runtime.js';
import type { OcrSetup } from '../../ingest/worker/job.js';
import { sha256 } from '../../model/hash.js';

/** More lines at once gain nothing: one page is prepared while its lines are read. */
const MOST_LANES = 4;

/** The models and what runs them, fetched unless they are here. Throws with the reason where they cannot be had. */
export async function ocrSetup(mode: OcrSetup['mode'], options: PullOptions): Promise<OcrSetup> {
  const env = options.env ?? process.env;
  const folder = await pullModel(OCR_MODEL.name, options);
  const runtime = await loadableRuntime(options);
  const models = sha256(OCR_MODEL.files.map((file) => file.sha256).join('\n')).slice(0, 8);
  return {
    mode,
    model: OCR_MODEL.name,
    folder,
    runtime,
    cache: join(dirname(modelsFolder(env)), 'ocr', models),
    lanes: Math.min(MOST_LANES, availableParallelism()),
  };
}
