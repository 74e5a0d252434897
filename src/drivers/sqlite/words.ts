import { blockEntries } from '../../store/block.js';
import type { LexicalIndex, LexicalMatch, LexicalQuery, TermCount } from '../../store/lexical.js';
import type { PostingList } from '../../store/postings.js';
import { DEFAULT_TITLE_WEIGHT, mergeTerms, type PlannedTerm, planTerms } from '../../store/scoring.js';
import { validateQuery } from '../../store/validate.js';
import type { Connection } from './connection.js';
import type { Filters } from './filters.js';
import type { IndexCache } from './index-cache.js';
import { blockFor, termKey } from './segments.js';
import { Top } from './top.js';

/** Term at a time over the segments, into flat arrays with a place for every unit. */
export class SqliteWords implements LexicalIndex {
  readonly #connection: Connection;
  readonly #index: IndexCache;
  readonly #filters: Filters;
  /** A slot's score counts only when it is stamped with the current query: nothing has to be cleared. */
  #scores = new Float64Array(0);
  #stamps = new Uint32Array(0);
  #touched = new Uint32Array(0);
  #stamp = 0;

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
    const holding = required.map((term) => this.#index.postings(termKey(kind, term)));
    if (query.k === 0 || holding.some(({ length }) => length === 0)) return [];
    const terms = mergeTerms(query.terms);
    const lists = new Map(terms.map(({ term }) => [term, this.#index.postings(termKey(kind, term))]));
    const df = terms.map(({ term }) => lists.get(term)!.length);
    const plan = planTerms(scorer, terms, df, table.stats(kind));

    this.#begin();
    let touched = 0;
    if (query.terms.length === 0) {
      for (const slot of holding[0]?.units.subarray(0, holding[0].length) ?? [])
        touched = this.#add(slot, 0, touched);
    }
    const add =
      scorer === 'bm25' ? this.#addBm25(table.saturations(kind, title_weight), title_weight) : this.#addTfidf;
    for (const planned of plan) touched = add(planned, lists.get(planned.term)!, touched);

    const passes = this.#filters.slots(query.filter);
    const holds = this.#intersect(holding);
    const top = new Top(query.k, table);
    for (let i = 0; i < touched; i++) {
      const slot = this.#touched[i]!;
      const score = this.#scores[slot]!;
      if (score < top.threshold) continue;
      if (passes !== null && !passes(slot)) continue;
      if (holds !== null && !holds.has(slot)) continue;
      top.offer(slot, score);
    }
    return top.ranked().map(({ slot, score }) => ({ id: table.id(slot), score }));
  }

  /** Arrays for every slot, and a stamp of its own. */
  #begin(): void {
    const { size } = this.#index.table;
    if (this.#scores.length < size || this.#stamp === 0xffffffff) {
      this.#scores = new Float64Array(size);
      this.#stamps = new Uint32Array(size);
      this.#touched = new Uint32Array(size);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  #add(slot: number, score: number, touched: number): number {
    if (this.#stamps[slot] === this.#stamp) {
      this.#scores[slot]! += score;
      return touched;
    }
    this.#stamps[slot] = this.#stamp;
    this.#scores[slot] = score;
    this.#touched[touched] = slot;
    return touched + 1;
  }

  /** The same arithmetic as `bm25Contribution`, in one loop. */
  #addBm25(saturations: Float64Array, titleWeight: number) {
    const [scores, stamps, order, stamp] = [this.#scores, this.#stamps, this.#touched, this.#stamp];
    return ({ factor }: PlannedTerm, { units, body, title, length }: PostingList, before: number): number => {
      let touched = before;
      for (let i = 0; i < length; i++) {
        const slot = units[i]!;
        const tf = body[i]! + titleWeight * title[i]!;
        const score = (factor * tf) / (tf + saturations[slot]!);
        if (stamps[slot] === stamp) {
          scores[slot]! += score;
        } else {
          stamps[slot] = stamp;
          scores[slot] = score;
          order[touched++] = slot;
        }
      }
      return touched;
    };
  }

  /** The same arithmetic as `tfidfContribution`. */
  readonly #addTfidf = (
    { factor }: PlannedTerm,
    { units, body, title, length }: PostingList,
    before: number,
  ): number => {
    const { norms } = this.#index.table;
    let touched = before;
    for (let i = 0; i < length; i++) {
      const slot = units[i]!;
      const score = (factor * (1 + Math.log(body[i]! + title[i]!))) / norms[slot]!;
      touched = this.#add(slot, score, touched);
    }
    return touched;
  };

  /** Slots in all of the lists; null when there are no lists. */
  #intersect(lists: readonly PostingList[]): ReadonlySet<number> | null {
    if (lists.length === 0) return null;
    const [smallest, ...others] = [...lists].sort((a, b) => a.length - b.length);
    let slots = new Set(smallest!.units.subarray(0, smallest!.length));
    for (const { units, length } of others) {
      const both = new Set<number>();
      for (let i = 0; i < length; i++) if (slots.has(units[i]!)) both.add(units[i]!);
      slots = both;
    }
    return slots;
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
      if (first > key && !first.startsWith(key)) return;
      for (const { term, count } of blockEntries(this.#index.block(segment, ordinal))) {
        if (!term.startsWith(key)) continue;
        const plain = term.slice(1);
        bounds.set(plain, (bounds.get(plain) ?? 0) + count);
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
