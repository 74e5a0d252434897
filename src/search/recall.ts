import type { Embedder } from '../embed/embedder.js';
import { isStrataError, reasonOf, StrataError } from '../model/errors.js';
import type { SearchMode } from '../model/result.js';
import type { Backend } from '../store/backend.js';
import type { WeightedTerm } from '../store/lexical.js';
import type { Query } from '../text/query.js';
import type { Channel } from './fuse.js';
import type { SearchRequest } from './options.js';
import { prefixTerms } from './prefix.js';
import { queryVector } from './query-vector.js';

/** What a search works on. */
export interface SearchParts {
  readonly backend: Backend;
  readonly embedder: Embedder | null;
  /** Why there is no embedder, where that is known. */
  readonly missing?: string;
}

export interface Recalled {
  /** The mode that was really used. */
  readonly mode: SearchMode;
  readonly channels: readonly Channel[];
  readonly notices: readonly string[];
}

/** What a word in the titles above a passage counts against one in it: docs/decisions/ranking-words.md. */
export const TITLE_WEIGHT = 2;

/** Half and half until the query says otherwise. */
const WORDS_WEIGHT = 0.5;

/** Stage one: the k best chunks by words, by meaning, or by both at once. */
export async function recall(
  parts: SearchParts,
  query: Query,
  request: SearchRequest,
  k: number,
): Promise<Recalled> {
  const { mode } = request;
  if (mode === 'keyword' || mode === 'tfidf') {
    return { mode, channels: [await byWords(parts, query, request, k)], notices: [] };
  }
  const state = await vectorState(parts);
  if ('missing' in state) {
    if (mode === 'vector')
      throw new StrataError('EMBEDDER_UNAVAILABLE', `Cannot search by meaning: ${state.missing}.`);
    return wordsOnly(parts, query, request, k, state.missing);
  }
  if (mode === 'vector') {
    return { mode, channels: [await byMeaning(parts, state.embedder, request, k)], notices: state.notices };
  }
  const [words, meaning] = await Promise.allSettled([
    byWords(parts, query, request, k),
    byMeaning(parts, state.embedder, request, k),
  ]);
  if (words.status === 'rejected') throw words.reason;
  if (meaning.status === 'rejected') {
    if (isStrataError(meaning.reason, 'ABORTED')) throw meaning.reason;
    return wordsOnly(parts, query, request, k, reasonOf(meaning.reason), words.value);
  }
  return {
    mode,
    channels: [
      { ...words.value, weight: WORDS_WEIGHT },
      { ...meaning.value, weight: 1 - WORDS_WEIGHT },
    ],
    notices: state.notices,
  };
}

async function wordsOnly(
  parts: SearchParts,
  query: Query,
  request: SearchRequest,
  k: number,
  missing: string,
  found?: Channel,
): Promise<Recalled> {
  const words = found ?? (await byWords(parts, query, request, k));
  return { mode: 'keyword', channels: [words], notices: [`Searched by words only: ${missing}.`] };
}

async function byWords(
  parts: SearchParts,
  query: Query,
  request: SearchRequest,
  k: number,
): Promise<Channel> {
  const scorer = request.mode === 'tfidf' ? 'tfidf' : 'bm25';
  const terms: WeightedTerm[] = [...query.terms];
  if (query.prefix !== null) terms.push(...(await prefixTerms(parts.backend.words, query.prefix)));
  const matches =
    terms.length === 0
      ? []
      : await parts.backend.words.match({
          terms,
          k,
          kind: 'chunk',
          scorer,
          title_weight: TITLE_WEIGHT,
          ...(query.required.length > 0 ? { required: query.required } : {}),
          ...(request.filter ? { filter: request.filter } : {}),
        });
  return { name: scorer === 'tfidf' ? 'tfidf' : 'words', weight: 1, matches };
}

async function byMeaning(
  parts: SearchParts,
  embedder: Embedder,
  request: SearchRequest,
  k: number,
): Promise<Channel> {
  const vector = await queryVector(embedder, request.query, request.signal);
  const matches = await parts.backend.vectors.near({
    vector,
    // Everything is near to some degree: "all matches" means all by words, and the nearest by meaning.
    k: Number.isFinite(k) ? k : NEAREST,
    ...(request.filter ? { filter: request.filter } : {}),
  });
  return { name: 'meaning', weight: 1, matches };
}

const NEAREST = 100;

type VectorsState =
  | { readonly missing: string }
  | { readonly embedder: Embedder; readonly notices: string[] };

/** Whether there are vectors this embedder can be compared with. */
async function vectorState({ backend, embedder, missing }: SearchParts): Promise<VectorsState> {
  if (!embedder) return { missing: missing ?? 'no embedding model is set up' };
  const { active, chunks, embedded } = await backend.vectors.state();
  if (active === null) return { missing: 'the library has no vectors yet' };
  if (active !== embedder.fingerprint) {
    return { missing: 'the vectors are of another embedding model (rebuild to use this one)' };
  }
  const covered = embedded[active] ?? 0;
  if (covered === 0) return { missing: 'the library has no vectors yet' };
  const share = Math.floor((100 * covered) / chunks);
  return { embedder, notices: covered < chunks ? [`Vectors cover ${share} % of the chunks so far.`] : [] };
}
