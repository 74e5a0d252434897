import { analyze, type Token } from './analyze.js';
import type { Concept, Way } from './concept.js';
import { functionChars } from './lexicon/function-words.js';
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
  /** Terms that are a reason to find a passage, and worth marking in it: no single character of a longer Chinese word. */
  readonly evidence: ReadonlySet<string>;
  /** Its words are joined by words of a language: what is typed at random, or by mistake, seldom is. */
  readonly is_sentence: boolean;
  /** Words that are looked for in several ways: translated, or as a glossary has them. */
  readonly concepts: readonly Concept[];
}

export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** Other ways to say it, where it is a concept. */
  readonly also?: readonly Way[];
}

/**
 * What each kind of term weighs. Pairs carry Chinese words; single characters help where segmentation and wording
 * differ. Chosen on the public sets, as everything below: docs/decisions/ranking-words.md.
 */
const WEIGHTS: Readonly<Record<Token['kind'], number>> = {
  word: 1,
  whole: 0.5,
  part: 0.3,
  pair: 1,
  char: 0.7,
  stop: 0,
};

/** A pair of which one half is a function word (何起 in 如何起诉) is half an accident. */
const STRADDLING = 0.5;

/** A word said n times counts n to this power: in long questions repetition is emphasis, in short ones a habit. */
const REPETITION = 0.7;

// Standing free: quotes inside a sentence (什么是“善意取得”？) are the writer's emphasis, not a demand.
const QUOTED = /(?<=^|\s)(?:"([^"]+)"|“([^“”]+)”|「([^「」]+)」|『([^『』]+)』)(?=\s|$)/g;

/** Beside this much other text, quotes belong to a passage that someone pasted: they demand nothing. */
export const LONGEST_DEMAND = 150;

/** A whole question that quotes a name (`Who wrote the book behind "Act of War"?`) asks for more than the name. */
const QUESTION_MARK = /[?？]\s*$/;

export interface QueryOptions {
  /** The last word may be unfinished. */
  readonly prefix?: boolean;
  /** These take the place of the words they stand for. */
  readonly concepts?: readonly Concept[];
}

export function parseQuery(
  text: string,
  { prefix: isUnfinished = false, concepts = [] }: QueryOptions = {},
): Query {
  const phrases = demandedPhrases(text);
  const starred = /[\p{L}\p{N}]\*\s*$/u.test(text);
  const tokens = analyze(text);
  const plain = concepts.length === 0 ? tokens : contentBeside(concepts, tokens);
  const prefix = starred || isUnfinished ? lastWord(text.replace(/\*\s*$/, '')) : null;
  return {
    text,
    phrases,
    prefix,
    terms: [...weighTerms(plain), ...conceptTerms(concepts)],
    required: [...new Set([...phrases.flatMap(requiredTerms), ...shortWord(tokens)])],
    evidence: new Set([...evidenceTerms(plain), ...concepts.flatMap(namesOf)]),
    is_sentence: isSentence(tokens),
    concepts,
  };
}

/** What of a question no concept stands for; function words are nothing by themselves then. */
function contentBeside(concepts: readonly Concept[], tokens: readonly Token[]): Token[] {
  const joining = functionChars(tokens);
  const taken = placesOf(concepts);
  const isFree = (token: Token): boolean => countIn(token, taken) === 0;
  return tokens.filter((token) => isFree(token) && contentShare(token, joining) > 0);
}

type Stretch = { readonly start: number; readonly end: number };

/** Every place in these stretches of the query. A set, so that a long query is not compared with itself. */
function placesOf(stretches: readonly Stretch[]): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { start, end } of stretches) for (let at = start; at < end; at++) places.add(at);
  return places;
}

function countIn({ start, end }: Stretch, places: ReadonlySet<number>): number {
  let count = 0;
  for (let at = start; at < end; at++) if (places.has(at)) count++;
  return count;
}

/** A concept goes by the name of its first way: a term of the index where that is one word, else nobody's. */
const nameOf = ({ ways }: Concept): string => ways[0]!.terms.join(' ');
const namesOf = (concept: Concept): string[] => [
  nameOf(concept),
  ...concept.ways.flatMap(({ terms }) => terms),
];

function conceptTerms(concepts: readonly Concept[]): QueryTerm[] {
  const terms = new Map<string, { count: number; also: readonly Way[] }>();
  for (const concept of concepts) {
    const name = nameOf(concept);
    const count = (terms.get(name)?.count ?? 0) + 1;
    terms.set(name, { count, also: concept.ways.slice(concept.ways[0]!.terms.length === 1 ? 1 : 0) });
  }
  return [...terms].map(([term, { count, also }]) => ({ term, weight: count ** REPETITION, also }));
}

