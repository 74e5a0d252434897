import { analyze } from '../analyze.js';
import { simplified } from '../characters.js';
import type { Concept, Way } from '../concept.js';
import { foldWord } from '../word.js';
import { denseTerms } from './translate.js';

/** Terms that mean the same, as the user says: in one language or across languages. */
export interface Glossary {
  readonly entries: readonly GlossaryEntry[];
  /** What could not be read, a line each. */
  readonly problems: readonly string[];
}

export type GlossaryEntry = readonly [term: string, other: string];

const MOST_ENTRIES = 10_000;
const LONGEST_TERM = 100;
const MOST_PROBLEMS = 5;
/** More ways to say one thing than anybody writes down. */
const MOST_WAYS = 24;

/**
 * `strata.glossary.tsv`: a term, a tab, a translation or synonym; more of them behind further tabs. Blank lines and lines
 * that start with `#` are skipped. A file like any other: what cannot be used is said, and the rest counts.
 */
export function readGlossary(text: string, name: string): Glossary {
  const entries: GlossaryEntry[] = [];
  const problems: string[] = [];
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [term, ...others] = line.split('\t').map((cell) => cell.trim());
    const problem = problemOf([term!, ...others]);
    if (problem !== null) problems.push(`${name}:${at + 1}: ${problem}`);
    else for (const other of others) if (other !== '') entries.push([term!, other]);
    if (entries.length >= MOST_ENTRIES) {
      problems.push(`${name}: only the first ${MOST_ENTRIES.toLocaleString('en')} terms are used`);
      break;
    }
  }
  const rest = problems.length - MOST_PROBLEMS;
  const shown = problems.slice(0, MOST_PROBLEMS);
  return { entries, problems: rest > 0 ? [...shown, `${name}: and ${rest} more lines like these`] : shown };
}

function problemOf(cells: readonly string[]): string | null {
  if (cells.filter((cell) => cell !== '').length < 2 || cells[0] === '')
    return 'a line is a term, a tab, and a translation or synonym';
  if (cells.some(({ length }) => length > LONGEST_TERM))
    return `a term has at most ${LONGEST_TERM} characters`;
  if (cells.some((cell) => cell !== '' && termsOf(cell).length === 0)) return 'a term has letters or digits';
  return null;
}

/** The terms of a glossary that a question says, each with the other ways to say it; the longest first. */
export function glossaryConcepts(question: string, { entries }: Glossary): Concept[] {
  if (entries.length === 0) return [];
  const folded = fold(question);
  // Folding may change lengths (NFKC); then the places in the question are not known, and nothing is replaced.
  if (folded.length !== question.length) return [];
  const concepts: Concept[] = [];
  for (const [term, ways] of [...waysByTerm(folded, entries)].sort(([a], [b]) => b.length - a.length)) {
    for (const start of placesOf(folded, term)) {
      const end = start + term.length;
      if (concepts.some((known) => start < known.end && known.start < end)) continue;
      const source = question.slice(start, end);
      const own = { text: source, terms: termsOf(source), share: 1 };
      concepts.push({ start, end, source, ways: [own, ...ways.slice(0, MOST_WAYS)] });
    }
  }
  return concepts.sort((a, b) => a.start - b.start);
}

/** Either column may be asked for: what means the same means it both ways. */
function waysByTerm(folded: string, entries: readonly GlossaryEntry[]): Map<string, Way[]> {
  const ways = new Map<string, Way[]>();
  for (const [a, b] of entries) {
    for (const [term, other] of [
      [fold(a), b],
      [fold(b), a],
    ] as const) {
      if (!folded.includes(term)) continue;
      const known = ways.get(term) ?? [];
      ways.set(term, known);
      known.push({ text: other, terms: termsOf(other), share: 1 });
    }
  }
  return ways;
}

const fold = (text: string): string => simplified(foldWord(text));

/** Where a term stands as a word: `pod` is not in `podium`, while Chinese words have no edges. */
function placesOf(text: string, term: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const isWhole = !joins(text.slice(0, at), term) && !joins(term, text.slice(at + term.length));
    if (isWhole) places.push(at);
  }
  return places;
}

const WORD_END = /[\p{Script=Latin}\p{N}]$/u;
const WORD_START = /^[\p{Script=Latin}\p{N}]/u;
const joins = (before: string, after: string): boolean => WORD_END.test(before) && WORD_START.test(after);

/** A term as it is indexed: its words, and the pairs of what is written without spaces. */
function termsOf(text: string): readonly string[] {
  const tokens = analyze(text);
  const words = tokens.filter(({ kind }) => kind === 'word' || kind === 'stop').map(({ term }) => term);
  const runs = simplified(text).match(/\p{Script=Han}+/gu) ?? [];
  return [...new Set([...words, ...runs.flatMap((run) => denseTerms(run))])];
}
