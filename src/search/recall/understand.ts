import type { Backend } from '../../store/backend.js';
import type { LexicalIndex } from '../../store/lexical.js';
import type { Concept } from '../../text/concept.js';
import { parseQuery, type Query, type QueryOptions } from '../../text/query.js';
import { openDictionary } from '../../text/translate/dictionary.js';
import { glossaryConcepts } from '../../text/translate/glossary.js';
import { fromChinese, fromEnglish } from '../../text/translate/translate.js';
import type { SearchRequest } from '../options.js';
import type { SearchParts } from './recall.js';

/**
 * A question as this library is asked: its words, those of the user's glossary in all the ways that says, and where the
 * library speaks another language their translations too (docs/decisions/translation.md). `of` says of which libraries:
 * at first only of those that hardly speak the question's own.
 */
export async function understand(
  { backend, glossary }: SearchParts,
  request: SearchRequest,
  of: 'foreign' | 'both' = 'foreign',
): Promise<Query> {
  const { query: text, prefix } = request;
  const named = glossary === undefined ? [] : glossaryConcepts(text, glossary);
  const plain = parseQuery(text, { prefix, concepts: named });
  // Quotes and beginnings of words demand what is written; what is longer than a question was pasted.
  if (plain.phrases.length > 0 || plain.prefix !== null || text.length > LONGEST_TRANSLATED) return plain;
  // A damaged index is reported by whoever searches in it.
  const direction = await directionFor(backend, text, of).catch(() => null);
  if (direction === null) return plain;
  const dictionary = await openDictionary(direction);
  if (dictionary === null) return plain;
  const translate = direction === 'zh-en' ? fromChinese : fromEnglish;
  const found = await translate(text, dictionary, async (terms) => heldTerms(backend.words, terms));
  const concepts: Concept[] = [...named, ...found.filter((concept) => !named.some(overlaps(concept)))];
  const options: QueryOptions = { prefix, concepts };
  return found.length === 0 ? plain : parseQuery(text, options);
}

/** In characters: looking up every stretch of a text of 6,000 took a server 200 ms. */
const LONGEST_TRANSLATED = 1_000;

const overlaps =
  (a: Concept) =>
  (b: Concept): boolean =>
    a.start < b.end && b.start < a.end;

async function heldTerms(words: LexicalIndex, terms: readonly string[]): Promise<ReadonlySet<string>> {
  const { df } = await words.frequencies(terms);
  return new Set(terms.filter((_, at) => df[at]! > 0));
}

const DENSE = /\p{Script=Han}/u;
const LATIN = /\p{Script=Latin}{2}/u;

/** Which dictionary helps with such a question in this library. */
async function directionFor(
  backend: Backend,
  question: string,
  of: 'foreign' | 'both',
): Promise<'zh-en' | 'en-zh' | null> {
  const isChinese = DENSE.test(question);
  if (!isChinese && !LATIN.test(question)) return null;
  const { dense, spaced } = await languagesOf(backend);
  const [own, other] = isChinese ? [dense, spaced] : [spaced, dense];
  if (other < PRESENT || (own >= PRESENT && of === 'foreign')) return null;
  return isChinese ? 'zh-en' : 'en-zh';
}

/** A library speaks a language when this part of its passages does. */
const PRESENT = 0.05;

/** Words and characters of which hardly any passage of a language has none, be it a table or a list. */
const COMMON = {
  dense: [...'的一是不在有为和数用中上时个人行了以到可文大与后要据名请日件'],
  spaced: ['the', 'of', 'and', 'to', 'in', 'is'],
} as const;

interface Languages {
  readonly generation: number;
  readonly dense: number;
  readonly spaced: number;
}

const known = new WeakMap<LexicalIndex, Languages>();

/** Which part of a library's passages is written in Chinese, and which in English. */
async function languagesOf(backend: Backend): Promise<Languages> {
  const generation = await backend.generation();
  const before = known.get(backend.words);
  if (before?.generation === generation) return before;
  const { units, df } = await backend.words.frequencies([...COMMON.dense, ...COMMON.spaced]);
  const shareOf = (counts: readonly number[]): number => Math.max(...counts) / Math.max(1, units);
  const languages = {
    generation,
    dense: shareOf(df.slice(0, COMMON.dense.length)),
    spaced: shareOf(df.slice(COMMON.dense.length)),
  };
  known.set(backend.words, languages);
  return languages;
}