function demandedPhrases(text: string): string[] {
  const phrases: string[] = [];
  let beside = text.trim().length;
  let other = text;
  for (const [whole, ...groups] of text.matchAll(QUOTED)) {
    const phrase = groups.find((group) => group !== undefined)!.trim();
    if (analyze(phrase).length > 0) phrases.push(phrase);
    beside -= whole.length;
    other = other.replace(whole, ' ');
  }
  if (phrases.length === 0 || beside > LONGEST_DEMAND) return [];
  return QUESTION_MARK.test(other) && isSentence(analyze(other)) ? [] : phrases;
}

function weighTerms(tokens: readonly Token[]): QueryTerm[] {
  const counts = new Map<string, number>();
  const kinds = new Map<string, number>();
  const isLone = loneChars(tokens);
  for (const [token, share] of contentShares(tokens)) {
    if (share === 0) continue;
    counts.set(token.term, (counts.get(token.term) ?? 0) + share);
    kinds.set(token.term, isLone(token) ? 1 : WEIGHTS[token.kind] || 1);
  }
  return [...counts].map(([term, count]) => ({
    term,
    weight: kinds.get(term)! * (count > 1 ? count ** REPETITION : count),
  }));
}

/** How much of each token is content: nothing of a function word, unless the query has nothing else. */
function contentShares(tokens: readonly Token[]): (readonly [Token, number])[] {
  const faded = functionChars(tokens);
  const shares = tokens.map((token) => [token, contentShare(token, faded)] as const);
  return shares.some(([, share]) => share > 0) ? shares : tokens.map((token) => [token, 1]);
}

function contentShare(token: Token, faded: ReadonlySet<number>): number {
  if (token.kind === 'stop') return 0;
  if (token.kind === 'char') return faded.has(token.start) ? 0 : 1;
  if (token.kind !== 'pair') return 1;
  const halves = countIn(token, faded);
  return halves === 0 ? 1 : halves === 1 ? STRADDLING : 0;
}

/** A character with no dense neighbour is a word of its own. */
function loneChars(tokens: readonly Token[]): (token: Token) => boolean {
  const paired = placesOf(tokens.filter(({ kind }) => kind === 'pair'));
  return (token) => token.kind === 'char' && !paired.has(token.start);
}

/** Pairs that straddle a function word (何起 in 如何起诉) are evidence only of a question that has nothing better. */
function evidenceTerms(tokens: readonly Token[]): ReadonlySet<string> {
  const isLone = loneChars(tokens);
  const words = contentShares(tokens).filter(([token]) => token.kind !== 'char' || isLone(token));
  const whole = words.filter(([, share]) => share === 1);
  const best = whole.length > 0 ? whole : words.filter(([, share]) => share > 0);
  return new Set(best.map(([token]) => token.term));
}

/** One function word of English; of Chinese two characters, or one that begins or ends it (谁…, …吗). */
function isSentence(tokens: readonly Token[]): boolean {
  if (tokens.some(({ kind }) => kind === 'stop')) return true;
  const chars = tokens.filter(({ kind }) => kind === 'char');
  const joining = functionChars(tokens);
  return joining.size > 1 || [chars[0], chars.at(-1)].some((char) => char && joining.has(char.start));
}

/** A unit holds a phrase only if it holds the phrase's words and pairs; whether in that order, the text says. */
export const requiredTerms = (phrase: string): string[] => {
  const tokens = analyze(phrase);
  const isLone = loneChars(tokens);
  return tokens
    .filter((token) => token.kind !== 'whole' && token.kind !== 'part')
    .filter((token) => token.kind !== 'char' || isLone(token))
    .map((token) => token.term);
};

/** A query of one two-character word means that word, not its characters apart. */
function shortWord(tokens: readonly Token[]): string[] {
  const pairs = tokens.filter((token) => token.kind === 'pair');
  return pairs.length === 1 && tokens.length === 3 ? [pairs[0]!.term] : [];
}

function lastWord(text: string): string | null {
  const word = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]+$/u.exec(text)?.[0];
  const last = word && analyze(word).at(-1);
  return last && last.kind !== 'char' && last.kind !== 'pair' ? foldWord(word.normalize('NFKC')) : null;
}
