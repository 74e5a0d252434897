import { analyze, type Token } from '../analyze.js';
import type { Concept, Way } from '../concept.js';
import { denseRuns } from '../lexicon/function-words.js';
import type { Dictionary, Translation } from './dictionary.js';
import { glossKey, keyWords } from './gloss-key.js';
import { segment } from './segment.js';

/** Which of these index terms the library holds. */
export type HeldBy = (terms: readonly string[]) => Promise<ReadonlySet<string>>;

/** The longest English phrase that is looked for, in words. */
const LONGEST_PHRASE = 4;
/** How many translations of a word are tried, and how many count: 12 found a point more than 8, 32 no more. */
const TRIED = 24;
const KEPT = 12;
/** A question has fewer words; of a pasted page the first ones say what it is about. */
const MOST_CONCEPTS = 60;
/** A single character means many things. */
const LONE_SHARE = 0.5;

/** Words with what they may mean, before it is known what of that the library holds. */
interface Candidate extends Omit<Concept, 'ways'> {
  readonly own: Way;
  readonly ways: readonly Way[];
  /** Tried where the library holds none of its ways. */
  readonly smaller: () => readonly Candidate[];
}

/** The words of an English question with their Chinese translations: the longest phrases that the library can answer. */
export function fromEnglish(text: string, dictionary: Dictionary, heldBy: HeldBy): Promise<Concept[]> {
  const words = keyWords(text);
  const candidates: Candidate[] = [];
  for (let at = 0; at < words.length; ) {
    const [candidate, length] = longestPhrase(at, Math.min(LONGEST_PHRASE, words.length - at));
    if (candidate !== null) candidates.push(candidate);
    at += length;
  }
  return heldConcepts(candidates.slice(0, MOST_CONCEPTS), heldBy);

  function longestPhrase(at: number, most: number): readonly [Candidate | null, number] {
    for (let length = most; length > 0; length--) {
      const span = words.slice(at, at + length);
      const content = span.filter(({ is_filler }) => !is_filler);
      if (content.length === 0 || [span[0]!, span.at(-1)!].some((word) => word.is_stop || word.is_filler))
        continue;
      if (length > 1 && content.length === 1) continue;
      const found = dictionary.translationsOf(content.map(({ term }) => term).join(' '));
      if (found.length === 0) continue;
      const [start, end] = [span[0]!.start, span.at(-1)!.end];
      const source = text.slice(start, end);
      const candidate = {
        start,
        end,
        source,
        own: { text: source, terms: content.map(({ term }) => term), share: 1 },
        ways: found.map(chineseWay),
        smaller: () => {
          const inside: Candidate[] = [];
          for (let next = at; length > 1 && next < at + length; ) {
            const [part, size] = longestPhrase(next, Math.min(length - 1, at + length - next));
            if (part !== null) inside.push(part);
            next += size;
          }
          return inside;
        },
      };
      return [candidate, length];
    }
    return [null, 1];
  }
}

/** The words of a Chinese question with their English translations. */
export function fromChinese(text: string, dictionary: Dictionary, heldBy: HeldBy): Promise<Concept[]> {
  const tokens = analyze(text);
  const candidates = denseRuns(tokens).flatMap((run) => wordsIn(run, run.length));
  return heldConcepts(candidates.slice(0, MOST_CONCEPTS), heldBy);

  function wordsIn(run: readonly Token[], longest: number): Candidate[] {
    const isWord = (word: string): boolean => [...word].length <= longest && dictionary.has(word);
    const words = segment(
      run.map(({ term }) => term),
      isWord,
    );
    return words.map(([from, to]) => {
      const chars = run.slice(from, to);
      const [start, end] = [chars[0]!.start, chars.at(-1)!.end];
      const word = chars.map(({ term }) => term).join('');
      const scale = chars.length === 1 ? LONE_SHARE : 1;
      return {
        start,
        end,
        source: text.slice(start, end),
        own: { text: word, terms: denseTerms(word), share: 1 },
        ways: dictionary.translationsOf(word).flatMap((found) => englishWay(found, scale)),
        smaller: () => (chars.length > 1 ? wordsIn(chars, chars.length - 1) : []),
      };
    });
  }
}

/** A dense word as it is indexed: its pairs, or its one character. */
export const denseTerms = (word: string): readonly string[] => {
  const chars = [...word];
  return chars.length === 1 ? chars : chars.slice(1).map((char, at) => chars[at]! + char);
};

const chineseWay = ({ text, share }: Translation): Way => ({
  text,
  terms: denseTerms(text),
  share: [...text].length === 1 ? share * LONE_SHARE : share,
});

function englishWay({ text, share }: Translation, scale: number): Way[] {
  const key = glossKey(text);
  return key === '' ? [] : [{ text, terms: key.split(' '), share: share * scale }];
}

/** What of all that the library holds: its best ways, or those of its parts. One with none is no concept. */
async function heldConcepts(candidates: readonly Candidate[], heldBy: HeldBy): Promise<Concept[]> {
  const tried = candidates.map(({ ways }) => bestOf(ways, TRIED));
  const held = await heldBy([...new Set(tried.flat().flatMap(({ terms }) => terms))]);
  const concepts: Concept[] = [];
  for (const [at, { own, smaller, start, end, source }] of candidates.entries()) {
    const ways = tried[at]!.filter(({ terms }) => terms.every((term) => held.has(term))).slice(0, KEPT);
    if (ways.length > 0) concepts.push({ start, end, source, ways: [own, ...ways] });
    else concepts.push(...(await heldConcepts(smaller(), heldBy)));
  }
  return concepts;
}

const bestOf = (ways: readonly Way[], most: number): Way[] =>
  [...ways].sort((a, b) => b.share - a.share).slice(0, most);
