import type { PassageVector } from '../model/passage-vector.js';
import type { Embedder } from './embedder.js';

/** Passages as this embedder reads them best: in parts where it can, else whole. */
export async function embedPassages(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly PassageVector[]> {
  if (embedder.embedPassages) return embedder.embedPassages(texts, signal);
  return (await embedder.embed(texts, 'passage', signal)).map((vector) => ({ vector }));
}

/** One run over the parts of all passages, which then belong together again. */
export async function embedInParts(
  passages: readonly (readonly string[])[],
  embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<readonly PassageVector[]> {
  const vectors = await embed(passages.flat());
  let at = 0;
  return passages.map(({ length }) => {
    const parts = vectors.slice(at, at + length);
    at += length;
    return parts.length === 1 ? { vector: parts[0]! } : { vector: together(parts), parts };
  });
}

/** Where the parts point together, as long as they are in the mean. */
function together(parts: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(parts[0]!.length);
  let lengths = 0;
  for (const part of parts) {
    for (let d = 0; d < sum.length; d++) sum[d] = sum[d]! + part[d]!;
    lengths += lengthOf(part);
  }
  const scale = lengths / parts.length / (lengthOf(sum) || 1);
  return sum.map((value) => value * scale);
}

const lengthOf = (vector: Float32Array): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
