import { normalText } from './normalise.js';

/**
 * How alike two passages are, whatever their language: pairs of neighbouring words, and of neighbouring characters
 * where words are written without spaces. Single words would make any two English passages alike.
 */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;

export function tokensOf(text: string): readonly Token[] {
  return Array.from(text.matchAll(TOKEN), ({ 0: word, index }) => ({
    word: normalText(word).toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}

/** Pair `i` is of the tokens `i` and `i + 1`. A single word stands for itself. */
export function pairsOf(tokens: readonly Token[]): readonly string[] {
  if (tokens.length === 1) return [tokens[0]!.word];
  return tokens.slice(1).map(({ word }, i) => `${tokens[i]!.word} ${word}`);
}

/** Dice's coefficient over pairs, repeats counted: 1 for the same words in the same order, near 0 for others. */
export function likeness(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1;
  const counts = countsOf(a);
  let shared = 0;
  for (const pair of b) {
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    counts.set(pair, left - 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length);
}

export function countsOf(pairs: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return counts;
}

/**
 * A passage in 64 bits (Charikar's simhash over pairs, as 16 hexadecimal digits): passages that are alike differ in
 * few of them. It goes with a citation, so that a changed passage can be told from a vanished one when nobody has the
 * old text any more.
 */
export function sketch(text: string): string {
  return sketchOf(pairsOf(tokensOf(text)));
}

export function sketchOf(pairs: readonly string[]): string {
  const votes = new Int32Array(64);
  for (const pair of pairs) {
    const low = hash(pair, 0x811c9dc5);
    const high = hash(pair, 0x9747b28c);
    for (let bit = 0; bit < 32; bit++) {
      votes[bit]! += (low >>> bit) & 1 ? 1 : -1;
      votes[bit + 32]! += (high >>> bit) & 1 ? 1 : -1;
    }
  }
  const bytes = Buffer.alloc(8);
  for (let bit = 0; bit < 64; bit++) if (votes[bit]! > 0) bytes[bit >> 3]! |= 1 << (bit & 7);
  return bytes.toString('hex');
}

/** FNV-1a, then murmur3's last step: FNV alone leaves the high bits too much alike for short strings. */
function hash(text: string, seed: number): number {
  let h = seed;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** In how many of 64 bits they differ: 0 for the same passage, about 32 for unrelated ones. */
export function sketchDistance(a: string, b: string): number {
  let distance = 0;
  for (let at = 0; at < 16; at++) {
    let bits = Number.parseInt(a[at]!, 16) ^ Number.parseInt(b[at]!, 16);
    for (; bits > 0; bits &= bits - 1) distance++;
  }
  return distance;
}
