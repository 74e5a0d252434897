import type { Chunk } from '../../model/chunk.js';
import type { Backend } from '../../store/backend.js';
import type { VectorIndex } from '../../store/vectors.js';
import type { Meaning } from '../recall/meaning.js';

/**
 * How near a question's best passage is, on a scale that means the same for every model, language and library: 0 for
 * a passage like any other of the library, 1 for one that says what the question says. A cosine alone means nothing:
 * of answers in one model and language it is .7, in others .3, and the noise of the one lies above the answers of the
 * other. The question's own background (the median over a sample of passages in its language) and its likeness to
 * itself are the two ends of the scale (docs/decisions/evidence.md).
 */
export interface Standing {
  readonly lift: number;
  /** The library has hardly a passage in the question's language: all that is near is near across languages. */
  readonly is_foreign: boolean;
  /** Below this score a passage is like any other: its meaning is no reason to show it. */
  readonly floor: number;
  /** What passages of the library that have nothing to do with the question score. */
  readonly background: readonly number[];
}

/**
 * What a passage's own lift must be to be shown for its meaning alone: on eight sets up to .3 would cost no answer among
 * the best ten. Across languages answers stand out less: there it is enough to be nearer than the median.
 */
const LEAST_LIFT = 0.15;

export async function standingOf(
  backend: Backend,
  { vector, fingerprint }: Meaning,
  question: string,
  best: { readonly id: string; readonly score: number } | undefined,
): Promise<Standing> {
  const { ids, is_foreign } = await sampleFor(backend, question);
  if (best === undefined) return { lift: 0, is_foreign, floor: 0, background: [] };
  const itself = vector.reduce((sum, value) => sum + value * value, 0);
  const others = ids.filter((id) => id !== best.id);
  const scores = [...(await backend.vectors.scores(others, { vector, fingerprint })).values()];
  const background = scores.length > 0 ? median(scores) : ALONE * itself;
  const scale = Math.max(0, itself - background);
  // Across languages some passages are near for the letters they share with the question: only what is nearer counts.
  const expected = is_foreign ? Math.min(best.score, Math.max(background, ...scores)) : background;
  return {
    lift: scale > 0 ? (best.score - expected) / scale : 0,
    is_foreign,
    floor: background + (is_foreign ? 0 : LEAST_LIFT * scale),
    background: scores,
  };
}

/** How near any two texts are in the default model, as a part of a text's likeness to itself; for a lone passage. */
const ALONE = 0.25;

/** Chunks of the library, and of each language as many as are compared: a hundred tell the median to ±.01. */
const SAMPLED = 300;
const COMPARED = 100;
/** A question is foreign to a library with a smaller part of passages in its language. */
const FOREIGN = 0.05;

interface Sample {
  readonly generation: number;
  readonly dense: readonly string[];
  readonly spaced: readonly string[];
}

const samples = new WeakMap<VectorIndex, Sample>();

async function sampleFor(
  backend: Backend,
  question: string,
): Promise<{ readonly ids: readonly string[]; readonly is_foreign: boolean }> {
  const generation = await backend.generation();
  let sample = samples.get(backend.vectors);
  if (sample?.generation !== generation) {
    const chunks = await backend.chunksById(await backend.vectors.sample(SAMPLED));
    const idsOf = (dense: boolean): string[] =>
      spread(chunks.filter(({ content }) => isDense(content) === dense));
    sample = { generation, dense: idsOf(true), spaced: idsOf(false) };
    samples.set(backend.vectors, sample);
  }
  const [own, other] = DENSE.test(question) ? [sample.dense, sample.spaced] : [sample.spaced, sample.dense];
  const is_foreign = own.length < FOREIGN * (own.length + other.length);
  return { ids: is_foreign ? [...own, ...other] : own, is_foreign };
}

/** The ids of COMPARED chunks, spread evenly over these. */
function spread(chunks: readonly Chunk[]): string[] {
  const step = Math.max(1, chunks.length / COMPARED);
  const count = Math.min(COMPARED, chunks.length);
  return Array.from({ length: count }, (_, place) => chunks[Math.floor(place * step)]!.id);
}

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const DENSE_CHARACTERS = new RegExp(DENSE, 'gu');

/** Written in Chinese, Japanese or Korean: a few names in it do not make a text English, nor the other way round. */
const isDense = (text: string): boolean => (text.match(DENSE_CHARACTERS)?.length ?? 0) > text.length * 0.2;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
