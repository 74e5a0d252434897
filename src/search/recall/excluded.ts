import type { Chunk } from '../../model/chunk.js';
import { titlesOf } from '../../model/indexed.js';
import type { Backend } from '../../store/backend.js';
import { analyze } from '../../text/analyze.js';
import { phraseSpans } from '../../text/phrase.js';
import { requiredTerms } from '../../text/query.js';
import type { Fused } from '../fuse.js';

/** Without the candidates that hold what the question excludes (`-word`, `-"some words"`), in any mode. */
export async function withoutExcluded(
  backend: Backend,
  candidates: readonly Fused[],
  excluded: readonly string[],
): Promise<readonly Fused[]> {
  let left = candidates;
  for (const phrase of excluded) {
    const holding = await holdersOf(backend, left, phrase);
    left = left.filter(({ id }) => !holding.has(id));
  }
  return left;
}

async function holdersOf(
  backend: Backend,
  candidates: readonly Fused[],
  phrase: string,
): Promise<ReadonlySet<string>> {
  const asked = { terms: [], k: Number.POSITIVE_INFINITY, kind: 'chunk', scorer: 'bm25' } as const;
  const known = new Set(
    (await backend.words.match({ ...asked, required: requiredTerms(phrase) })).map(({ id }) => id),
  );
  const suspects = candidates.filter(({ id }) => known.has(id)).map(({ id }) => id);
  // The index knows words; whether several stand together, only the text says.
  if (analyze(phrase).filter(({ kind }) => kind === 'word' || kind === 'pair').length <= 1)
    return new Set(suspects);
  const chunks = await backend.chunksById(suspects);
  return new Set(chunks.filter((chunk) => holdsPhrase(chunk, phrase)).map(({ id }) => id));
}

/** Whether the phrase stands in a passage or in the titles above it. */
export const holdsPhrase = (chunk: Chunk, phrase: string): boolean =>
  phraseSpans(phrase, chunk.content).length > 0 ||
  titlesOf(chunk).some((title) => phraseSpans(phrase, title).length > 0);
