import { analyze, type Token } from './analyze.js';

/** Where a phrase stands in a text: its words one after the other, unstemmed, whatever the case, width or spacing. */
export function phraseSpans(phrase: string, text: string): (readonly [start: number, end: number])[] {
  const wanted = sequence(phrase);
  const words = sequence(text);
  const spans: (readonly [number, number])[] = [];
  for (let from = 0; from + wanted.length <= words.length; from++) {
    if (matchesAt(wanted, phrase, words, text, from)) {
      spans.push([words[from]!.start, words[from + wanted.length - 1]!.end]);
    }
  }
  return wanted.length === 0 ? [] : spans;
}

/** The words that follow each other: no parts or wholes, which stand beside them. */
const sequence = (text: string): Token[] =>
  analyze(text).filter(({ kind }) => kind === 'word' || kind === 'stop' || kind === 'char');

function matchesAt(
  wanted: readonly Token[],
  phrase: string,
  words: readonly Token[],
  text: string,
  from: number,
): boolean {
  for (let index = 0; index < wanted.length; index++) {
    const word = words[from + index]!;
    if (word.surface !== wanted[index]!.surface) return false;
    if (index === 0) continue;
    const gap = text.slice(words[from + index - 1]!.end, word.start);
    const ownGap = phrase.slice(wanted[index - 1]!.end, wanted[index]!.start);
    if (gap !== ownGap && !HARMLESS.test(gap)) return false;
  }
  return true;
}

// Spaces, line breaks, hyphens, emphasis, quotes and brackets do not part two words; "machine. Learning" and
// "machine = learning" are apart.
const HARMLESS = /^[\s\-\u2010-\u2015_*`~'"“”‘’()[\]「」『』《》·\u00ad]*$/;
