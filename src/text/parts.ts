import { sentenceStarts } from './sentences.js';

/** Where a part of a text starts and ends. */
export type Part = readonly [start: number, end: number];

/** A part's size: 80 Chinese characters or 560 Latin letters, two to four sentences. Smaller ones hurt in English. */
const PART = 80;
const NARROW = 1 / 7;
/** A chunk of the usual size has no more; of a whole file as one passage the parts are larger. */
const MOST_PARTS = 16;

/** A passage's parts: its sentences and lines, gathered to a few at a time. Blank ones are left out. */
export function partsOfText(text: string): readonly Part[] {
  const weight = weightOf(text, 0, text.length);
  const count = Math.min(MOST_PARTS, Math.ceil(weight / PART));
  return count < 2 ? [[0, text.length]] : cut(text, weight / count);
}

/** From Chinese on, a character is a syllable or a word. */
const isWide = (code: number): boolean => code >= 0x2e80;

function weightOf(text: string, start: number, end: number): number {
  let weight = 0;
  for (let at = start; at < end; at++) weight += isWide(text.charCodeAt(at)) ? 1 : NARROW;
  return weight;
}

function cut(text: string, weight: number): Part[] {
  const parts: Part[] = [];
  let from = 0;
  let gathered = 0;
  let last = 0;
  for (const start of [...placesToCut(text), text.length]) {
    const next = weightOf(text, last, start);
    // Where half of the next sentence would be too much, the part ends before it.
    if (gathered > 0 && gathered + next / 2 > weight) {
      parts.push([from, last]);
      from = last;
      gathered = 0;
    }
    gathered += next;
    last = start;
  }
  parts.push([from, text.length]);
  return parts.filter(([start, end]) => text.slice(start, end).trim() !== '');
}

function placesToCut(text: string): number[] {
  const places = new Set(sentenceStarts(text, 0, text.length));
  for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) places.add(line + 1);
  return [...places].filter((place) => place < text.length).sort((a, b) => a - b);
}
