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
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/uy;

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at);
    if (end > 0) tokens.push({ word: wordIn(text, at, end), start: at, end });
    at = end || at + 1;
  }
  return tokens;
}

/** Where the token that starts here ends; 0 for none. Every hit of a search is sketched: most of it needs no pattern. */
function tokenEnd(text: string, at: number): number {
  if (isUnified(text.charCodeAt(at))) return at + 1;
  let end = at;
  while (ASCII_WORD[text.charCodeAt(end)] === 1) end++;
  const next = text.charCodeAt(end);
  if (next < 0x80 || end === text.length || isUnified(next)) return end > at ? end : 0;
  TOKEN.lastIndex = at;
  return TOKEN.test(text) ? TOKEN.lastIndex : 0;
}

function wordIn(text: string, start: number, end: number): string {
  if (end === start + 1 && isUnified(text.charCodeAt(start))) return text[start]!;
  return normalText(text.slice(start, end)).toLowerCase();
}

/** Chinese characters of the main block, which NFKC leaves as they are. */
const isUnified = (code: number): boolean => code >= 0x4e00 && code <= 0x9fff;

const ASCII_WORD = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? 1 : 0,
);

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
  return sketchOfPairs(pairsOf(tokensOf(text)));
}

export function sketchOfPairs(pairs: readonly string[]): string {
  const low = new Tally();
  const high = new Tally();
  for (const pair of pairs) {
    low.add(hash(pair, 0x811c9dc5));
    high.add(hash(pair, 0x9747b28c));
  }
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(low.majority(), 0);
  bytes.writeInt32LE(high.majority(), 4);
  return bytes.toString('hex');
}

/**
 * How many of the added numbers have each of 32 bits set, counted for all bits at once: bit b of `#planes[p]` is digit p
 * of bit b's count. Adding costs a few operations instead of 32.
 */
class Tally {
  readonly #planes = new Int32Array(32);
  #added = 0;

  add(bits: number): void {
    const planes = this.#planes;
    this.#added++;
    for (let p = 0, carry = bits; carry !== 0; p++) {
      const digit = planes[p]!;
      planes[p] = digit ^ carry;
      carry &= digit;
    }
  }

  /** The bits that more than half of the numbers have. */
  majority(): number {
    const highest = 31 - Math.clz32(this.#added);
    let found = 0;
    for (let bit = 0; bit < 32; bit++) {
      let count = 0;
      for (let p = highest; p >= 0; p--) count = count * 2 + ((this.#planes[p]! >>> bit) & 1);
      if (count * 2 > this.#added) found |= 1 << bit;
    }
    return found;
  }
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
