import type { ChannelEvidence } from '../model/result.js';
import { byScore } from '../store/index/order.js';

/** One way of finding chunks, with what it found, best first. */
export interface Channel {
  readonly name: string;
  readonly matches: readonly ScoredId[];
  /** What a unit of this channel's score counts in the sum. */
  readonly weight: number;
  /** The score at which this channel says nothing. */
  readonly base: number;
  /** For chunks the channel knows nothing of (no vector yet). */
  readonly absent: number;
}

export interface ScoredId {
  readonly id: string;
  readonly score: number;
}

export interface Fused {
  readonly id: string;
  readonly score: number;
  readonly evidence: readonly ChannelEvidence[];
}

/** A channel by itself: its own scores stand. */
export const alone = (name: string, matches: readonly ScoredId[]): Channel => ({
  name,
  matches,
  weight: 1,
  base: 0,
  absent: 0,
});

/**
 * One ranking out of several: a chunk's score is the sum of weight × (score − base) over the channels. Equal scores
 * are ordered by id, so that an answer can be repeated.
 */
export function fuse(channels: readonly Channel[]): Fused[] {
  const found = new Map<string, { score: number; evidence: ChannelEvidence[] }>();
  for (const { matches } of channels) {
    for (const { id } of matches) found.set(id, { score: 0, evidence: [] });
  }
  for (const { name, weight, base, absent, matches } of channels) {
    const unseen = new Set(found.keys());
    let rank = 1;
    for (const [index, { id, score }] of matches.entries()) {
      // Equal scores share a rank, as the passages of one document do in its own channel.
      if (score !== matches[index - 1]?.score) rank = index + 1;
      const entry = found.get(id)!;
      entry.score += weight * (score - base);
      entry.evidence.push({ channel: name, rank, score, weight, base });
      unseen.delete(id);
    }
    for (const id of unseen) found.get(id)!.score += absent;
  }
  return [...found].map(([id, { score, evidence }]) => ({ id, score, evidence })).sort(byScore);
}
