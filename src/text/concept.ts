/**
 * Words of a question that may be said in several ways: as they stand, in another language, or as a glossary has it. It
 * counts as one word of the question, whichever of the ways a passage has.
 */
export interface Concept {
  /** Where it stands in the question. */
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly ways: readonly Way[];
}

export interface Way {
  readonly text: string;
  /** As they are indexed; a passage that holds all of them says it this way. */
  readonly terms: readonly string[];
  /** How sure it is that this is meant: 1 for certain. */
  readonly share: number;
}

/** A term of a query, and the other ways to say it. */
interface Term {
  readonly term: string;
  readonly also?: readonly Pick<Way, 'terms'>[];
}

/** Says which of some terms, in whatever way, have been met. */
export class HeldTerms {
  /** All that is worth looking for in a text. */
  readonly wanted: ReadonlySet<string>;
  readonly #ways = new Map<string, { readonly term: string; readonly terms: readonly string[] }[]>();
  #met = new Set<string>();
  #held = new Set<string>();

  constructor(terms: Iterable<Term>) {
    for (const { term, also = [] } of terms) {
      for (const way of [[term], ...also.map((one) => one.terms)]) {
        for (const name of way) {
          const known = this.#ways.get(name) ?? [];
          this.#ways.set(name, known);
          known.push({ term, terms: way });
        }
      }
    }
    this.wanted = new Set(this.#ways.keys());
  }

  /** Forgets what was met. */
  clear(): void {
    this.#met = new Set();
    this.#held = new Set();
  }

  /** The terms that are held now and were not before. */
  meet(name: string): readonly string[] {
    if (this.#met.has(name)) return NONE;
    this.#met.add(name);
    const fresh: string[] = [];
    for (const { term, terms } of this.#ways.get(name) ?? NONE_WAYS) {
      if (this.#held.has(term) || !terms.every((one) => this.#met.has(one))) continue;
      this.#held.add(term);
      fresh.push(term);
    }
    return fresh;
  }
}

const NONE: readonly string[] = [];
const NONE_WAYS: readonly never[] = [];
