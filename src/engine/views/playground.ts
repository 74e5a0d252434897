import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChunkingOptions, settingsOf } from '../../ingest/chunking.js';
import type { CutText } from '../../ingest/prepare/cut-text.js';
import { cutInWorker } from '../../ingest/prepare/prepare-pool.js';
import { StrataError } from '../../model/errors.js';
import { mintId } from '../../model/id.js';
import type { SearchAnswer, SearchMode } from '../../model/result.js';
import type { Library } from '../library.js';

// What a person tries out without a library: how a text would be cut, what is near what, what would be found.

/** How a text would be cut. All of it in a worker process, as with all that comes from callers. */
export const cutText = (
  bytes: Uint8Array,
  { name, ...chunking }: ChunkingOptions & { readonly name: string },
): Promise<CutText> => cutInWorker({ bytes, name }, settingsOf(chunking));

export interface Similarity {
  readonly model: string;
  /** One row per text: how near it is to each, −1 to 1. */
  readonly matrix: readonly (readonly number[])[];
}

/** Cosines of the texts' vectors, by the library's model. */
export async function similarityOf(
  library: Library,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Similarity> {
  const embedder = await library.embedder();
  if (embedder === null) {
    const { vectors } = await library.status();
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      `there is no embedding model here: ${vectors.reason ?? '`strata embed` fetches it'}`,
    );
  }
  const vectors = await embedder.embed(texts, 'passage', signal);
  const lengths = vectors.map((vector) => Math.sqrt(dot(vector, vector)) || 1);
  const cosine = (a: number, b: number): number =>
    Math.round((dot(vectors[a]!, vectors[b]!) / (lengths[a]! * lengths[b]!)) * 1000) / 1000;
  return {
    model: embedder.id,
    matrix: texts.map((_, row) => texts.map((_other, column) => cosine(row, column))),
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/** A question asked of one text alone, in a library that lives in memory for as long. */
export async function searchInText(
  library: Library,
  asked: ChunkingOptions & {
    readonly text: string;
    readonly question: string;
    readonly mode?: SearchMode | undefined;
  },
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const { text, question, mode, ...chunking } = asked;
  const { openLibrary } = await import('../open.js');
  const embedder = mode === 'keyword' || mode === 'tfidf' ? null : await library.embedder();
  // The model is the library's, and stays open when this one closes.
  const lent = embedder === null ? 'none' : { ...unbound(embedder), close: async () => {} };
  // A place where no library is, and none will be: it lives in memory.
  const nowhere = join(tmpdir(), `strata-playground-${mintId()}`);
  const own = await openLibrary({ library: nowhere, store: 'memory', embedder: lent, guarded: true });
  try {
    await own.addText({ title: 'Playground', text }, { ...chunking, signal, embed: embedder !== null });
    return await own.search(question, { mode, explain: true, context: 'none', limit: 1, signal });
  } finally {
    await own.close();
  }
}

/** An embedder's methods may use `this`. */
function unbound(embedder: NonNullable<Awaited<ReturnType<Library['embedder']>>>) {
  const { id, dimensions, fingerprint } = embedder;
  return {
    ...{ id, dimensions, fingerprint },
    embed: embedder.embed.bind(embedder),
    ...(embedder.embedPassages && { embedPassages: embedder.embedPassages.bind(embedder) }),
  };
}
