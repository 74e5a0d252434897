import { BlockReader } from '../../../store/index/block.js';
import { byCodePoint } from '../../../store/index/order.js';
import { DEFAULT_TITLE_WEIGHT, mergeTerms, planTerms } from '../../../store/index/scoring.js';
import type { LexicalIndex, LexicalMatch, LexicalQuery, TermCount } from '../../../store/lexical.js';
import { validateQuery } from '../../../store/validate.js';
import type { Connection } from '../connection.js';
import type { Filters } from '../filters.js';
import { Accumulator } from './accumulator.js';
import type { IndexCache } from './index-cache.js';
import { blockFor, termKey } from './segments.js';

/** Term at a time over the segments, into flat arrays with a place for every unit. */
export class SqliteWords implements LexicalIndex {
  readonly #connection: Connection;
  readonly #index: IndexCache;
  readonly #filters: Filters;
  readonly #accumulator = new Accumulator();

  constructor(connection: Connection, index: IndexCache, filters: Filters) {
    this.#connection = connection;
    this.#index = index;
    this.#filters = filters;
  }

  async match(query: LexicalQuery): Promise<readonly LexicalMatch[]> {
    validateQuery(query);
    return this.#connection.read(() => {
      this.#index.sync();
      return this.#match(query);
    });
  }

  #match(query: LexicalQuery): readonly LexicalMatch[] {
    const { kind, scorer, required = [], title_weight = DEFAULT_TITLE_WEIGHT } = query;
    const { table } = this.#index;
    const listOf = (term: string) => this.#index.postings(termKey(kind, term));
    const holding = required.map(listOf);
    if (query.k === 0 || holding.some(({ length }) => length === 0)) return [];
    const terms = mergeTerms(query.terms);
    const lists = new Map(terms.map(({ term }) => [term, listOf(term)]));
    const df = terms.map(({ term }) => lists.get(term)!.length);
    const plan = planTerms(scorer, terms, df, table.stats(kind));
    const passes = this.#filters.slots(query.filter);
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
    let isPruned = false;
    for (const { term, factor } of plan) {
      scores.addBm25(lists.get(term)!, factor, saturations, title_weight);
      ahead -= factor;
      if (!isPruned && scores.size > query.k) isPruned = scores.closeAbove(ahead, query.k, passes);
    }
    return this.#ranked(scores.best(query.k, table, passes));
  }

  #ranked(best: readonly { slot: number; score: number }[]): readonly LexicalMatch[] {
    return best.map(({ slot, score }) => ({ id: this.#index.table.id(slot), score }));
  }

  async termsWithPrefix(prefix: string, limit: number): Promise<readonly TermCount[]> {
    return this.#connection.read(() => {
      this.#index.sync();
      // What segments count includes dead units: a bound, by which only the likely terms need counting.
      const bounds = new Map<string, number>();
      for (const kind of ['chunk', 'document'] as const) {
        for (const { segment } of this.#index.segments) this.#collect(segment, termKey(kind, prefix), bounds);
      }
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
    });
  }

  /** Terms of one segment whose key starts so, with how many units hold them, dead ones included. */
  #collect(segment: number, key: string, bounds: Map<string, number>): void {
    const directory = this.#index.directory(segment);
    for (let ordinal = Math.max(0, blockFor(directory, key)); ordinal < directory.length; ordinal++) {
      const first = directory[ordinal]!;
      if (byCodePoint(first, key) > 0 && !first.startsWith(key)) return;
      const entries = new BlockReader(this.#index.block(segment, ordinal));
      while (entries.next()) {
        const term = entries.text();
        if (!term.startsWith(key)) continue;
        const plain = term.slice(1);
        bounds.set(plain, (bounds.get(plain) ?? 0) + entries.count);
      }
    }
  }

  async frequencies(terms: readonly string[]): Promise<{ units: number; df: readonly number[] }> {
    return this.#connection.read(() => {
      this.#index.sync();
      const { table } = this.#index;
      const units = table.stats('chunk').units + table.stats('document').units;
      return { units, df: terms.map((term) => this.#frequency(term)) };
    });
  }

  #frequency(term: string): number {
    return (
      this.#index.postings(termKey('chunk', term)).length +
      this.#index.postings(termKey('document', term)).length
    );
  }
}
