import type { Embedder } from '../../embed/embedder.js';
import { embedPassages } from '../../embed/passages.js';
import type { Chunk } from '../../model/chunk.js';
import { isStrataError } from '../../model/errors.js';
import { embedKey, indexedBody, indexedPrefix } from '../../model/indexed.js';
import type { PassageVector } from '../../model/passage-vector.js';
import type { Backend } from '../../store/backend.js';
import { quantisePassage, similarity } from '../../store/index/quantise.js';
import type { ScoredId } from '../fuse.js';

/**
 * While vectors are missing, the best candidates by words are embedded for the question at hand, and their vectors
 * kept for good: a new library answers by meaning at once, and better with every question (docs/decisions/hybrid.md).
 */
export const ON_DEMAND_MS = 1_000;

/** One text a worker thread: small steps, so that the budget is kept. */
const STEP = 2;
/** Beyond the first fifty nothing was gained. */
const MOST = 50;

export interface OnDemand {
  readonly backend: Backend;
  readonly embedder: Embedder;
  readonly vector: Float32Array;
  readonly budget_ms: number;
  readonly signal: AbortSignal | undefined;
}

/** Embeds these chunks, best first, until the budget is spent. A model that fails leaves the rest to words. */
export async function embedOnDemand(ids: readonly string[], demand: OnDemand): Promise<ScoredId[]> {
  const { backend, embedder, vector, budget_ms, signal } = demand;
  const end = performance.now() + budget_ms;
  const chunks = await backend.chunksById(ids.slice(0, MOST));
  const done: Embedded[] = [];
  let longest = 0;
  for (let at = 0; at < chunks.length && performance.now() + longest < end; at += STEP) {
    const started = performance.now();
    const step = chunks.slice(at, at + STEP);
    const vectors = await embedPassages(embedder, step.map(textOf), signal).catch(giveUpUnlessAborted);
    if (!vectors) break;
    for (const [index, chunk] of step.entries()) done.push({ chunk, passage: vectors[index]! });
    longest = Math.max(longest, performance.now() - started);
  }
  await keep(demand, done);
  // They are scored as the store will score them from now on.
  return done.map(({ chunk, passage }) => ({
    id: chunk.id,
    score: similarity(vector, quantisePassage(passage)),
  }));
}

interface Embedded {
  readonly chunk: Chunk;
  readonly passage: PassageVector;
}

const textOf = (chunk: Chunk): string => indexedPrefix(chunk) + indexedBody(chunk);

function giveUpUnlessAborted(error: unknown): null {
  if (isStrataError(error, 'ABORTED')) throw error;
  return null;
}

/** How long an answer waits for its vectors to be written; another writer may hold the library for longer. */
const KEEP_MS = 50;

async function keep({ backend, embedder }: OnDemand, done: readonly Embedded[]): Promise<void> {
  if (done.length === 0) return;
  const entries = done.map(({ chunk, passage }) => ({ embed_key: embedKey(chunk), ...passage }));
  const { fingerprint, dimensions } = embedder;
  // Another model may have taken over meanwhile: these vectors would come too late, and stay unused.
  const { active } = await backend.vectors.state();
  if (active !== null && active !== fingerprint) return;
  // A library that cannot be written now loses a little speed, no answer.
  const kept = backend.vectors.put({ fingerprint, dimensions, entries }).catch(() => {});
  await Promise.race([kept, new Promise((resolve) => setTimeout(resolve, KEEP_MS).unref())]);
}
