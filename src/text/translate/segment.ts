/** The longest word that is looked for, in characters. */
const LONGEST = 8;
/** A character by itself is seldom a word: two of them cost more than one word of two. */
const LONE = 1.5;

/** A word's place among characters: from the first up to, not including, the last. */
export type WordSpan = readonly [from: number, to: number];

/**
 * Chinese characters as words of a dictionary, as few as possible: 南京市|长江大桥, not 南京|市长|江|大桥. Of two ways with as many
 * words the one with the longer word first. What no word holds stands alone.
 */
export function segment(chars: readonly string[], isWord: (word: string) => boolean): WordSpan[] {
  const costs = [0];
  const starts = [0];
  for (let end = 1; end <= chars.length; end++) {
    costs[end] = costs[end - 1]! + LONE;
    starts[end] = end - 1;
    for (let start = end - 2; start >= Math.max(0, end - LONGEST); start--) {
      const cost = costs[start]! + 1;
      if (cost > costs[end]! || !isWord(chars.slice(start, end).join(''))) continue;
      if (cost === costs[end]! && starts[end] !== end - 1) continue;
      costs[end] = cost;
      starts[end] = start;
    }
  }
  const words: WordSpan[] = [];
  for (let end = chars.length; end > 0; end = starts[end]!) words.unshift([starts[end]!, end]);
  return words;
}
