import type { LexicalIndex } from '../store/lexical.js';
import { analyze } from '../text/analyze.js';
import type { Query } from '../text/query.js';

/** How many indexed words with the same first letters are compared. */
const COMPARED = 2_000;

/**
 * B9: the query with its unknown words replaced by the nearest indexed ones; undefined when there is nothing better
 * to offer. Index terms are stems, so the suggestion is made of stems where no longer form is known; a stem with the
 * same beginning as the misspelt word keeps that word's ending.
 */
export async function suggest(words: LexicalIndex, query: Query): Promise<string | undefined> {
  const unknown = await unknownWords(words, query);
  let text = query.text;
  let changed = false;
  for (const { start, end, surface, term } of unknown.reverse()) {
    const better = await nearest(words, term);
    if (better === null) continue;
    const ending = surface.startsWith(term) ? surface.slice(term.length) : '';
    text = `${text.slice(0, start)}${better}${ending}${text.slice(end)}`;
    changed = true;
  }
  return changed ? text : undefined;
}

async function unknownWords(words: LexicalIndex, query: Query) {
  const tokens = analyze(query.text).filter(({ kind, term }) => kind === 'word' && term.length >= 4);
  const { df } = await words.frequencies(tokens.map(({ term }) => term));
  return tokens.filter((_, index) => df[index] === 0);
}

/** The most frequent term within one edit (two for long words), first by edits. */
async function nearest(words: LexicalIndex, term: string): Promise<string | null> {
  const most = term.length >= 8 ? 2 : 1;
  let best: { term: string; edits: number; df: number } | null = null;
  for (const prefix of prefixesOf(term)) {
    for (const candidate of await words.termsWithPrefix(prefix, COMPARED)) {
      const edits = editDistance(term, candidate.term, most);
      if (edits > most || candidate.term.length < 3) continue;
      if (!best || edits < best.edits || (edits === best.edits && candidate.df > best.df)) {
        best = { ...candidate, edits };
      }
    }
  }
  return best?.term ?? null;
}

/** A typing error may stand in the first letters too: with the first two swapped, or the first one missing. */
const prefixesOf = (term: string): string[] => {
  const [a, b] = [term[0]!, term[1]!];
  return [...new Set([a + b, b + a, b + term[2]!, a + term[2]!])];
};

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
