import type { Chunk } from '../model/chunk.js';
import { indexedBody } from '../model/indexed.js';
import type { Backend } from '../store/backend.js';
import type { WeightedTerm } from '../store/lexical.js';
import { alikeChannel, LIKENABLE } from './alike.js';
import { balance, meaningChannels, ofTheMost, togetherChannel, wordsChannel } from './balance.js';
import { type Channel, fuse, type ScoredId } from './fuse.js';
import { nameable, namedChannel } from './named.js';
import { sharesTogether, wordsCeiling } from './recall/words.js';

/** How many of the best are read once more, for the words that stand together in them; more gained nothing. */
const REREAD = 30;

/** What speaks for each candidate of a question, and the document each belongs to. */
export interface Weighed {
  readonly channels: readonly Channel[];
  readonly documentIds: DocumentIds;
}

/** The document of each candidate; null for one that is gone. */
export type DocumentIds = ReadonlyMap<string, string | null>;

/**
 * A candidate's words, its meaning, its document's, words close together, and whether better ones name its document or are
 * like it.
 */
export async function weigh(
  backend: Backend,
  words: readonly ScoredId[],
  meaning: readonly ScoredId[],
  terms: readonly WeightedTerm[],
  worths: ReadonlyMap<string, number>,
  trust: number,
): Promise<Weighed> {
  const documentIds = await idsOfDocuments(backend, [...words, ...meaning]);
  const byWord = wordsChannel(words, wordsCeiling(worths));
  const balanced = balance(meaning, byWord, { terms: terms.length, trust });
  const documentIdOf = (id: string): string | null => documentIds.get(id) ?? null;
  const channels = [byWord, ...meaningChannels(meaning, byWord, documentIdOf, balanced)];
  const best = fuse(channels).slice(0, REREAD);
  const chunks = await backend.chunksById(best.map(({ id }) => id));
  const shareOf = sharesTogether(terms, worths);
  const shares = chunks.map((chunk) => ({ id: chunk.id, score: shareOf(indexedBody(chunk)) }));
  const together = togetherChannel(shares, balanced);
  const own = together === null ? channels : [...channels, together];
  const named = await namedIn(backend, own, chunks, documentIdOf);
  // A name is the surer sign of what else is wanted: where the best name others, nobody asks what is like them.
  const led = named ?? (await alikeAmong(backend, own, documentIdOf, trust));
  return { channels: ofTheMost(led === null ? own : [...own, led], balanced), documentIds };
}

async function namedIn(
  backend: Backend,
  channels: readonly Channel[],
  chunks: readonly Chunk[],
  documentIdOf: (id: string) => string | null,
): Promise<Channel | null> {
  const ranking = fuse(channels);
  const read = new Set(chunks.map(({ id }) => id));
  const missing = nameable(ranking, documentIdOf).filter(({ id }) => !read.has(id));
  const others = await backend.chunksById(missing.map(({ id }) => id));
  return namedChannel(ranking, [...chunks, ...others], documentIdOf);
}

async function alikeAmong(
  { vectors }: Backend,
  channels: readonly Channel[],
  documentIdOf: (id: string) => string | null,
  trust: number,
): Promise<Channel | null> {
  const ranking = fuse(channels);
  const stored = await vectors.stored(ranking.slice(0, LIKENABLE).map(({ id }) => id));
  const known = [...stored].flatMap(([id, { vector }]) => (vector === null ? [] : [[id, vector] as const]));
  return alikeChannel(ranking, new Map(known), documentIdOf, trust);
}

async function idsOfDocuments(backend: Backend, candidates: readonly ScoredId[]): Promise<DocumentIds> {
  const ids = [...new Set(candidates.map(({ id }) => id))];
  const documentIds = await backend.documentIdsOf(ids);
  return new Map(ids.map((id, at) => [id, documentIds[at] ?? null]));
}
