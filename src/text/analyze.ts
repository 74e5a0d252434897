import { normalise } from './normalise.js';
import { CHAR, PAIR, PART, STOP, scanTokens, type TermKind, WHOLE, WORD } from './scan.js';
import { trimTerms } from './terms.js';

/** One term of a text and the span of the original text it stands for. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
  /** The term before stemming. */
  readonly surface: string;
}

export type TokenKind = 'word' | 'stop' | 'part' | 'whole' | 'char' | 'pair';

const KIND_NAMES: Readonly<Record<TermKind, TokenKind>> = {
  [WORD]: 'word',
  [STOP]: 'stop',
  [PART]: 'part',
  [WHOLE]: 'whole',
  [CHAR]: 'char',
  [PAIR]: 'pair',
};

/**
 * A text's terms with their offsets: the same for index, query and highlight. Words are folded (NFKC, case, accents)
 * and stemmed; dense scripts give characters and pairs, traditional Chinese as simplified; a compound or an
 * identifier gives its whole and its words, so spans of tokens may overlap.
 */
export function analyze(text: string): Token[] {
  const { text: normal, at } = normalise(text);
  const tokens: Token[] = [];
  trimTerms();
  scanTokens(normal, (kind, term, start, end, surface) => {
    tokens.push({
      term: term.text,
      start: at ? at[start]! : start,
      end: at ? endIn(at, end) : end,
      kind: KIND_NAMES[kind],
      surface,
    });
  });
  return tokens;
}

/**
 * Where these terms stand, and words that start with `prefix`: as `analyze` would give them, without a token for each
 * of the others.
 */
export function termSpans(
  text: string,
  wanted: ReadonlySet<string>,
  prefix: string | null,
): (readonly [start: number, end: number])[] {
  const spans: (readonly [number, number])[] = [];
  scanFor(text, wanted, (term, start, end, surface) => {
    if (wanted.has(term) || (prefix !== null && surface.startsWith(prefix))) spans.push([start, end]);
  });
  return spans;
}

/** Each of these terms where a text holds it, in the text's order. */
export function visitTerms(
  text: string,
  wanted: ReadonlySet<string>,
  visit: (term: string, start: number) => void,
): void {
  scanFor(text, wanted, (term, start) => {
    if (wanted.has(term)) visit(term, start);
  });
}

/** A text's words, and of its dense characters those that these terms are made of, with their places in the original. */
function scanFor(
  text: string,
  wanted: ReadonlySet<string>,
  visit: (term: string, start: number, end: number, surface: string) => void,
): void {
  const { text: normal, at } = normalise(text);
  trimTerms();
  scanTokens(
    normal,
    (_, { text: term }, start, end, surface) =>
      visit(term, at ? at[start]! : start, at ? endIn(at, end) : end, surface),
    codePointsOf(wanted),
  );
}

function codePointsOf(terms: ReadonlySet<string>): ReadonlySet<number> {
  const codes = new Set<number>();
  for (const term of terms) for (const char of term) codes.add(char.codePointAt(0)!);
  return codes;
}

/** Where the last unit's original ends: the next unit that stands elsewhere (½ becomes three units of one place). */
function endIn(at: Uint32Array, end: number): number {
  let next = end;
  while (next < at.length - 1 && at[next] === at[end - 1]) next++;
  return at[next]!;
}
