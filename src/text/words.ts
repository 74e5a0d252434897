import type { Chunk } from '../model/chunk.js';
import type { Document } from '../model/document.js';
import { indexedBody } from '../model/indexed.js';
import type { UnitWords } from '../model/words.js';
import { normalText } from './normalise.js';
import { CHAR, PART, scan, type TermKind, WORD } from './scan.js';

/**
 * A dense character's share of a length in words. Chunks of both languages have the same size in characters; with
 * 1/4 a Chinese and an English passage of the same size get the same length (an English content word takes about
 * nine characters with its function words and space), so one mean length serves a library of both.
 */
const CHAR_LENGTH = 0.25;

/** A unit's terms with their counts, for the index. Function words count as terms, not in the length. */
export function unitWords(title: string, body: string): UnitWords {
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
  unitWords(titleText(chunk.title_path, chunk.parent_doc_title), indexedBody(chunk));

/** What a document is found by itself: its title and summary (S0.5). */
export const documentWords = (document: Pick<Document, 'title' | 'summary'>): UnitWords =>
  unitWords(document.title, document.summary);

const titleText = (path: readonly string[], documentTitle: string): string =>
  (path[0] === documentTitle ? path : [documentTitle, ...path]).join('\n');

class Counter {
  readonly terms: string[] = [];
  readonly body: number[] = [];
  readonly title: number[] = [];
  readonly #slots = new Map<string, number>();

  count(text: string, field: 'body' | 'title'): number {
    const counts = this[field];
    let words = 0;
    let chars = 0;
    scan(normalText(text), (kind: TermKind, term: string) => {
      let slot = this.#slots.get(term);
      if (slot === undefined) {
        slot = this.terms.length;
        this.#slots.set(term, slot);
        this.terms.push(term);
        this.body.push(0);
        this.title.push(0);
      }
      // Twenty times JavaScript is not twenty times Java: a part counts once.
      if (kind !== PART || counts[slot] === 0) counts[slot]!++;
      if (kind === WORD) words++;
      else if (kind === CHAR) chars++;
    });
    const length = Math.round(words + chars * CHAR_LENGTH);
    return length === 0 && this.terms.length > 0 && text !== '' ? 1 : length;
  }
}
