import type { Embedder } from '../../embed/embedder.js';

/** The same question is often asked again (another filter, another mode, the next page): its vector is kept. */
const KEPT = 256;
const cache = new WeakMap<Embedder, Map<string, Float32Array>>();

export async function queryVector(
  embedder: Embedder,
  text: string,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const kept = cache.get(embedder) ?? new Map<string, Float32Array>();
  cache.set(embedder, kept);
  const known = kept.get(text);
  if (known) {
    // Last used, last dropped.
    kept.delete(text);
    kept.set(text, known);
    return known;
  }
  const [vector] = await embedder.embed([text], 'query', signal);
  kept.set(text, vector!);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return vector!;
}
