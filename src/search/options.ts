import { StrataError } from '../model/errors.js';
import { SEARCH_MODES, type SearchMode } from '../model/result.js';
import type { Filter } from '../store/filter.js';
import { splitExclusions } from '../text/exclusions.js';
import { checkFilter } from './judge/filter-notices.js';

export interface SearchOptions {
  readonly query: string;
  /** `hybrid` where there is an embedder, and words alone where there is none. */
  readonly mode?: SearchMode;
  /** How many documents at most (10); 0 for all. */
  readonly limit?: number;
  readonly filter?: Filter;
  /** What to load around a matched chunk: its neighbours (the default), the whole document, nothing. */
  readonly context?: SearchContext;
  /** Show each channel's rank, score and weight. */
  readonly explain?: boolean;
  /** The last word may be unfinished. A `*` behind it says the same. */
  readonly prefix?: boolean;
  /** How many chunks of one document at most (3); 0 for all that were found. */
  readonly chunks_per_document?: number;
  /** Only passages that score at least this much, 0 to 1. */
  readonly min_score?: number;
  readonly signal?: AbortSignal;
}

export const SEARCH_CONTEXTS = ['neighbours', 'document', 'none'] as const;
export type SearchContext = (typeof SEARCH_CONTEXTS)[number];

/** The options with their defaults, checked. */
export interface SearchRequest {
  /** Without what it excludes. */
  readonly query: string;
  /** The whole query as it was asked, with what it excludes. */
  readonly written: string;
  /** Words and phrases that no match may hold: `-nginx`, `-"some words"`. */
  readonly excluded: readonly string[];
  readonly mode: SearchMode;
  /** Infinity for all. */
  readonly limit: number;
  readonly filter: Filter | undefined;
  readonly context: SearchContext;
  readonly explain: boolean;
  readonly prefix: boolean;
  readonly chunksPerDocument: number;
  readonly minScore: number;
  readonly signal: AbortSignal | undefined;
}

const DEFAULT_LIMIT = 10;
/** Enough to see that a document has several places, without drowning the next document. */
const DEFAULT_CHUNKS_PER_DOCUMENT = 3;
/** Longer than any question; a whole document pasted as a query is cut, not refused. */
const MAX_QUERY = 4_000;

export function checkOptions(options: SearchOptions): SearchRequest {
  const { query, mode = 'hybrid', context = 'neighbours' } = options;
  if (typeof query !== 'string' || query.trim() === '') {
    throw new StrataError('INVALID_ARGUMENT', 'The query is empty: give some words or a question.');
  }
  if (!SEARCH_MODES.includes(mode)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `mode "${mode}" is unknown: use one of ${SEARCH_MODES.join(', ')}.`,
    );
  }
  if (!SEARCH_CONTEXTS.includes(context)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `context "${context}" is unknown: use one of ${SEARCH_CONTEXTS.join(', ')}.`,
    );
  }
  const { min_score = 0 } = options;
  if (!(min_score >= 0 && min_score <= 1)) {
    throw new StrataError('INVALID_ARGUMENT', `min_score must be from 0 to 1; it is ${min_score}.`);
  }
  checkFilter(options.filter);
  const written = query.slice(0, MAX_QUERY);
  const { text, excluded } = splitExclusions(written);
  return {
    query: text,
    written,
    excluded,
    mode,
    limit: countOf('limit', options.limit, DEFAULT_LIMIT),
    filter: options.filter,
    context,
    explain: options.explain ?? false,
    prefix: options.prefix ?? false,
    chunksPerDocument: countOf(
      'chunks_per_document',
      options.chunks_per_document,
      options.limit === 0 ? 0 : DEFAULT_CHUNKS_PER_DOCUMENT,
    ),
    minScore: min_score,
    signal: options.signal,
  };
}

function countOf(name: string, value: number | undefined, fallback: number): number {
  const count = value ?? fallback;
  if (!Number.isInteger(count) || count < 0) {
    throw new StrataError('INVALID_ARGUMENT', `${name} must be a whole number from 0 (all); it is ${count}.`);
  }
  return count === 0 ? Number.POSITIVE_INFINITY : count;
}
