import type { ContentType } from '../../model/chunk.js';
import type { UnitWords } from '../../model/words.js';
import type { Filter } from '../filter.js';
import { byScore } from '../index/order.js';
import {
  bm25Contribution,
  bm25Saturation,
  type CollectionStats,
  type Counts,
  countsOfWay,
  DEFAULT_TITLE_WEIGHT,
  meanLength,
  mergeTerms,
  mostOf,
  type PlannedTerm,
  planTerms,
  tfidfContribution,
  unitNorm,
  weightedLength,
} from '../index/scoring.js';
import type {
  LexicalIndex,
  LexicalMatch,
  LexicalQuery,
  TermCount,
  UnitKind,
  WeightedTerm,
} from '../lexical.js';
import { validateQuery } from '../validate.js';

export interface MemoryUnit {
  readonly id: string;
  readonly kind: UnitKind;
  readonly doc_id: string;
  /** Of a chunk; null for a document. */
  readonly content_types: readonly ContentType[] | null;
  readonly words: UnitWords;
}

/** Which units a filter lets through; asked once per query. */
export type UnitFilter = (filter: Filter) => (unit: MemoryUnit) => boolean;

interface IndexedUnit extends MemoryUnit {
  readonly norm: number;
}

/** Where the term stands in the unit's own words: one number per posting, since a chunk has a hundred of them. */
type Place = number;

/** The plainest lexical index: a map of maps. The model for the others, and enough for a small library. */
export class MemoryWords implements LexicalIndex {
  readonly #units = new Map<string, IndexedUnit>();
  readonly #postings = { chunk: new Map(), document: new Map() } as Record<
    UnitKind,
    Map<string, Map<IndexedUnit, Place>>
  >;
  readonly #stats: Record<UnitKind, CollectionStats> = { chunk: EMPTY, document: EMPTY };
  readonly #unitFilter: UnitFilter;

  constructor(unitFilter: UnitFilter) {
    this.#unitFilter = unitFilter;
  }

  add(added: MemoryUnit): void {
    this.remove(added.id);
    const unit: IndexedUnit = { ...added, norm: unitNorm(added.words) };
    this.#units.set(unit.id, unit);
    this.#count(unit, 1);
    const postings = this.#postings[unit.kind];
    for (const [place, term] of unit.words.terms.entries()) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, new Map([[unit, place]]));
      else list.set(unit, place);
    }
  }

  remove(id: string): void {
    const unit = this.#units.get(id);
    if (unit === undefined) return;
    this.#units.delete(id);
    this.#count(unit, -1);
    const postings = this.#postings[unit.kind];
    for (const term of unit.words.terms) {
      const list = postings.get(term)!;
      list.delete(unit);
      if (list.size === 0) postings.delete(term);
    }
  }

  async match(query: LexicalQuery): Promise<readonly LexicalMatch[]> {
    validateQuery(query);
    const postings = this.#postings[query.kind];
    const required = (query.required ?? []).map((term) => postings.get(term));
    const terms = mergeTerms(query.terms);
    const said = new Map(terms.map((term) => [term.term, this.#said(term, query)]));
    const df = terms.map(({ term }) => said.get(term)!.size);
    const any = query.any?.map(
      (term) => said.get(term) ?? postings.get(term) ?? new Map<IndexedUnit, never>(),
    );
    const accepts = query.filter === undefined ? () => true : this.#unitFilter(query.filter);
    const passes = (unit: IndexedUnit) =>
      required.every((list) => list?.has(unit)) &&
      (any === undefined || any.some((list) => list.has(unit))) &&
      accepts(unit);

    const scores = new Map<IndexedUnit, number>();
    const unscored = any ?? (query.terms.length === 0 ? required.slice(0, 1) : []);
    for (const list of unscored) for (const unit of list?.keys() ?? []) if (passes(unit)) scores.set(unit, 0);
    const stats = this.#stats[query.kind];
    const contribution = contributionOf(query, stats);
    for (const planned of planTerms(query.scorer, terms, df, stats)) {
      for (const [unit, counts] of said.get(planned.term)!) {
        if (passes(unit)) scores.set(unit, (scores.get(unit) ?? 0) + contribution(planned, counts, unit));
      }
    }
    return [...scores]
      .map(([{ id }, score]) => ({ id, score }))
      .sort(byScore)
      .slice(0, query.k);
  }

  /** How often each unit says a term, in whichever way. */
  #said({ term, also = [] }: WeightedTerm, { kind, scorer }: LexicalQuery): Map<IndexedUnit, Counts> {
    const postings = this.#postings[kind];
    const said = new Map<IndexedUnit, Counts>();
    for (const { terms, share } of [{ terms: [term], share: 1 }, ...also]) {
      const [first, ...others] = terms.map((name) => postings.get(name));
      for (const unit of first?.keys() ?? []) {
        if (!others.every((list) => list?.has(unit))) continue;
        const found = terms.map((name) => countsIn(unit, postings.get(name)!.get(unit)!));
        const counts = countsOfWay(found, scorer === 'tfidf' ? 1 : share);
        const known = said.get(unit);
        said.set(unit, known === undefined ? counts : mostOf(known, counts));
      }
    }
    return said;
  }

  async termsWithPrefix(prefix: string, limit: number): Promise<readonly TermCount[]> {
    const terms = new Set([...this.#postings.chunk.keys(), ...this.#postings.document.keys()]);
    return [...terms]
      .filter((term) => term.startsWith(prefix))
      .map((term) => ({ term, df: this.#frequency(term) }))
      .sort((a, b) => b.df - a.df || (a.term < b.term ? -1 : 1))
      .slice(0, limit);
  }

  async frequencies(terms: readonly string[]): Promise<{ units: number; df: readonly number[] }> {
    return { units: this.#units.size, df: terms.map((term) => this.#frequency(term)) };
  }

  #frequency(term: string): number {
    return (this.#postings.chunk.get(term)?.size ?? 0) + (this.#postings.document.get(term)?.size ?? 0);
  }

  #count({ kind, words }: IndexedUnit, by: 1 | -1): void {
    const { units, body_length, title_length } = this.#stats[kind];
    this.#stats[kind] = {
      units: units + by,
      body_length: body_length + by * words.body_length,
      title_length: title_length + by * words.title_length,
    };
  }
}

const countsIn = ({ words }: IndexedUnit, place: Place): Counts => ({
  body: words.body[place]!,
  title: words.title[place]!,
});

const EMPTY: CollectionStats = { units: 0, body_length: 0, title_length: 0 };

function contributionOf(
  { scorer, title_weight = DEFAULT_TITLE_WEIGHT }: LexicalQuery,
  stats: CollectionStats,
): (term: PlannedTerm, counts: Counts, unit: IndexedUnit) => number {
  if (scorer === 'tfidf') {
    return ({ factor }, { body, title }, { norm }) => tfidfContribution(factor, body + title, norm);
  }
  const mean = meanLength(stats, title_weight);
  return ({ factor }, { body, title }, { words }) => {
    const length = weightedLength(words.body_length, words.title_length, title_weight);
    const tf = weightedLength(body, title, title_weight);
    return bm25Contribution(factor, tf, bm25Saturation(length, mean));
  };
}
