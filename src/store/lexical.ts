import type { Filter } from './filter.js';

/**
 * LexicalIndex: which chunks (and documents) hold these words?
 *
 * Analysis happens before, in `text/`, once for all drivers: an index sees terms and counts only. A *unit* is
 * what can be found: a chunk, or a document by its own title and summary. Promises:
 *  - the index changes in the same atomic step as the records (see Backend.commit);
 *  - scores are exact for what is live now: document frequencies and mean lengths count no deleted unit;
 *  - a unit matches when it holds all `required` terms and one of `any` (unless given: of `terms`, when there are any),
 *    whatever its score; statistics are those of the queried kind, whatever the filter;
 *  - equal scores are ordered by id, so the same library gives the same answer in every driver.
 */
export interface LexicalIndex {
  match(query: LexicalQuery): Promise<readonly LexicalMatch[]>;
  /** Indexed terms that start with `prefix`, most frequent first, then by term; counted over both kinds. */
  termsWithPrefix(prefix: string, limit: number): Promise<readonly TermCount[]>;
  /** How many live units of both kinds hold each term (0 when unknown), and how many units there are in all. */
  frequencies(terms: readonly string[]): Promise<{ readonly units: number; readonly df: readonly number[] }>;
}

export type UnitKind = 'chunk' | 'document';

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
  /**
   * Other ways to say it: a unit that holds all terms of one of them holds the term, as often as the way that is said most.
   * A term's rarity is then that of all its ways together (Pirkola's structured queries).
   */
  readonly also?: readonly TermWay[];
}

export interface TermWay {
  readonly terms: readonly string[];
  /** What saying it once this way counts, above 0 and at most 1 (BM25; in TF-IDF every way counts 1). */
  readonly share: number;
}

export interface LexicalQuery {
  readonly terms: readonly WeightedTerm[];
  /** How many matches at most; Infinity for all. */
  readonly k: number;
  readonly kind: UnitKind;
  readonly scorer: 'bm25' | 'tfidf';
  /** What a word in the title path counts against one in the body (BM25; 1 unless given). */
  readonly title_weight?: number;
  /** Units must hold all of these (phrases, `--limit 0` of one word). */
  readonly required?: readonly string[];
  /** The terms that are a reason to match, where not all are: the others only add to a score. */
  readonly any?: readonly string[];
  readonly filter?: Filter;
}

export interface LexicalMatch {
  readonly id: string;
  readonly score: number;
}

export interface TermCount {
  readonly term: string;
  readonly df: number;
}
