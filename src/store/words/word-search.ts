import { BlockReader } from '../index/block.js';
import { DEFAULT_TITLE_WEIGHT, mergeTerms, planTerms } from '../index/scoring.js';
import type { LexicalMatch, LexicalQuery, TermCount, UnitKind, WeightedTerm } from '../lexical.js';
import { Accumulator } from './accumulator.js';
import { termKey } from './segment.js';
import { type Postings, unitedPostings } from './ways.js';
import type { WordIndex } from './word-index.js';

const KINDS: readonly UnitKind[] = ['chunk', 'document'];

/** Questions of the words, answered from an index in memory: term at a time, into arrays with a place for every unit. */
export class WordSearch {
  readonly #index: WordIndex;
  readonly #accumulator = new Accumulator();

  constructor(index: WordIndex) {
    this.#index = index;
  }

  /** `passes` says which slots of the unit table a filter lets through; null where there is none. */
  match(query: LexicalQuery, passes: ((slot: number) => boolean) | null): readonly LexicalMatch[] {
    const { kind, scorer, required = [], title_weight = DEFAULT_TITLE_WEIGHT } = query;
    const { table } = this.#index;
    const plain = (term: string) => this.#index.postings(termKey(kind, term));
    const holding = required.map(plain);
    if (query.k === 0 || holding.some(({ length }) => length === 0)) return [];
    const terms = mergeTerms(query.terms);
    const lists = new Map(terms.map((term) => [term.term, this.#united(term, query)]));
    const listOf = (term: string): Postings => lists.get(term) ?? plain(term);
    const df = terms.map(({ term }) => lists.get(term)!.length);
    const plan = planTerms(scorer, terms, df, table.stats(kind));
    const scores = this.#accumulator.start(table.size);
    if (holding.length > 0) {
      // Only units that hold all of them can match; they hold a term of the query too when one of them is such a term.
      scores.admit(holding, passes);
      const isTerm = required.some((term) => lists.has(term));
      if (query.any !== undefined) scores.keepOnly(query.any.map(listOf));
      else if (query.terms.length > 0 && !isTerm) scores.keepOnly([...lists.values()]);
    } else if (query.any !== undefined) {
      scores.admitAny(query.any.map(listOf), passes);
    }
    if (scorer === 'tfidf') {
      for (const { term, factor } of plan) scores.addTfidf(lists.get(term)!, factor, table.norms);
      return this.#ranked(scores.best(query.k, table, passes));
    }
    const saturations = table.saturations(kind, title_weight);
    // A contribution is less than its factor: when the k-th best has more than all factors to come, no newcomer counts.
    let ahead = plan.reduce((sum, { factor }) => sum + factor, 0);
    for (const { term, factor } of plan) {
      scores.addBm25(lists.get(term)!, factor, saturations, title_weight);
      ahead -= factor;
      if (scores.size > query.k) scores.closeAbove(ahead, query.k, passes);
    }
    return this.#ranked(scores.best(query.k, table, passes));
  }

  #united({ term, also }: WeightedTerm, { kind, scorer }: LexicalQuery): Postings {
    const listOf = (name: string) => this.#index.postings(termKey(kind, name));
    if (also === undefined) return listOf(term);
    const ways = also.map(({ terms, share }) => ({
      lists: terms.map(listOf),
      // A logarithm of a part would be below zero.
      share: scorer === 'tfidf' ? 1 : share,
    }));
    return unitedPostings(listOf(term), ways);
  }

  #ranked(best: readonly { slot: number; score: number }[]): readonly LexicalMatch[] {
    return best.map(({ slot, score }) => ({ id: this.#index.table.id(slot), score }));
  }

  termsWithPrefix(prefix: string, limit: number): readonly TermCount[] {
    // What segments count includes dead units: a bound, by which only the likely terms need counting.
    const bounds = this.#bounds(prefix);
    const found: TermCount[] = [];
    for (const [term, bound] of [...bounds].sort(([, a], [, b]) => b - a)) {
      if (found.length >= limit && bound < found[found.length - 1]!.df) break;
      const df = this.#frequency(term);
      if (df === 0) continue;
      found.push({ term, df });
      found.sort((a, b) => b.df - a.df || (a.term < b.term ? -1 : 1));
      if (found.length > limit) found.length = limit;
    }
    return found;
  }

  frequencies(terms: readonly string[]): { units: number; df: readonly number[] } {
    const { table } = this.#index;
    const units = table.stats('chunk').units + table.stats('document').units;
    return { units, df: terms.map((term) => this.#frequency(term)) };
  }

  /** Terms that start so, with how many units hold them, dead ones included. */
  #bounds(prefix: string): Map<string, number> {
    const bounds = new Map<string, number>();
    for (const kind of KINDS) {
      const key = termKey(kind, prefix);
      for (const { segment } of this.#index.segments) {
        for (const ordinal of this.#index.blocksWithPrefix(segment, key)) {
          const entries = new BlockReader(this.#index.block(segment, ordinal));
          while (entries.next()) {
            const term = entries.text();
            if (!term.startsWith(key)) continue;
            const plain = term.slice(1);
            bounds.set(plain, (bounds.get(plain) ?? 0) + entries.count);
          }
        }
      }
    }
    return bounds;
  }

  #frequency(term: string): number {
    return KINDS.reduce((sum, kind) => sum + this.#index.postings(termKey(kind, term)).length, 0);
  }
}

/** The keys whose lists answering needs. */
export const keysOfQuery = ({ kind, terms, required = [], any = [] }: LexicalQuery): string[] =>
  [...terms.flatMap(namesOf), ...required, ...any].map((term) => termKey(kind, term));

const namesOf = ({ term, also = [] }: WeightedTerm): string[] => [
  term,
  ...also.flatMap(({ terms }) => terms),
];

export const keysOfTerms = (terms: readonly string[]): string[] =>
  terms.flatMap((term) => KINDS.map((kind) => termKey(kind, term)));
