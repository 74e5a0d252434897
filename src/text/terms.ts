/**
 * Terms are interned: the same term is the same object, and counting a unit's words marks the object instead of
 * hashing a string for every word of every document (three times faster than a Map a unit).
 */
export interface Term {
  readonly text: string;
  /** The last unit that counted this term, and its place there. */
  unit: number;
  slot: number;
}

/** A large library's vocabulary; beyond it the tables start anew, so that memory stays bounded (about 50 MB). */
const MOST_TERMS = 300_000;

let terms = new Map<string, Term>();
/** As long as there are characters from the start: an array that grows by leaps becomes a slow table. */
const noChars = (): (Term | undefined)[] => new Array(0x10000);
let chars = noChars();
let pairs = new Map<number, Term>();
const cleared: (() => void)[] = [];

export function termFor(text: string): Term {
  let term = terms.get(text);
  if (term === undefined) {
    term = { text, unit: 0, slot: 0 };
    terms.set(text, term);
  }
  return term;
}

/** A dense character of one UTF-16 unit. */
export function charTerm(code: number): Term {
  chars[code] ??= termFor(String.fromCharCode(code));
  return chars[code];
}

/** Two dense characters of one UTF-16 unit each. */
export function pairTerm(first: number, second: number): Term {
  // A small integer, if negative: other numbers are objects, which take twice as long to look up.
  const key = (first << 16) | second;
  let term = pairs.get(key);
  if (term === undefined) {
    term = termFor(String.fromCharCode(first, second));
    pairs.set(key, term);
  }
  return term;
}

/** To be called between units only: a unit must meet each of its terms as one object. */
export function trimTerms(): void {
  if (terms.size < MOST_TERMS) return;
  terms = new Map();
  pairs = new Map();
  chars = noChars();
  for (const clear of cleared) clear();
}

/** Whoever keeps terms of their own drops them at the same moment. */
export const onTrim = (clear: () => void): void => {
  cleared.push(clear);
};
