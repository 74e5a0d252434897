import { StrataError } from '../../model/errors.js';
import { badValue, unit } from '../local/pooling.js';
import { Refused } from './ask-service.js';

/** `texts.length` unit vectors of the right size, or EMBEDDER_FAILED: nothing wrong goes further. */
export function checkedVectors(
  service: string,
  vectors: readonly ArrayLike<number>[],
  texts: number,
  dimensions: number | null,
): Float32Array[] {
  const fail = (problem: string): StrataError =>
    new StrataError(
      'EMBEDDER_FAILED',
      `${service} gave a wrong answer: ${problem}. Nothing of it was stored.`,
    );
  if (vectors.length !== texts) throw fail(`${vectors.length} vectors for ${texts} texts`);
  return vectors.map((vector, at) => {
    const wanted = dimensions ?? vectors[0]!.length;
    if (vector.length === 0 || vector.length !== wanted) {
      throw fail(`vector ${at} has ${vector.length} dimensions instead of ${wanted}`);
    }
    const bad = badValue(vector);
    if (bad !== null) throw fail(`in vector ${at}, ${bad}`);
    const floats = unit(Float32Array.from(vector));
    if (!floats.some((value) => value !== 0)) throw fail(`vector ${at} is all zeros`);
    return floats;
  });
}

/** Run texts in batches of bounded count and size; a refused batch is halved until the text at fault stands alone. */
export async function inBatches(
  texts: readonly string[],
  limits: { readonly count: number; readonly units: number },
  embed: (batch: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; ) {
    let end = start + 1;
    let units = texts[start]!.length;
    while (end < texts.length && end - start < limits.count && units + texts[end]!.length <= limits.units) {
      units += texts[end]!.length;
      end++;
    }
    vectors.push(...(await halving(texts.slice(start, end), embed)));
    start = end;
  }
  return vectors;
}

async function halving(
  batch: readonly string[],
  embed: (batch: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<readonly Float32Array[]> {
  try {
    return await embed(batch);
  } catch (error) {
    if (!(error instanceof Refused) || batch.length === 1) throw error;
    const middle = batch.length >> 1;
    return [
      ...(await halving(batch.slice(0, middle), embed)),
      ...(await halving(batch.slice(middle), embed)),
    ];
  }
}
