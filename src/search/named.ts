import type { Chunk } from '../model/chunk.js';
import { indexedBody } from '../model/indexed.js';
import { byScore } from '../store/index/order.js';
import { classOf, DENSE, NONE } from '../text/characters.js';
import type { Channel, Fused, ScoredId } from './fuse.js';

/**
 * One passage leads to another: to find where somebody was born who made a film, one reads of the film, and then what is
 * written about the person it names. A document whose title the best passages name is probably wanted, too, though it
 * holds few of the question's words (docs/decisions/hybrid.md has the figures). So many of the best lead to others.
 */
export const LEADING = 3;
/** Among so many of the best a document may be that is named. */
const NAMEABLE = 100;
/** It comes so much of the way up to the passage that leads to it, and so never before it. */
export const WAY_UP = 0.5;

/** Shorter titles stand in texts by chance; a Chinese character says more than a letter. */
const LEAST_LETTERS = 3;
const LEAST_DENSE = 2;

/** The first candidate of each document, best first: its title is the document's. */
export function nameable(
  ranking: readonly Fused[],
  documentIdOf: (id: string) => string | null,
): readonly Fused[] {
  const seen = new Set<string | null>([null]);
  return ranking.slice(0, NAMEABLE).filter(({ id }) => {
    const documentId = documentIdOf(id);
    return !seen.has(documentId) && seen.add(documentId);
  });
}

/** `chunks` are at least the best of the ranking and what `nameable` gave. null where no passage names another's document. */
export function namedChannel(
  ranking: readonly Fused[],
  chunks: readonly Chunk[],
  documentIdOf: (id: string) => string | null,
): Channel | null {
  const read = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const naming = ranking.slice(0, LEADING).flatMap(({ id, score }) => {
    const chunk = read.get(id);
    return chunk === undefined ? [] : [{ score, documentId: chunk.doc_id, text: indexedBody(chunk) }];
  });
  const gains = new Map<string, number>();
  for (const { id, score } of nameable(ranking, documentIdOf)) {
    const chunk = read.get(id);
    if (chunk === undefined) continue;
    const name = nameOf(chunk.parent_doc_title);
    const by = naming.find(({ documentId, text }) => documentId !== chunk.doc_id && isNamed(name, text));
    if (by !== undefined && by.score > score) gains.set(chunk.doc_id, WAY_UP * (by.score - score));
  }
  if (gains.size === 0) return null;
  // All of a document's passages rise alike: which of them is best is another question.
  const matches: ScoredId[] = ranking.flatMap(({ id }) => {
    const gain = gains.get(documentIdOf(id) ?? '');
    return gain === undefined ? [] : [{ id, score: gain }];
  });
  return { name: 'named', matches: matches.sort(byScore), weight: 1, base: 0, absent: 0 };
}

/** A title as a text would name it: without what only tells it from others of its name, `Mercury (planet)`. */
const nameOf = (title: string): string => title.replace(/\s*[(（][^()（）]*[)）]\s*$/, '').trim();

/** Whether a text names it, as it is written: `Examples` in a title is not meant by every text with examples. */
export function isNamed(name: string, text: string): boolean {
  const [first, last] = [name.charCodeAt(0), name.charCodeAt(name.length - 1)];
  if (name.length < (classOf(first) === DENSE ? LEAST_DENSE : LEAST_LETTERS)) return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = at > 0 && isWithin(text.charCodeAt(at - 1), first);
    const end = at + name.length;
    if (!before && !(end < text.length && isWithin(text.charCodeAt(end), last))) return true;
  }
  return false;
}

/** Two characters of one word. Dense scripts have no boundaries to ask for. */
const isWithin = (one: number, other: number): boolean =>
  [one, other].every((code) => classOf(code) !== NONE && classOf(code) !== DENSE);
