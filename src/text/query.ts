import { analyze, type Token } from './analyze.js';
import { foldWord } from './word.js';

/** A query as the index is asked: weighted terms, phrases to verify, and the word still being typed. */
export interface Query {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
  /** Every quoted phrase, without its quotes. */
  readonly phrases: readonly string[];
  /** Index terms that every match must hold: those of the phrases, and a short word's own. */
  readonly required: readonly string[];
  /** The unfinished last word, folded; null when there is none or prefix matching was not asked for. */
  readonly prefix: string | null;
  /** Terms worth marking in a passage: no single character of a longer Chinese word. */
  readonly marks: ReadonlySet<string>;
}

export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
}

/**
 * What each kind of term weighs. Pairs carry Chinese words; single characters help where segmentation and wording
 * differ. Chosen on the public sets: docs/decisions/ranking-words.md.
 */
const WEIGHTS: Readonly<Record<Token['kind'], number>> = {
  word: 1,
  whole: 1,
  part: 0.3,
  pair: 1,
  char: 0.3,
  stop: 0,
};

const QUOTED = /"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』/g;

export function parseQuery(text: string, options: { readonly prefix?: boolean } = {}): Query {
  const phrases: string[] = [];
  for (const [, ...groups] of text.matchAll(QUOTED)) {
    const phrase = groups.find((group) => group !== undefined)!.trim();
    if (analyze(phrase).length > 0) phrases.push(phrase);
  }
  const starred = /[\p{L}\p{N}]\*\s*$/u.test(text);
  const tokens = analyze(text);
  const prefix = starred || options.prefix ? lastWord(text.replace(/\*\s*$/, '')) : null;
  return {
    text,
    phrases,
    prefix,
    terms: weighTerms(tokens),
    required: [...new Set([...phrases.flatMap(requiredTerms), ...shortWord(tokens)])],
    marks: markedTerms(tokens),
  };
}

function weighTerms(tokens: readonly Token[]): QueryTerm[] {
  const onlyStops = tokens.every((token) => token.kind === 'stop');
  const weights = new Map<string, number>();
  for (const token of tokens) {
    const weight = onlyStops || isLoneChar(tokens, token) ? 1 : WEIGHTS[token.kind];
    if (weight > 0) weights.set(token.term, (weights.get(token.term) ?? 0) + weight);
  }
  return [...weights].map(([term, weight]) => ({ term, weight }));
}

/** A character with no dense neighbour is a word of its own. */
const isLoneChar = (tokens: readonly Token[], token: Token): boolean =>
  token.kind === 'char' &&
  !tokens.some((other) => other.kind === 'pair' && other.start <= token.start && token.end <= other.end);

function markedTerms(tokens: readonly Token[]): ReadonlySet<string> {
  const onlyStops = tokens.every((token) => token.kind === 'stop');
  const marked = tokens.filter(
    (token) => (token.kind !== 'stop' || onlyStops) && (token.kind !== 'char' || isLoneChar(tokens, token)),
  );
  return new Set(marked.map((token) => token.term));
}

/** A unit holds a phrase only if it holds the phrase's words and pairs; whether in that order, the text says. */
const requiredTerms = (phrase: string): string[] => {
  const tokens = analyze(phrase);
  return tokens
    .filter((token) => token.kind !== 'whole' && token.kind !== 'part')
    .filter((token) => token.kind !== 'char' || isLoneChar(tokens, token))
    .map((token) => token.term);
};

/** A query of one two-character word means that word, not its characters apart. */
function shortWord(tokens: readonly Token[]): string[] {
  const pairs = tokens.filter((token) => token.kind === 'pair');
  return pairs.length === 1 && tokens.length === 3 ? [pairs[0]!.term] : [];
}

function lastWord(text: string): string | null {
  const word = /[\p{L}\p{M}\p{N}]+$/u.exec(text)?.[0];
  const last = word && analyze(word).at(-1);
  return last && last.kind !== 'char' && last.kind !== 'pair' ? foldWord(word.normalize('NFKC')) : null;
}
