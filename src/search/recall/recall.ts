import type { Embedder } from '../../embed/embedder.js';
import type { Reranker } from '../../embed/rerank/reranker.js';
import type { Staleness } from '../../model/brief.js';
import type { Document } from '../../model/document.js';
import { isStrataError, reasonOf, StrataError } from '../../model/errors.js';
import type { SearchMode } from '../../model/result.js';
import type { Backend } from '../../store/backend.js';
import type { WeightedTerm } from '../../store/lexical.js';
import type { Query } from '../../text/query.js';
import type { Glossary } from '../../text/translate/glossary.js';
import { wordsChannel } from '../balance.js';
import { alone, type Channel, type ScoredId } from '../fuse.js';
import { type Standing, standingOf } from '../judge/background.js';
import type { SearchRequest } from '../options.js';
import { TRIED, trustIn } from '../trust.js';
import { type DocumentIds, weigh } from '../weigh.js';
import { compared, type Meaning, merged, nearest } from './meaning.js';
import { embedOnDemand, ON_DEMAND_MS } from './on-demand.js';
import { queryVector } from './query-vector.js';
import { matchWords, questionCeiling, searchedTerms, termWorths } from './words.js';

/** What a search works on. */
export interface SearchParts {
  readonly backend: Backend;
  readonly embedder: Embedder | null;
  /** Why there is no embedder, where that is known. */
  readonly missing?: string;
  /** Reads the best again, where the user has named one; or why it cannot. */
  readonly reranker?: Reranker | { readonly missing: string };
  /** The user's own words for things. */
  readonly glossary?: Glossary;
  /** What is known of the library and belongs on every answer, such as what is damaged. */
  readonly notices?: () => Promise<readonly string[]>;
  /** Whether a document's file is still as it was added. */
  readonly staleness?: (document: Document) => Promise<Staleness>;
  /** How long a question may wait for vectors that are missing; 0 for not at all. */
  readonly on_demand_ms?: number;
}

export interface Recalled {
  /** The mode that was really used. */
  readonly mode: SearchMode;
  readonly channels: readonly Channel[];
  /** How the nearest passage stands out by meaning; null where that cannot be said. */
  readonly standing: Standing | null;
  /** Which documents the candidates belong to, where that is known by now. */
  readonly documentIds?: DocumentIds;
  readonly notices: readonly string[];
}

/** Stage one: the k best chunks by words, by meaning, or by both at once. */
export async function recall(
  parts: SearchParts,
  query: Query,
  request: SearchRequest,
  k: number,
): Promise<Recalled> {
  const { mode } = request;
  if (mode === 'keyword' || mode === 'tfidf') return byWords(parts, query, request, k);
  const coverage = await coverageOf(parts);
  if ('missing' in coverage) {
    if (mode === 'vector') {
      throw new StrataError('EMBEDDER_UNAVAILABLE', `Cannot search by meaning: ${coverage.missing}.`);
    }
    return byWordsOnly(parts, query, request, k, coverage.missing);
  }
  if (mode === 'vector') return byMeaning(parts, coverage, request, k);
  return byBoth(parts, coverage, query, request, k);
}

async function byWords(
  { backend }: SearchParts,
  query: Query,
  request: SearchRequest,
  k: number,
): Promise<Recalled> {
  const terms = await searchedTerms(backend, query);
  const matches = await matchWords(backend, terms, query, request, k);
  const channel =
    request.mode === 'tfidf'
      ? alone('tfidf', matches)
      : wordsChannel(matches, questionCeiling(await termWorths(backend, terms), query));
  return { mode: request.mode, channels: [channel], standing: null, notices: [] };
}

async function byWordsOnly(
  parts: SearchParts,
  query: Query,
  request: SearchRequest,
  k: number,
  missing: string,
): Promise<Recalled> {
  const found = await byWords(parts, query, { ...request, mode: 'keyword' }, k);
  return { ...found, notices: [wordsOnlyNotice(missing)] };
}

const wordsOnlyNotice = (why: string): string => `Searched by words only: ${why.replace(/\.$/, '')}.`;

async function byMeaning(
  { backend }: SearchParts,
  coverage: Coverage,
  request: SearchRequest,
  k: number,
): Promise<Recalled> {
  if (coverage.embedded === 0) {
    throw new StrataError(
      'EMBEDDER_UNAVAILABLE',
      'Cannot search by meaning: the library has no vectors yet.',
    );
  }
  const meaning = await meaningOf(coverage, request);
  const matches = await nearest(backend, meaning, request, k);
  const standing = await standingOf(backend, meaning, request.query, matches[0]);
  return {
    mode: 'vector',
    channels: [alone('meaning', matches)],
    standing,
    notices: coverageNotice(coverage, 0),
  };
}

