import type { Backend } from '../../store/backend.js';
import { analyze, type Token } from '../../text/analyze.js';
import { denseRuns } from '../../text/lexicon/function-words.js';

/** A piece of a question, and what stands in the library instead. */
export interface Correction {
  readonly start: number;
  readonly end: number;
  readonly better: string;
}

/** Characters in a row with no function word among them: one Chinese word, or several. */
type Run = readonly Token[];

/** A longer run is a clause: too much of it is new to every library. */
const LONGEST_RUN = 8;
/** A question of at most this many characters is taken for a single word. */
const LONGEST_WORD = 4;
/** How many passages are read for what stands beside a character. */
const READ = 40;

/**
 * Whether a question is a single Chinese word of which the library has only a part: 份 of 备份 is known beside 备, a
 * character that stands beside none of its neighbours anywhere is a typing error, or a word the library does not have.
 */
export async function isStrangeWord(backend: Backend, text: string): Promise<boolean> {
  const tokens = analyze(text);
  const [run, ...more] = runsOf(tokens);
  if (!run || more.length > 0 || run.length > LONGEST_WORD) return false;
  if (tokens.some(({ start, end }) => start < run[0]!.start || end > run.at(-1)!.end)) return false;
  return (await strangeIn(backend, wordOf(run))).length > 0;
}

/**
 * Runs with one wrong character or two that changed places, as the library writes them. The wrong one is replaced by what
 * stands there most often beside the others, before or behind them; a guess that leaves any character without a known
 * neighbour is none.
 */
export async function correctCharacters(backend: Backend, tokens: readonly Token[]): Promise<Correction[]> {
  const corrections: Correction[] = [];
  for (const run of runsOf(tokens)) {
    const word = wordOf(run);
    const strange = run.length > LONGEST_RUN ? [] : await strangeIn(backend, word);
    if (strange.length === 0) continue;
    const better = (await swapped(backend, word)) ?? (await refilled(backend, word, strange));
    if (better) corrections.push({ start: run[0]!.start, end: run.at(-1)!.end, better: better.join('') });
  }
  return corrections;
}

const runsOf = (tokens: readonly Token[]): Run[] => denseRuns(tokens).filter(({ length }) => length > 1);

const wordOf = (run: Run): string[] => run.map(({ term }) => term);

const pairsOf = (word: readonly string[]): string[] => word.slice(1).map((char, at) => word[at]! + char);

/** Places of characters that make no known pair with a neighbour. */
async function strangeIn({ words }: Backend, word: readonly string[]): Promise<number[]> {
  const { df } = await words.frequencies(pairsOf(word));
  return [...word.keys()].filter((at) => !(df[at - 1]! > 0) && !(df[at]! > 0));
}

async function swapped(backend: Backend, word: readonly string[]): Promise<string[] | null> {
  for (let at = 0; at + 1 < word.length; at++) {
    const other = [...word.slice(0, at), word[at + 1]!, word[at]!, ...word.slice(at + 2)];
    const { df } = await backend.words.frequencies(pairsOf(other));
    if (df.every((count) => count > 0)) return other;
  }
  return null;
}

async function refilled(
  backend: Backend,
  word: readonly string[],
  strange: readonly number[],
): Promise<string[] | null> {
  const guesses: { readonly other: string[]; readonly count: number }[] = [];
  for (const at of strange) {
    const counts = await neighbourCounts(backend, word, at);
    for (const [char, count] of counts) guesses.push({ other: word.with(at, char), count });
  }
  guesses.sort((a, b) => b.count - a.count);
  for (const { other } of guesses.slice(0, READ)) {
    if ((await strangeIn(backend, other)).length === 0) return other;
  }
  return null;
}

/** Which characters stand at this place of the word in the library, by how often and how many of its others are there. */
async function neighbourCounts(
  backend: Backend,
  word: readonly string[],
  at: number,
): Promise<ReadonlyMap<string, number>> {
  const rest = word.filter((_, place) => place !== at && Math.abs(place - at) <= 2);
  const terms = [...new Set([...rest, ...pairsOf(word)])].map((term) => ({ term, weight: 1 }));
  const found = await backend.words.match({ terms, k: READ, kind: 'chunk', scorer: 'bm25' });
  const counts = new Map<string, number>();
  for (const { title_path, content } of await backend.chunksById(found.map(({ id }) => id))) {
    const chars = analyze([...title_path, content].join('\n')).filter(({ kind }) => kind === 'char');
    for (const [place, { term }] of chars.entries()) {
      const beside = (step: number): boolean =>
        word[at + step] !== undefined && chars[place + step]?.term === word[at + step];
      const near = [-1, 1].filter(beside).length;
      if (near === 0 || term === word[at]) continue;
      const far = [-2, 2].filter((step) => beside(step / 2) && beside(step)).length;
      counts.set(term, (counts.get(term) ?? 0) + 4 ** (near + far));
    }
  }
  return counts;
}
