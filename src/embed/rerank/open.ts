import { existsSync, statSync } from 'node:fs';
import { StrataError } from '../../model/errors.js';
import type { PullOptions } from '../models/pull.js';
import { withRuntime } from '../runtime/runtime.js';
import { localReranker } from './local.js';
import type { Reranker } from './reranker.js';
import { serviceReranker } from './service.js';
import type { RerankSpec } from './spec.js';

export interface OpenRerankerOptions extends PullOptions {
  log?(line: string): void;
}

/** The reranker that the user has named, ready to use; null for none. Throws with the reason and the next step. */
export async function openReranker(
  spec: RerankSpec,
  options: OpenRerankerOptions = {},
): Promise<Reranker | null> {
  if (spec.kind === 'none') return null;
  if (spec.kind === 'service') {
    const reranker = serviceReranker(spec, (options.env ?? process.env).STRATA_RERANK_KEY || undefined);
    options.log?.(`Questions and the best passages are sent to ${reranker.id} to be ranked.`);
    return reranker;
  }
  const { folder } = spec;
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new StrataError(
      'MODEL_INVALID',
      `There is no folder ${folder}: a local reranker is a folder with model.onnx and tokenizer.json.`,
    );
  }
  return withRuntime(options, (runtime) => localReranker(folder, runtime));
}