async function byBoth(
  parts: SearchParts,
  coverage: Coverage,
  query: Query,
  request: SearchRequest,
  k: number,
): Promise<Recalled> {
  const { backend } = parts;
  const { embedder, embedded } = coverage;
  const [found, meant] = await Promise.all([
    findWords(backend, query, request, k).then(succeeded, failed),
    findMeaning(backend, coverage, request, k).then(succeeded, failed),
  ]);
  if ('error' in found) throw found.error;
  const { words, terms, worths } = found.value;
  if ('error' in meant) {
    if (isStrataError(meant.error, 'ABORTED')) throw meant.error;
    return onlyWords(words, questionCeiling(worths, query), wordsOnlyNotice(reasonOf(meant.error)));
  }
  const { meaning: asked } = meant.value;
  // An unfinished word is a demand: meaning orders what it finds, and adds nothing.
  const near = query.prefix === null ? meant.value.near : within(meant.value.near, words);
  const { vector } = asked;
  const others = without(words, near);
  const known = embedded === 0 ? [] : await compared(backend, asked, others);
  const unknown = coverage.embedded < coverage.chunks ? without(words, [...near, ...known]) : [];
  const budget_ms = parts.on_demand_ms ?? ON_DEMAND_MS;
  const fresh =
    unknown.length === 0 || budget_ms <= 0
      ? []
      : await embedOnDemand(unknown, { backend, embedder, vector, budget_ms, signal: request.signal });
  const meaning = merged(near, known, fresh);
  if (meaning.length === 0 && embedded === 0) {
    const none = wordsOnlyNotice('the library has no vectors yet (`strata embed` makes them)');
    return onlyWords(words, questionCeiling(worths, query), none);
  }
  const isCovered = embedded + fresh.length >= COVERED * coverage.chunks;
  const standing = isCovered ? await standingOf(backend, asked, request.query, meaning[0]) : null;
  const shared = await sharers(backend, query, terms, request, { words, meaning, asked });
  const trust = trustIn(shared.meaning, shared.words, standing?.background ?? []);
  const weighed = await weigh(backend, words, meaning, terms, worths, trust);
  return { mode: 'hybrid', ...weighed, standing, notices: coverageNotice(coverage, fresh.length) };
}

interface Found {
  readonly words: readonly ScoredId[];
  readonly meaning: readonly ScoredId[];
}

/**
 * The passages that share the question's words, by which vectors are tried. Inside a few documents all passages may be
 * alike, so there it is the library's, as far as the caller may know of it.
 */
async function sharers(
  backend: Backend,
  query: Query,
  terms: readonly WeightedTerm[],
  request: SearchRequest,
  { words, meaning, asked }: Found & { readonly asked: Meaning },
): Promise<Found> {
  if (request.filter?.doc_ids === undefined) return { words, meaning };
  const { doc_ids: _, ...filter } = request.filter;
  const all = await matchWords(backend, terms, query, { ...request, filter }, TRIED);
  return {
    words: all,
    meaning: await compared(
      backend,
      asked,
      all.map(({ id }) => id),
    ),
  };
}

/** With vectors of fewer passages, the nearest may be among those that have none. */
const COVERED = 0.9;

const onlyWords = (words: readonly ScoredId[], ceiling: number, notice: string): Recalled => ({
  mode: 'keyword',
  channels: [wordsChannel(words, ceiling)],
  standing: null,
  notices: [notice],
});

async function findWords(backend: Backend, query: Query, request: SearchRequest, k: number) {
  const terms = await searchedTerms(backend, query);
  const [words, worths] = await Promise.all([
    matchWords(backend, terms, query, request, k),
    termWorths(backend, terms),
  ]);
  return { words, terms, worths };
}

async function findMeaning(backend: Backend, coverage: Coverage, request: SearchRequest, k: number) {
  const meaning = await meaningOf(coverage, request);
  return { meaning, near: coverage.embedded === 0 ? [] : await nearest(backend, meaning, request, k) };
}

async function meaningOf({ embedder }: Coverage, { query, signal }: SearchRequest): Promise<Meaning> {
  return { vector: await queryVector(embedder, query, signal), fingerprint: embedder.fingerprint };
}

// Both channels run to their end: neither one's failure may surface as an unhandled rejection.
const succeeded = <T>(value: T): { readonly value: T } => ({ value });
const failed = (error: unknown): { readonly error: unknown } => ({ error });

function without(matches: readonly ScoredId[], others: readonly ScoredId[]): string[] {
  const seen = new Set(others.map(({ id }) => id));
  return matches.filter(({ id }) => !seen.has(id)).map(({ id }) => id);
}

function within(matches: readonly ScoredId[], others: readonly ScoredId[]): ScoredId[] {
  const allowed = new Set(others.map(({ id }) => id));
  return matches.filter(({ id }) => allowed.has(id));
}

interface Coverage {
  readonly embedder: Embedder;
  readonly chunks: number;
  readonly embedded: number;
}

/** How many chunks have a vector this embedder can be compared with, or why none can be. */
async function coverageOf({
  backend,
  embedder,
  missing,
}: SearchParts): Promise<Coverage | { missing: string }> {
  if (!embedder) return { missing: missing ?? 'no embedding model is set up' };
  const { active, chunks, embedded } = await backend.vectors.state();
  if (active !== null && active !== embedder.fingerprint) {
    return { missing: 'the vectors are of another embedding model (rebuild to use this one)' };
  }
  return { embedder, chunks, embedded: active === null ? 0 : (embedded[active] ?? 0) };
}

function coverageNotice({ chunks, embedded }: Coverage, fresh: number): string[] {
  const covered = embedded + fresh;
  if (covered >= chunks) return [];
  const share = Math.floor((100 * covered) / chunks);
  const now = fresh > 0 ? ` (${fresh} of them made for this question)` : '';
  return [`Vectors cover ${share} % of the chunks so far${now}; \`strata embed\` makes the rest.`];
}
