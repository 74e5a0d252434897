import { titlesOf } from '../../model/indexed.js';
import type { SearchAnswer } from '../../model/result.js';
import type { Backend } from '../../store/backend.js';
import { analyze, type Token, termSpans } from '../../text/analyze.js';
import type { Query } from '../../text/query.js';
import type { Ranking } from '../rank.js';
import { type Correction, correctCharacters } from './misspelt-characters.js';

/** What is said of an answer that is empty or weak: that it is weak, and what may have been meant. */
export async function doubtOf(
  backend: Backend,
  { query, weak, request }: Pick<Ranking, 'query' | 'weak' | 'request'>,
  shown: number,
): Promise<Pick<SearchAnswer, 'weak' | 'suggestion'>> {
  // The answer stands without it: a damaged index has been reported already.
  const suggestion =
    // The words of a library are not for those who may read a part of it.
    request.filter?.granted_tables === undefined
      ? await suggest(backend, query).catch(() => undefined)
      : undefined;
  return {
    ...(weak && shown > 0 ? { weak: true } : {}),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/**
 * The query with its unknown words replaced by the nearest ones of the library, as they are written there; undefined
 * when there is nothing better to offer.
 */
export async function suggest(backend: Backend, query: Query): Promise<string | undefined> {
  // What was translated is spelt as it should be.
  const isPlain = ({ start, end }: Token): boolean =>
    !query.concepts.some((concept) => start < concept.end && end > concept.start);
  const tokens = analyze(query.text).filter(isPlain);
  if (tokens.length > LONGEST_QUESTION) return undefined;
  const known = await knownTerms(backend, tokens);
  const corrections = [
    ...(await correctWords(backend, tokens, known)),
    ...(await correctCharacters(backend, tokens)),
  ].sort((a, b) => b.start - a.start);
  let text = query.text;
  for (const { start, end, better } of corrections) text = text.slice(0, start) + better + text.slice(end);
  return text === query.text ? undefined : text;
}

async function knownTerms({ words }: Backend, tokens: readonly Token[]): Promise<ReadonlySet<string>> {
  const terms = [...new Set(tokens.map(({ term }) => term))];
  const { df } = await words.frequencies(terms);
  return new Set(terms.filter((_, at) => df[at]! > 0));
}

/** In tokens: what is longer was pasted, not typed. */
const LONGEST_QUESTION = 200;
/** Each unknown word costs a look at thousands of others; whoever mistypes more than this many means something else. */
const CORRECTED = 6;
/** Shorter words have too many neighbours. */
const SHORTEST = 4;
/** How many indexed words with the same first letters are compared, and of how many the written forms are read. */
const COMPARED = 2_000;
const READ = 6;

async function correctWords(
  backend: Backend,
  tokens: readonly Token[],
  known: ReadonlySet<string>,
): Promise<Correction[]> {
  const corrections: Correction[] = [];
  const unknown = tokens.filter(
    ({ kind, term, surface }) => kind === 'word' && surface.length >= SHORTEST && !known.has(term),
  );
  for (const { term, surface, start, end } of unknown.slice(0, CORRECTED)) {
    const better = await nearestWord(backend, surface, term);
    if (better !== null) corrections.push({ start, end, better });
  }
  return corrections;
}

/**
 * The written word with the fewest edits: one, or two of a long word. The index holds stems, and the stem of a misspelt
 * word may be anything, so a stem is a candidate when it is near that one or near the word's own beginning.
 */
async function nearestWord(backend: Backend, surface: string, term: string): Promise<string | null> {
  const most = surface.length >= 8 ? 2 : 1;
  const candidates: { readonly term: string; readonly edits: number; readonly df: number }[] = [];
  for (const prefix of prefixesOf(surface)) {
    for (const { term: stem, df } of await backend.words.termsWithPrefix(prefix, COMPARED)) {
      if (stem.length < SHORTEST - 1) continue;
      const beginning = editDistance(surface.slice(0, stem.length), stem, most);
      const edits = Math.min(beginning, editDistance(term, stem, most));
      if (edits <= most) candidates.push({ term: stem, edits, df });
    }
  }
  candidates.sort((a, b) => a.edits - b.edits || b.term.length - a.term.length || b.df - a.df);
  let best: string | null = null;
  let fewest = most;
  for (const candidate of candidates.slice(0, READ)) {
    for (const form of await writtenForms(backend, candidate.term)) {
      const edits = editDistance(surface, form.toLowerCase(), most);
      if (edits < fewest || (edits === fewest && best === null)) [best, fewest] = [form, edits];
    }
  }
  return best;
}

/** A typing error may stand in the first letters too: with the first two swapped, or the first one missing. */
const prefixesOf = (word: string): string[] => {
  const [a, b] = [word[0]!, word[1]!];
  return [...new Set([a + b, b + a, b + word[2]!, a + word[2]!])];
};

/** How a term is written in some passages that hold it, the most frequent form first. */
async function writtenForms(backend: Backend, term: string): Promise<string[]> {
  const terms = [{ term, weight: 1 }];
  const found = await backend.words.match({ terms, k: READ, kind: 'chunk', scorer: 'bm25' });
  const counts = new Map<string, number>();
  for (const chunk of await backend.chunksById(found.map(({ id }) => id))) {
    const text = [...titlesOf(chunk), chunk.content].join('\n');
    for (const [start, end] of termSpans(text, new Set([term]), null)) {
      const form = text.slice(start, end);
      counts.set(form, (counts.get(form) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([form]) => form);
}

/** Damerau's distance (a swap of neighbours is one edit), given up beyond `most`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let edits = Math.min(here[column - 1]! + 1, above[column]! + 1, above[column - 1]! + cost);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, before[column - 2]! + 1);
      }
      here.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    before = above;
    above = here;
  }
  return above[b.length]!;
}
