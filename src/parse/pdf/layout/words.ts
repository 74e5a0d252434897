import { ODD, type PageGlyphs, type Turn } from '../glyphs.js';

/**
 * A word as it stands on the page, in a frame turned so that its text runs to the right and lines go down:
 * `left`–`right` along the line, `base` the baseline (greater is higher).
 */
export interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly size: number;
  readonly bold: boolean;
  readonly mono: boolean;
  /** Position in the order in which the page draws its words. */
  readonly order: number;
}

/** A page's words by the way they run, the way most of them run first. */
export interface TurnedWords {
  readonly turn: Turn;
  readonly words: readonly Word[];
}

// A gap wider than this share of the font size parts words. 0.1 is poppler's figure too: letter-spacing inside words
// stays below it, the narrowest justified spaces stay above.
const WORD_GAP = 0.1;
// An index or exponent this close is part of the word; TeX sets others off by the letter's slant.
const SCRIPT_GAP = 0.02;
// In text at odd angles the widths are not known, only the distance between the origins of two characters.
const ODD_GAP = 1.6;
// Two characters below each other may be a table's column.
const VERTICAL_RUN = 4;
const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;
const LETTER = /[\p{L}\p{N}]/u;

export const isCjk = (character: string): boolean => CJK.test(character);
const rightToLeft = (code: number): boolean =>
  code >= 0x590 && RIGHT_TO_LEFT.test(String.fromCodePoint(code));
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

export function wordsOf(glyphs: PageGlyphs): TurnedWords[] {
  const vertical = verticalRuns(glyphs);
  const byTurn = new Map<Turn, Word[]>();
  let from = 0;
  for (let at = 1; at <= glyphs.count; at++) {
    if (at < glyphs.count && (repeats(glyphs, at) || !parted(glyphs, from, at, vertical))) continue;
    const turn = turnAt(glyphs, from, vertical);
    const word = wordFrom(glyphs, from, at, turn, from);
    const list = byTurn.get(turn);
    if (list) list.push(word);
    else byTurn.set(turn, [word]);
    from = at;
  }
  return [...byTurn]
    .map(([turn, words]) => ({ turn, words }))
    .sort(
      (a, b) => (a.turn === ODD ? 1 : 0) - (b.turn === ODD ? 1 : 0) || letters(b.words) - letters(a.words),
    );
}

const letters = (words: readonly Word[]): number => words.reduce((sum, word) => sum + word.text.length, 0);

/** Vertical lines run down and stand from right to left: as if the page had been turned by a quarter. */
const turnAt = (glyphs: PageGlyphs, at: number, vertical: Uint8Array): Turn => {
  const { turn } = glyphs.style[at]!;
  return vertical[at] === 1 ? 3 : turn;
};

// A glyph in the frame of its direction: where it begins and ends along the line, and its baseline.
const leftOf = (g: PageGlyphs, at: number, turn: Turn): number =>
  turn === 0
    ? g.left[at]!
    : turn === 1
      ? g.bottom[at]!
      : turn === 2
        ? -g.right[at]!
        : turn === 3
          ? -g.top[at]!
          : g.x[at]!;
const rightOf = (g: PageGlyphs, at: number, turn: Turn): number =>
  turn === 0
    ? g.right[at]!
    : turn === 1
      ? g.top[at]!
      : turn === 2
        ? -g.left[at]!
        : turn === 3
          ? -g.bottom[at]!
          : g.x[at]!;
const baseOf = (g: PageGlyphs, at: number, turn: Turn): number =>
  turn === 1 ? -g.x[at]! : turn === 2 ? -g.y[at]! : turn === 3 ? g.x[at]! : g.y[at]!;

/** Bold is sometimes made by drawing the same string twice, a hair apart. (A ligature's letters share their place, too.) */
function repeats(g: PageGlyphs, at: number): boolean {
  if (g.codes[at] !== g.codes[at - 1] || g.object[at] === g.object[at - 1]) return false;
  const near = 0.15 * g.style[at]!.size;
  return Math.abs(g.x[at]! - g.x[at - 1]!) < near && Math.abs(g.y[at]! - g.y[at - 1]!) < near;
}

/** Does a new word begin at this glyph? */
function parted(g: PageGlyphs, from: number, at: number, vertical: Uint8Array): boolean {
  if (g.spaced[at] === 1) return true;
  const turn = turnAt(g, at, vertical);
  if (turn !== turnAt(g, at - 1, vertical)) return true;
  const [before, here] = [g.style[at - 1]!.size, g.style[at]!.size];
  if (turn === ODD) return Math.hypot(g.x[at]! - g.x[at - 1]!, g.y[at]! - g.y[at - 1]!) > ODD_GAP * here;
  const size = Math.max(before, here);
  if (isAccent(g.codes[at]!) && covers(g, at - 1, at, turn)) return false;
  if (isAccent(g.codes[at - 1]!) && covers(g, at, at - 1, turn)) return false;
  const rise = Math.abs(baseOf(g, at, turn) - baseOf(g, at - 1, turn));
  // Indices and exponents belong to the word they stand at, and so does the E of TeX.
  if (rise > (Math.min(before, here) < 0.85 * size ? 0.6 : 0.25) * size) return true;
  // A note's mark before its text is a word of its own.
  if (rise > 0.2 * size && before < here && g.style[from]!.size === before) return true;
  const gap = leftOf(g, at, turn) - rightOf(g, at - 1, turn);
  if (
    rightToLeft(g.codes[at]!) ||
    (rightToLeft(g.codes[at - 1]!) && !LETTER.test(String.fromCodePoint(g.codes[at]!)))
  ) {
    return Math.max(gap, leftOf(g, at - 1, turn) - rightOf(g, at, turn)) > WORD_GAP * size;
  }
  // Far back to the left: a new line or column, or something drawn over this one. A ligature's letters share a box.
  const shared = g.left[at] === g.left[at - 1] && g.top[at] === g.top[at - 1];
  const limit = Math.min(before, here) < 0.85 * size ? SCRIPT_GAP : WORD_GAP;
  return gap > limit * size || (gap < -0.6 * size && !shared);
}

