import { indexedBody } from '../model/indexed.js';
import type { Backend } from '../store/backend.js';
import { meaningChannels, togetherChannel, wordsChannel } from './balance.js';
import { type Channel, fuse, type ScoredId } from './fuse.js';
import { sharesTogether, wordsCeiling } from './recall/words.js';

/** So many of the best are read once more, for the words that stand together in them; more gained nothing. */
const REREAD = 30;

/** What speaks for each candidate of a question, and the document each belongs to. */
export interface Weighed {
  readonly channels: readonly Channel[];
  readonly homes: Homes;
}

/** The document of each candidate; null for one that is gone. */
export type Homes = ReadonlyMap<string, string | null>;

/** A candidate's words, its meaning, its document's, and words close together. */
export async function weigh(
  backend: Backend,
  words: readonly ScoredId[],
  meaning: readonly ScoredId[],
  worths: ReadonlyMap<string, number>,
): Promise<Weighed> {
  const homes = await homesOf(backend, [...words, ...meaning]);
  const byWord = wordsChannel(words, wordsCeiling(worths));
  const channels = [byWord, ...meaningChannels(meaning, byWord, (id) => homes.get(id) ?? null)];
  const best = fuse(channels).slice(0, REREAD);
  const chunks = await backend.chunksById(best.map(({ id }) => id));
  const shareOf = sharesTogether(worths);
  const shares = chunks.map((chunk) => ({ id: chunk.id, score: shareOf(indexedBody(chunk)) }));
  const together = togetherChannel(shares, byWord);
  return { channels: together === null ? channels : [...channels, together], homes };
}

async function homesOf(backend: Backend, candidates: readonly ScoredId[]): Promise<Homes> {
  const ids = [...new Set(candidates.map(({ id }) => id))];
  const homes = await backend.homes(ids);
  return new Map(ids.map((id, at) => [id, homes[at] ?? null]));
}
