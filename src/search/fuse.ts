import type { ChannelEvidence } from '../model/result.js';

/** One way of finding chunks, with what it found, best first. */
export interface Channel {
  readonly name: string;
  readonly weight: number;
  readonly matches: readonly { readonly id: string; readonly score: number }[];
}

export interface Fused {
  readonly id: string;
  readonly score: number;
  readonly evidence: readonly ChannelEvidence[];
}

/**
 * One ranking out of several. With one channel its own scores stand. With more, each channel's scores are brought to
 * 0…1 between its worst and best candidate, and added by weight; what a channel did not find counts 0 there.
 * Equal scores are ordered by id, so that an answer can be repeated.
 */
export function fuse(channels: readonly Channel[]): Fused[] {
  const single = channels.length === 1;
  const found = new Map<string, { score: number; evidence: ChannelEvidence[] }>();
  for (const { name, weight, matches } of channels) {
    const best = matches[0]?.score ?? 0;
    const worst = matches.at(-1)?.score ?? 0;
    const range = best - worst || 1;
    for (const [index, { id, score }] of matches.entries()) {
      const entry = found.get(id) ?? { score: 0, evidence: [] };
      entry.score += single ? score : (weight * (score - worst)) / range;
      entry.evidence.push({ channel: name, rank: index + 1, score, weight: single ? 1 : weight });
      found.set(id, entry);
    }
  }
  return [...found]
    .map(([id, { score, evidence }]) => ({ id, score, evidence }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
