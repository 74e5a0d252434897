import { indexedBody } from '../model/indexed.js';
import type { Backend } from '../store/backend.js';
import { meaningChannels, togetherChannel, wordsChannel } from './balance.js';
import { type Channel, fuse, type ScoredId } from './fuse.js';
import { sharesTogether, wordsCeiling } from './words.js';

/** So many of the best are read once more, for the words that stand together in them; more gained nothing. */
const REREAD = 30;

/** What speaks for each candidate of a question: its words, its meaning, its document, and words close together. */
export async function weigh(
  backend: Backend,
  words: readonly ScoredId[],
  meaning: readonly ScoredId[],
  worths: ReadonlyMap<string, number>,
): Promise<Channel[]> {
  const byWord = wordsChannel(words, wordsCeiling(worths));
  const channels = [
    byWord,
    ...meaningChannels(meaning, byWord, await homesOf(backend, [...words, ...meaning])),
  ];
  const best = fuse(channels).slice(0, REREAD);
  const chunks = await backend.chunksById(best.map(({ id }) => id));
  const shareOf = sharesTogether(worths);
  const shares = chunks.map((chunk) => ({ id: chunk.id, score: shareOf(indexedBody(chunk)) }));
  const together = togetherChannel(shares, byWord);
  return together === null ? channels : [...channels, together];
}

async function homesOf(
  backend: Backend,
  candidates: readonly ScoredId[],
): Promise<(id: string) => string | null> {
  const ids = [...new Set(candidates.map(({ id }) => id))];
  const homes = await backend.homes(ids);
  const known = new Map(ids.map((id, at) => [id, homes[at] ?? null]));
  return (id) => known.get(id) ?? null;
}
