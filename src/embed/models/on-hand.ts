import { existsSync } from 'node:fs';
import { isRuntimeHere } from '../runtime/runtime.js';
import type { EmbedderSpec } from '../spec.js';
import { DEFAULT_PAIR } from './manifest.js';
import { isPresent, modelEntry } from './models.js';

/** Whether an embedder can be opened with what is on this machine: nothing fetched, nothing sent. */
export function isOnHand(spec: EmbedderSpec, env: NodeJS.ProcessEnv = process.env): boolean {
  if (spec.kind !== 'local' || !isRuntimeHere(env)) return false;
  if (spec.model !== undefined && existsSync(spec.model)) return true;
  const names = spec.model === undefined ? DEFAULT_PAIR : [spec.model];
  try {
    return names.every((name) => isPresent(modelEntry(name), env));
  } catch {
    // A hub id, or no model at all.
    return false;
  }
}
