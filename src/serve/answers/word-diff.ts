import type { Colours } from '../cli/terminal.js';

interface Piece {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Words, spaces, and every Chinese character or mark by itself. */
const TOKENS = /[\p{L}\p{N}_]+?(?=\p{Script=Han}|[^\p{L}\p{N}_]|$)|\p{Script=Han}|\s+|./gsu;

/** The table of the longest common subsequence has this many cells at most: 64 MB would be 16 million of 4 bytes. */
const MOST_CELLS = 4_000_000;

/** Two texts that share less than this are better read one after the other. */
const LEAST_SHARED = 0.5;

/** Of what stayed the same, so much is shown around a change, in characters. */
const AROUND = 60;

/**
 * What became of a quotation, word by word: `waits [-ten-]{+five+} minutes`, with colours where there are any. Null where
 * the texts have too little in common, or are too long to compare.
 */
export function wordDiff(before: string, after: string, paint: Colours): string | null {
  const pieces = piecesOf(before.match(TOKENS) ?? [], after.match(TOKENS) ?? []);
  if (pieces === null) return null;
  const shared = pieces.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0);
  if (shared < LEAST_SHARED * Math.max(before.length, after.length)) return null;
  return pieces
    .map(({ kind, text }, at) => {
      if (kind === 'gone') return paint.red(`[-${text}-]`);
      if (kind === 'new') return paint.green(`{+${text}+}`);
      return aroundChanges(text, at > 0, at < pieces.length - 1);
    })
    .join('');
}

/** A word that was cut. Chinese may be cut anywhere. */
const WORD_AT_END = /(?:(?!\p{Script=Han})[\p{L}\p{N}_])+$/u;
const WORD_AT_START = /^(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/u;

/** The words next to a change; a long stretch between two changes is shortened in its middle. */
function aroundChanges(text: string, follows: boolean, precedes: boolean): string {
  if ((follows ? AROUND : 0) + (precedes ? AROUND : 0) >= text.length) return text;
  const head = follows ? text.slice(0, AROUND).replace(WORD_AT_END, '') : '';
  const tail = precedes ? text.slice(text.length - AROUND).replace(WORD_AT_START, '') : '';
  return `${head.trimEnd()}${follows ? ' ' : ''}…${precedes ? ' ' : ''}${tail.trimStart()}`;
}

function piecesOf(before: readonly string[], after: readonly string[]): readonly Piece[] | null {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const middle = changedPieces(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  if (middle === null) return null;
  const same = (words: readonly string[]): Piece[] =>
    words.length === 0 ? [] : [{ kind: 'same', text: words.join('') }];
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

/** By the longest common subsequence; runs of changes are gathered, so that spaces between changed words do not part them. */
function changedPieces(before: readonly string[], after: readonly string[]): Piece[] | null {
  const columns = after.length + 1;
  if ((before.length + 1) * columns > MOST_CELLS) return null;
  const longest = new Uint32Array((before.length + 1) * columns);
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      longest[row * columns + column] =
        before[row] === after[column]
          ? longest[(row + 1) * columns + column + 1]! + 1
          : Math.max(longest[(row + 1) * columns + column]!, longest[row * columns + column + 1]!);
  const pieces: Piece[] = [];
  let [gone, fresh, row, column] = ['', '', 0, 0];
  const flush = (): void => {
    if (gone !== '') pieces.push({ kind: 'gone', text: gone });
    if (fresh !== '') pieces.push({ kind: 'new', text: fresh });
    [gone, fresh] = ['', ''];
  };
  while (row < before.length || column < after.length) {
    const word = before[row];
    if (row < before.length && column < after.length && word === after[column]) {
      const isGap = word!.trim() === '' && (gone !== '' || fresh !== '') && changesNext(row + 1, column + 1);
      if (isGap) [gone, fresh] = [gone + word, fresh + word];
      else {
        flush();
        const last = pieces.at(-1);
        if (last?.kind === 'same') pieces[pieces.length - 1] = { kind: 'same', text: last.text + word };
        else pieces.push({ kind: 'same', text: word! });
      }
      row++;
      column++;
    } else if (
      column === after.length ||
      (row < before.length && longest[(row + 1) * columns + column]! >= longest[row * columns + column + 1]!)
    )
      gone += before[row++];
    else fresh += after[column++];
  }
  flush();
  return pieces;

  function changesNext(nextRow: number, nextColumn: number): boolean {
    return nextRow < before.length && nextColumn < after.length && before[nextRow] !== after[nextColumn];
  }
}
