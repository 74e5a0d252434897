import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { indexedBody, titlesOf } from '../model/indexed.js';
import type { UnitWords } from '../model/words.js';
import { normalText } from './normalise.js';
import { CHAR, PART, scanTokens, type TermKind, WORD } from './scan.js';
import { type Term, trimTerms } from './terms.js';

/**
 * A dense character's share of a length in words: about what Chinese words hold (two characters per word). With it one
 * mean length serves a library of both languages; 1/4 and 1 scored the same or worse (docs/decisions/ranking-words.md).
 */
const CHAR_LENGTH = 0.5;

/** A unit's terms with their counts, for the index. Function words count as terms, not in the length. */
export function unitWords(title: string, body: string): UnitWords {
  trimTerms();
  const counter = new Counter();
  const bodyLength = counter.count(body, 'body');
  const titleLength = counter.count(title, 'title');
  return {
    terms: counter.terms,
    body: counter.body,
    title: counter.title,
    body_length: bodyLength,
    title_length: titleLength,
  };
}

/** What a chunk is found by: its content, and the titles above it. */
export const chunkWords = (chunk: Chunk): UnitWords =>
  unitWords(titlesOf(chunk).join('\n'), indexedBody(chunk));

/** What a document is found by itself: its title and summary. */
export const documentWords = (document: Pick<Document, 'title' | 'summary'>): UnitWords =>
  unitWords(document.title, document.summary);

let units = 0;

class Counter {
  readonly terms: string[] = [];
  readonly body: number[] = [];
  readonly title: number[] = [];
  readonly #unit = ++units;

  count(text: string, field: 'body' | 'title'): number {
    const counts = this[field];
    let words = 0;
    let chars = 0;
    scanTokens(normalText(text), (kind: TermKind, term: Term) => {
      if (term.unit !== this.#unit) this.#meet(term);
      // Twenty times JavaScript is not twenty times Java: a part counts once.
      if (kind !== PART || counts[term.slot] === 0) counts[term.slot]!++;
      if (kind === WORD) words++;
      else if (kind === CHAR) chars++;
    });
    const length = Math.round(words + chars * CHAR_LENGTH);
    return length === 0 && counts.some((count) => count > 0) ? 1 : length;
  }

  #meet(term: Term): void {
    term.unit = this.#unit;
    term.slot = this.terms.length;
    this.terms.push(term.text);
    this.body.push(0);
    this.title.push(0);
  }
}
