import { analyze } from '../analyze.js';

/** What dictionaries put before and into a translation: `to attack`, `a university`, `to give sb sth`. */
const FILLERS = new Set(
  'a an the to be of in on at for with by or and sb sth one s oneself etc esp'.split(' '),
);

export interface KeyWord {
  readonly term: string;
  readonly surface: string;
  readonly start: number;
  readonly end: number;
  readonly is_filler: boolean;
  /** A function word: part of some phrases (`what if`), but nothing to look for by itself. */
  readonly is_stop: boolean;
}

/** The words by which an English phrase is looked up: as they are indexed. */
export const keyWords = (text: string): KeyWord[] =>
  analyze(text)
    .filter(({ kind }) => kind === 'word' || kind === 'stop')
    .map(({ term, surface, start, end, kind }) => ({
      term,
      surface,
      start,
      end,
      is_filler: FILLERS.has(surface),
      is_stop: kind === 'stop',
    }));

/** An English translation as it is looked up, `to attack the walls` as `attack wall`. */
export const glossKey = (text: string): string =>
  keyWords(text)
    .filter(({ is_filler }) => !is_filler)
    .map(({ term }) => term)
    .join(' ');
