import type { Word } from './words.js';

/**
 * Line numbers in the margin (laws, proofs, pleadings): numbers below each other, counting up, beside all other text.
 * Read with the lines they stand at they would look like a table's column, so they are taken out of them.
 */
export function splitLineNumbers(words: readonly Word[]): {
  text: readonly Word[];
  numbers: readonly Word[];
} {
  const candidates = words.filter((word) => numberOf(word) !== null);
  if (candidates.length < LEAST) return { text: words, numbers: [] };
  for (const edge of ['right', 'left'] as const) {
    for (const column of alignedBy(candidates, edge)) {
      if (!countsUp(column) || !standsAside(column, words)) continue;
      const numbers = new Set(column);
      return { text: words.filter((word) => !numbers.has(word)), numbers: column };
    }
  }
  return { text: words, numbers: [] };
}

// Fewer numbers below each other may be anything.
const LEAST = 8;

/** `12`, and `S32` or `33R` as proofs have them. */
function numberOf(word: Word): number | null {
  const match = /^[A-Z]?(\d{1,4})[A-Z]?$/.exec(word.text);
  return match === null ? null : Number(match[1]);
}

function alignedBy(words: readonly Word[], edge: 'left' | 'right'): Word[][] {
  const columns: Word[][] = [];
  for (const word of [...words].sort((a, b) => a[edge] - b[edge])) {
    const last = columns.at(-1);
    if (last && word[edge] - last.at(-1)![edge] < 0.7 * word.size) last.push(word);
    else columns.push([word]);
  }
  return columns
    .filter((column) => column.length >= LEAST)
    .map((column) => column.sort((a, b) => b.base - a.base));
}

function countsUp(column: readonly Word[]): boolean {
  const numbers = column.map((word) => numberOf(word)!);
  const step = numbers[1]! - numbers[0]!;
  if (step < 1 || step > 10) return false;
  let regular = 0;
  for (let at = 1; at < numbers.length; at++) if (numbers[at]! - numbers[at - 1]! === step) regular++;
  return regular >= 0.8 * (numbers.length - 1);
}

/** Nearly everything else stands on one side of the column, with a gap to it. */
function standsAside(column: readonly Word[], words: readonly Word[]): boolean {
  const left = Math.min(...column.map((word) => word.left));
  const right = Math.max(...column.map((word) => word.right));
  const others = words.length - column.length;
  const after = words.filter((word) => word.left > right).length;
  const before = words.filter((word) => word.right < left).length;
  return others > 2 * column.length && Math.max(after, before) >= 0.95 * others;
}
