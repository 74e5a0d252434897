import type { LexicalIndex, WeightedTerm } from '../../store/lexical.js';

/** How many completions of an unfinished word are searched for. */
const COMPLETIONS = 32;
/** A completion is a guess: it counts less than a word that was written out. */
const COMPLETION_WEIGHT = 0.7;

/** Indexed terms that the unfinished word may become. */
export async function prefixTerms(words: LexicalIndex, prefix: string): Promise<WeightedTerm[]> {
  const found = (await words.termsWithPrefix(prefix, COMPLETIONS)).map(({ term }) => term);
  const terms = found.length > 0 ? found : await shorterStems(words, prefix);
  return terms.map((term) => ({ term, weight: COMPLETION_WEIGHT }));
}

/** The index holds stems: `configura` has passed `configur` already, and no term starts with it. */
async function shorterStems(words: LexicalIndex, prefix: string): Promise<string[]> {
  const stems = [1, 2, 3, 4].map((cut) => prefix.slice(0, -cut)).filter((stem) => stem.length >= 3);
  const { df } = await words.frequencies(stems);
  const known = stems.filter((_, index) => df[index]! > 0);
  return known.slice(0, 1);
}
