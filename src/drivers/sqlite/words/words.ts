import type { LexicalIndex, LexicalMatch, LexicalQuery, TermCount } from '../../../store/lexical.js';
import { validateQuery } from '../../../store/validate.js';
import type { UnitFilters } from '../../../store/words/unit-filters.js';
import { WordSearch } from '../../../store/words/word-search.js';
import type { Connection } from '../connection.js';
import type { IndexCache } from './index-cache.js';

export class SqliteWords implements LexicalIndex {
  readonly #connection: Connection;
  readonly #cache: IndexCache;
  readonly #filters: UnitFilters;
  readonly #search: WordSearch;

  constructor(connection: Connection, cache: IndexCache, filters: UnitFilters) {
    this.#connection = connection;
    this.#cache = cache;
    this.#filters = filters;
    this.#search = new WordSearch(cache.index);
  }

  async match(query: LexicalQuery): Promise<readonly LexicalMatch[]> {
    validateQuery(query);
    return this.#read(() => this.#search.match(query, this.#filters.slots(query.filter)));
  }

  async termsWithPrefix(prefix: string, limit: number): Promise<readonly TermCount[]> {
    return this.#read(() => this.#search.termsWithPrefix(prefix, limit));
  }

  async frequencies(terms: readonly string[]): Promise<{ units: number; df: readonly number[] }> {
    return this.#read(() => this.#search.frequencies(terms));
  }

  #read<T>(answer: () => T): T {
    return this.#connection.read(() => {
      this.#cache.sync();
      return answer();
    });
  }
}