function wordFrom(g: PageGlyphs, from: number, end: number, turn: Turn, order: number): Word {
  let text = '';
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let [base, size] = [0, 0];
  let [bold, mono] = [true, true];
  let compose = false;
  for (let at = from; at < end; at++) {
    if (at > from && repeats(g, at)) continue;
    const code = g.codes[at]!;
    if (isAccent(code) || (at > from && isAccent(g.codes[at - 1]!))) {
      text += accented(text, g, from, at, end, turn);
      compose = true;
    } else {
      text += String.fromCodePoint(code);
      compose ||= code >= 0x300 && code < 0x370;
    }
    left = Math.min(left, leftOf(g, at, turn));
    right = Math.max(right, rightOf(g, at, turn));
    const style = g.style[at]!;
    if (style.size > size) {
      size = style.size;
      base = baseOf(g, at, turn);
    }
    bold &&= style.bold;
    mono &&= style.mono;
  }
  return { text: compose ? text.normalize('NFC') : text, left, right, base, size, bold, mono, order };
}

/** Accents that old TeX fonts draw as characters of their own, over the letter before or after them. */
const ACCENTS = new Map<number, string>([
  [0x60, '\u0300'],
  [0xb4, '\u0301'],
  [0x2c6, '\u0302'],
  [0x5e, '\u0302'],
  [0x2dc, '\u0303'],
  [0x7e, '\u0303'],
  [0xaf, '\u0304'],
  [0x2c9, '\u0304'],
  [0x2d8, '\u0306'],
  [0x2d9, '\u0307'],
  [0xa8, '\u0308'],
  [0x2da, '\u030a'],
  [0x2dd, '\u030b'],
  [0x2c7, '\u030c'],
  [0xb8, '\u0327'],
]);

const isAccent = (code: number): boolean => code >= 0x5e && code < 0x2de && ACCENTS.has(code);

/** What to write for a glyph: itself; nothing for an accent that goes onto the next letter; its letter and that accent. */
function accented(text: string, g: PageGlyphs, from: number, at: number, end: number, turn: Turn): string {
  const here = String.fromCodePoint(g.codes[at]!);
  const mark = ACCENTS.get(g.codes[at]!);
  if (mark !== undefined) {
    if (at + 1 < end && covers(g, at + 1, at, turn)) return '';
    return at > from && LETTER_LAST.test(text) && covers(g, at - 1, at, turn) ? mark : here;
  }
  const before = at > from ? ACCENTS.get(g.codes[at - 1]!) : undefined;
  return before !== undefined && covers(g, at, at - 1, turn) ? here + before : here;
}

const LETTER_LAST = /\p{L}$/u;

/** Does the accent stand over the letter? */
function covers(g: PageGlyphs, letter: number, accent: number, turn: Turn): boolean {
  if (!LETTER.test(String.fromCodePoint(g.codes[letter]!))) return false;
  const middle = (leftOf(g, accent, turn) + rightOf(g, accent, turn)) / 2;
  return middle > leftOf(g, letter, turn) && middle < rightOf(g, letter, turn);
}

/** Which glyphs stand in vertical lines: runs of ideographs drawn one below the other. */
function verticalRuns(g: PageGlyphs): Uint8Array {
  const vertical = new Uint8Array(g.count);
  let from = 0;
  for (let at = 1; at <= g.count; at++) {
    if (at < g.count && standsBelow(g, at)) continue;
    if (at - from >= VERTICAL_RUN) vertical.fill(1, from, at);
    from = at;
  }
  return vertical;
}

function standsBelow(g: PageGlyphs, at: number): boolean {
  if (g.style[at]!.turn !== 0 || !ideograph(g.codes[at]!) || !ideograph(g.codes[at - 1]!)) return false;
  const size = g.style[at]!.size;
  const fall = g.y[at - 1]! - g.y[at]!;
  return Math.abs(g.x[at]! - g.x[at - 1]!) < 0.3 * size && fall > 0.5 * size && fall < 2 * size;
}

const ideograph = (code: number): boolean =>
  (code >= 0x3000 && code < 0xa000) || (code >= 0xac00 && code < 0xd7a4) || (code >= 0xff01 && code < 0xff61);
