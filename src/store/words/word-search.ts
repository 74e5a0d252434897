import { BlockReader } from '../index/block.js';
import { DEFAULT_TITLE_WEIGHT, mergeTerms, planTerms } from '../index/scoring.js';
import type { LexicalMatch, LexicalQuery, TermCount, UnitKind, WeightedTerm } from '../lexical.js';
import { bm25Scorer, tfidfScorer } from './scorer.js';
import { termKey } from './segment.js';
import type { SlotList } from './slot-list.js';
import { unitedPostings } from './ways.js';
import { type Gate, type ScoredSlot, WindowScores } from './window-scores.js';
import type { WordIndex } from './word-index.js';

const KINDS: readonly UnitKind[] = ['chunk', 'document'];

/** Questions of the words, answered from an index in memory. */
export class WordSearch {
  readonly #index: WordIndex;
  readonly #scores = new WindowScores();

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
    const df = terms.map(({ term }) => lists.get(term)!.length);
    const plan = planTerms(scorer, terms, df, table.stats(kind));
    const how =
      scorer === 'tfidf'
        ? tfidfScorer(table.norms)
        : bm25Scorer(table.saturations(kind, title_weight), title_weight);
    const gates: Gate[] = holding.map((list) => [list]);
    if (query.any !== undefined) gates.push(query.any.map((term) => lists.get(term) ?? plain(term)));
    // What holds all required terms holds a term of the query, too, when one of them is such a term.
    else if (gates.length > 0 && terms.length > 0 && !required.some((term) => lists.has(term)))
      gates.push([...lists.values()]);
    const factored = plan.map(({ term, factor }) => ({ list: lists.get(term)!, factor }));
    return this.#ranked(this.#scores.best(query.k, factored, gates, how, table, passes));
  }

  #united({ term, also }: WeightedTerm, { kind, scorer }: LexicalQuery): SlotList {
    const listOf = (name: string) => this.#index.postings(termKey(kind, name));
    if (also === undefined) return listOf(term);
    const ways = also.map(({ terms, share }) => ({
      lists: terms.map(listOf),
      // A logarithm of a part would be below zero.
      share: scorer === 'tfidf' ? 1 : share,
    }));
    return unitedPostings(listOf(term), ways, this.#index.table.size);
  }

  #ranked(best: readonly ScoredSlot[]): readonly LexicalMatch[] {
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
    return KINDS.reduce((sum, kind) => sum + this.#index.frequency(termKey(kind, term)), 0);
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
