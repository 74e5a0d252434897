import { isRightToLeft, type Word } from './words.js';

/** Words on one baseline, across the whole width they were taken from, in reading direction. */
export interface Row {
  readonly words: readonly Word[];
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly size: number;
}

type OpenRow = { words: Word[]; base: number; size: number };

/** Top to bottom. Indices and exponents go with the row they stand at. */
export function rowsOf(words: readonly Word[]): Row[] {
  const rows: OpenRow[] = [];
  for (const word of [...words].sort((a, b) => b.base - a.base || a.left - b.left)) {
    const row = nearRow(rows, word);
    if (row === undefined) rows.push({ words: [word], base: word.base, size: word.size });
    else {
      row.words.push(word);
      if (word.size > row.size) Object.assign(row, { size: word.size, base: word.base });
    }
  }
  return attachScripts(rows).map(finish);
}

// Rows come sorted, so only the last few can be near.
function nearRow(rows: readonly OpenRow[], word: Word): OpenRow | undefined {
  for (let at = rows.length - 1; at >= Math.max(0, rows.length - 3); at--) {
    const row = rows[at]!;
    if (Math.abs(row.base - word.base) <= 0.3 * Math.min(row.size, word.size)) return row;
  }
  return undefined;
}

/** A small word off the baseline but right beside a bigger one is its index or exponent. */
function attachScripts(rows: readonly OpenRow[]): OpenRow[] {
  const kept: OpenRow[] = [];
  for (const [at, row] of rows.entries()) {
    const stay = row.words.filter((word) => {
      const host = [rows[at + 1], rows[at - 1]].find((other) => other !== undefined && hosts(other, word));
      host?.words.push(word);
      return host === undefined;
    });
    if (stay.length > 0) {
      row.words = stay;
      kept.push(row);
    } else row.words = [];
  }
  return kept;
}

function hosts(row: OpenRow, word: Word): boolean {
  if (word.size > 0.85 * row.size) return false;
  const rise = word.base - row.base;
  if (rise > 0.65 * row.size || rise < -0.4 * row.size) return false;
  const reach = 0.3 * row.size;
  return row.words.some(
    (other) =>
      other.size > word.size &&
      (Math.abs(word.left - other.right) < reach || Math.abs(other.left - word.right) < reach),
  );
}

function finish(row: OpenRow): Row {
  const rightToLeft = row.words.filter((word) => isRightToLeft(word.text)).length * 2 > row.words.length;
  row.words.sort(rightToLeft ? (a, b) => b.right - a.right : (a, b) => a.left - b.left);
  return { words: row.words, base: row.base, size: row.size, ...extent(row.words) };
}

/** From the leftmost to the rightmost. (No spread into Math.min: a page may have more words than a call arguments.) */
export function extent(spans: readonly { readonly left: number; readonly right: number }[]): {
  left: number;
  right: number;
} {
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (span.left < left) left = span.left;
    if (span.right > right) right = span.right;
  }
  return { left, right };
}
