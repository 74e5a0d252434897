import { sentenceStarts } from '../text/sentences.js';

/**
 * A passage as its parts, for a model that reads them one by one: a question asks for one of a passage's sentences,
 * and in the vector of a whole passage that sentence is one of ten (docs/decisions/hybrid.md has the figures). Each part
 * keeps the titles in front, so that it is known what it speaks of.
 */
export function partsOf(text: string): readonly string[] {
  const prefix = TITLES.exec(text)?.[0] ?? '';
  const body = text.slice(prefix.length);
  const weight = weightOf(body, 0, body.length);
  const count = Math.min(MOST_PARTS, Math.ceil(weight / PART));
  if (count < 2) return [text];
  return cut(body, weight / count).map((part) => prefix + part);
}

/** Our own lines in front of what is embedded (model/indexed.ts). */
const TITLES = /^(?:\[(?:TitlePath|SectionHint)\][^\n]*\n)*/;

/** A part's size: 80 Chinese characters or 560 Latin letters, two to four sentences. Smaller ones hurt in English. */
const PART = 80;
const NARROW = 1 / 7;
/** A chunk of the usual size has no more; of a whole file as one passage the parts are larger. */
const MOST_PARTS = 16;

/** From Chinese on, a character is a syllable or a word. */
const isWide = (code: number): boolean => code >= 0x2e80;

function weightOf(text: string, start: number, end: number): number {
  let weight = 0;
  for (let at = start; at < end; at++) weight += isWide(text.charCodeAt(at)) ? 1 : NARROW;
  return weight;
}

/** Sentences and lines, gathered to parts of about this weight. */
function cut(text: string, weight: number): string[] {
  const parts: string[] = [];
  let from = 0;
  let gathered = 0;
  let last = 0;
  for (const start of [...placesToCut(text), text.length]) {
    const next = weightOf(text, last, start);
    // Where half of the next sentence would be too much, the part ends before it.
    if (gathered > 0 && gathered + next / 2 > weight) {
      parts.push(text.slice(from, last));
      from = last;
      gathered = 0;
    }
    gathered += next;
    last = start;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part.trim() !== '');
}

function placesToCut(text: string): number[] {
  const places = new Set(sentenceStarts(text, 0, text.length));
  for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) places.add(line + 1);
  return [...places].filter((place) => place < text.length).sort((a, b) => a - b);
}
