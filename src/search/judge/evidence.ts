import type { Chunk } from '../../model/chunk.js';
import { indexedBody, titlesOf } from '../../model/indexed.js';
import type { Backend } from '../../store/backend.js';
import { visitTerms } from '../../text/analyze.js';
import { HeldTerms } from '../../text/concept.js';
import type { Query } from '../../text/query.js';
import type { Fused } from '../fuse.js';
import { byMeaningAlone } from '../group.js';
import { termWorths } from '../recall/words.js';
import type { Standing } from './background.js';

/** What a ranking's best passages have in common with the question. */
export interface Evidence {
  /** The part of the question's words, by their worth, that the best passage holds. */
  readonly covered: number;
  /** The part that any passage of the library holds. */
  readonly known: number;
  /** How many words the question has. */
  readonly words: number;
  /** How the nearest passage stands out by meaning; null where that was not asked or cannot be said. */
  readonly standing: Standing | null;
  /** The question is one Chinese word that the library does not write so. */
  readonly is_strange: boolean;
  /** The question is one of a language, not a string of characters. */
  readonly is_sentence: boolean;
  /** How many passages the library has. */
  readonly passages: number;
}

/** `none`: nothing here answers the question. `weak`: perhaps, perhaps not. */
export type Verdict = 'none' | 'weak' | 'clear';

/** What words count for beside meaning, and below which sum nothing is shown (docs/decisions/evidence.md). */
const WORDS_SHARE = 0.7;
const NOTHING_BELOW = 0.25;
/** Some of a string of random characters stand together somewhere, and with no word in common there is only meaning. */
const NOTHING_CERTAIN_BELOW = 0.36;

/** The best of many is further above the mean than the best of few, by chance alone: so many passages, and so little. */
const MANY = 300;
const LEAST_ROOM = 0.6;

/**
 * Below this line an answer is doubtful. It rises with the passages, since among many one is near by chance, and falls
 * with the question's words, since no passage holds all of a long one. Of the questions with an answer 97 of 100 or more
 * lie above it on every set, of those about other subjects 70 to 100 of 100 below.
 */
const WEAK_BELOW = 0.3;
const PER_LOG_PASSAGE = 0.05;
const PER_WORD = 0.03;
const MOST_WORDS = 10;
/** The largest library that was measured: beyond it the line rises no more. */
const MOST_PASSAGES = 10_000;
/** Across languages hardly anything speaks for an answer but translated words. */
const WEAK_FOREIGN_BELOW = 0.2;

/** Without vectors, words are all there is: a hit always has some, so it is shown, and said to be weak. */
const KNOWN_SHARE = 0.5;
const WEAK_WORDS_BELOW = 0.55;

/** A word that the library does not write so may be found by a part of it, and is never clear. */
export const verdictOf = (evidence: Evidence): Verdict => {
  const verdict = verdictOnWords(evidence);
  return evidence.is_strange && verdict === 'clear' ? 'weak' : verdict;
};

function verdictOnWords({ covered, known, words, standing, is_sentence, passages }: Evidence): Verdict {
  if (standing === null) return covered + KNOWN_SHARE * known < WEAK_WORDS_BELOW ? 'weak' : 'clear';
  const sum = standing.lift + WORDS_SHARE * covered;
  const byChance = PER_LOG_PASSAGE * Math.log(Math.min(passages, MOST_PASSAGES));
  const expected = byChance - PER_WORD * Math.min(words, MOST_WORDS);
  // Across languages the models hardly tell an answer from chance: all that may be a question is shown as doubtful.
  if (standing.is_foreign && (is_sentence || known > 0)) {
    return sum < WEAK_FOREIGN_BELOW + expected ? 'weak' : 'clear';
  }
  const room = Math.max(LEAST_ROOM, Math.min(1, Math.sqrt(Math.log(passages) / Math.log(MANY))));
  const nothing = is_sentence && covered > 0 ? NOTHING_BELOW : NOTHING_CERTAIN_BELOW;
  if (sum < nothing * room) return 'none';
  return sum < Math.max(WEAK_BELOW + expected, NOTHING_CERTAIN_BELOW * room) ? 'weak' : 'clear';
}

/** Each hit needs evidence of its own, however good the best one is: a word of the question, or its own nearness. */
export const hasEvidence = (entry: Fused, floor: number): boolean =>
  !byMeaningAlone(entry) ||
  entry.evidence.some(({ channel, score }) => channel === 'meaning' && score >= floor);

/** How many of the best are read for their words, whatever the limit of the search: a question has one verdict. */
export const JUDGED = 10;

/** How much of the question's words the best of these passages holds, and how much of them the library knows. */
export async function wordEvidence(
  backend: Backend,
  query: Query,
  best: readonly Chunk[],
): Promise<Pick<Evidence, 'covered' | 'known' | 'words'>> {
  const asked = query.terms.filter(({ term }) => query.evidence.has(term));
  const worths = await termWorths(backend, asked);
  const all = sumOf(worths.keys(), worths) || 1;
  // Between translated words a lone character says nothing, but it is a part of the question that nothing is known to hold.
  const terms = asked.filter(({ term }) => query.concepts.length === 0 || !LONE_CHARACTER.test(term));
  const { df } = await backend.words.frequencies(terms.map(({ term }) => term));
  // A concept has ways that the library holds, or it would be none.
  const known = terms.filter(({ also }, at) => also !== undefined || df[at]! > 0).map(({ term }) => term);
  const held = new HeldTerms(terms);
  const covered = best.map((chunk) => sumOf(heldBy(chunk, held), worths));
  return {
    covered: Math.max(0, ...covered) / all,
    known: sumOf(known, worths) / all,
    words: terms.length,
  };
}

/** A single character means so many things that random ones have a translation in every library. */
const LONE_CHARACTER = /^\p{Script=Han}$/u;

function heldBy(chunk: Chunk, terms: HeldTerms): ReadonlySet<string> {
  const held = new Set<string>();
  const text = [...titlesOf(chunk), indexedBody(chunk)].join('\n');
  terms.clear();
  visitTerms(text, terms.wanted, (name) => {
    for (const term of terms.meet(name)) held.add(term);
  });
  return held;
}

function sumOf(terms: Iterable<string>, worths: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const term of terms) sum += worths.get(term) ?? 0;
  return sum;
}
