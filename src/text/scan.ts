import { classOf, classOfPair, DENSE, DIGIT, foldHan, NONE } from './characters.js';
import { charTerm, pairTerm, type Term, termFor } from './terms.js';
import { termOf, type Word, wordAt } from './word.js';

/** A plain word, or one word of a compound (`boundary-layer`, `max_chunk_size`, `foo.bar`). */
export const WORD = 0;
/** A function word. */
export const STOP = 1;
/** A word inside `getUserById`, or `1.2` inside `1.2.3`: found by it, but it weighs little. */
export const PART = 2;
/** A compound as one term without its connectors, so that `e-mail`, `getUserById` and `get_user_by_id` meet. */
export const WHOLE = 3;
/** One character of a dense script. */
export const CHAR = 4;
/** Two neighbouring characters of a dense script. */
export const PAIR = 5;
export type TermKind = typeof WORD | typeof STOP | typeof PART | typeof WHOLE | typeof CHAR | typeof PAIR;

/** `surface` is the term before stemming. */
export type Visit = (kind: TermKind, term: Term, start: number, end: number, surface: string) => void;

/**
 * Every term of a text (already under NFKC), in order of its start; a compound's whole comes before its words. With
 * `dense`, only characters and pairs of these (folded) characters of dense scripts: who looks for a few words need not
 * be shown every pair.
 */
export function scanTokens(text: string, visit: Visit, dense?: ReadonlySet<number>): void {
  let at = 0;
  while (at < text.length) {
    const kind = classAt(text, at);
    if (kind === NONE) at++;
    else if (kind === DENSE) at = scanDense(text, at, visit, dense);
    else at = scanWord(text, at, visit);
  }
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return classOf(code);
  return code < 0xdc00 ? classOfPair(text.codePointAt(at)!) : NONE;
}

const widthAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00 ? 2 : 1;
};

function scanDense(text: string, from: number, visit: Visit, only?: ReadonlySet<number>): number {
  let at = from;
  let before = -1;
  let beforeStart = from;
  while (at < text.length && classAt(text, at) === DENSE) {
    const end = at + widthAt(text, at);
    const code = end === at + 1 ? foldHan(text.charCodeAt(at)) : text.codePointAt(at)!;
    const isAsked = only === undefined || only.has(code);
    if (isAsked && before >= 0) {
      const pair =
        before < 0x10000 && code < 0x10000
          ? pairTerm(before, code)
          : termFor(String.fromCodePoint(before, code));
      visit(PAIR, pair, beforeStart, end, pair.text);
    }
    if (isAsked) {
      const char = code < 0x10000 ? charTerm(code) : termFor(String.fromCodePoint(code));
      visit(CHAR, char, at, end, char.text);
    }
    before = isAsked ? code : -1;
    beforeStart = at;
    at = end;
    // Hard-wrapped Chinese: a line break inside a word is no break.
    if (text.charCodeAt(at) === 10 && at + 1 < text.length && classAt(text, at + 1) === DENSE) at++;
  }
  return at;
}

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly word: Word;
}

function scanWord(text: string, from: number, visit: Visit): number {
  let end = runEnd(text, from);
  const joint = jointAt(text, end);
  if (joint === 0) {
    const signed = end === from + 1 ? visitLetterSign(text, from, end, visit) : 0;
    if (signed > 0) return signed;
    visitWord(wordAt(text, from, end), from, visit);
    return end;
  }
  const segments: Segment[] = [segment(text, from, end)];
  const joints: number[] = [];
  for (let next = joint; next !== 0; next = jointAt(text, end)) {
    let start = end + 1;
    while (text.charCodeAt(start) === UNDERSCORE) start++;
    if (start > end + 1 && classAt(text, start) === NONE) break;
    end = runEnd(text, start);
    joints.push(next);
    segments.push(segment(text, start, end));
  }
  visitCompound(segments, joints, visit);
  return end;
}

const segment = (text: string, start: number, end: number): Segment => ({
  start,
  end,
  word: wordAt(text, start, end),
});

/** 1 for letters and digits: English is most of what is scanned. */
const ASCII_WORD = Uint8Array.from({ length: 0x80 }, (_, code) => (classOf(code) === NONE ? 0 : 1));

function runEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      if (ASCII_WORD[code] === 0) break;
      continue;
    }
    const kind = classAt(text, at);
    if (kind === NONE || kind === DENSE) break;
    if (widthAt(text, at) === 2) at++;
  }
  return at;
}

const SPACE = 32;
const UNDERSCORE = 95;
const HYPHEN = 45;
const HYPHEN_2 = 0x2010;
const DOT = 46;
const COMMA = 44;
const QUOTE = 39;
const QUOTE_2 = 0x2019;

/** The connector between two runs (0: none). Only between word characters: a full stop ends a word. */
function jointAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === SPACE) return 0;
  if (code === UNDERSCORE) {
    let next = at + 1;
    while (text.charCodeAt(next) === UNDERSCORE) next++;
    return isWordAt(text, next) ? code : 0;
  }
  if (code === HYPHEN || code === HYPHEN_2) return isWordAt(text, at + 1) ? HYPHEN : 0;
  if (code === DOT) return isWordAt(text, at + 1) ? DOT : 0;
  if (code === QUOTE || code === QUOTE_2) return isWordAt(text, at + 1) ? QUOTE : 0;
  if (code === COMMA) return isThousands(text, at) ? COMMA : 0;
  return 0;
}

const isWordAt = (text: string, at: number): boolean => {
  if (at >= text.length) return false;
  const kind = classAt(text, at);
  return kind !== NONE && kind !== DENSE;
};

const isDigitAt = (text: string, at: number): boolean =>
  at >= 0 && at < text.length && classAt(text, at) === DIGIT;

/** `12,345`: the comma has digits before it and exactly three after. */
const isThousands = (text: string, at: number): boolean =>
  isDigitAt(text, at - 1) &&
  isDigitAt(text, at + 1) &&
  isDigitAt(text, at + 2) &&
  isDigitAt(text, at + 3) &&
  !isDigitAt(text, at + 4);

/** C++, C#, F#: a single letter with its sign. Gives the new end, or 0. */
function visitLetterSign(text: string, from: number, end: number, visit: Visit): number {
  if (classAt(text, from) === DIGIT) return 0;
  const sign = text.startsWith('++', end) ? '++' : text[end] === '#' ? '#' : '';
  if (!sign || isWordAt(text, end + sign.length)) return 0;
  const term = text[from]!.toLowerCase() + sign;
  visit(WORD, termFor(term), from, end + sign.length, term);
  return end + sign.length;
}

function visitWord(word: Word, start: number, visit: Visit): void {
  if (!word.parts) {
    visit(word.stop ? STOP : WORD, word.term, start, start + word.raw.length, word.surface);
    return;
  }
  visit(WORD, word.term, start, start + word.raw.length, word.surface);
  for (const part of word.parts) {
    if (!part.stop) visit(PART, part.term, start + part.start, start + part.end, part.term.text);
  }
}

const CONTRACTED = new Set(['s', 't', 're', 've', 'll', 'd', 'm']);

function visitCompound(segments: readonly Segment[], joints: readonly number[], visit: Visit): void {
  const first = segments[0]!;
  const last = segments.at(-1)!;
  if (segments.length === 2 && joints[0] === QUOTE && CONTRACTED.has(last.word.surface)) {
    visitContraction(first, last, visit);
    return;
  }
  const units = joinNumbers(segments, joints);
  if (units.length > 1 && units.length <= MOST_JOINED) {
    const joined = units.map((unit) => unit.surface).join('');
    visit(WHOLE, termOf(joined).term, first.start, last.end, joined);
  }
  for (const unit of units) {
    if (unit.word) visitWord(unit.word, unit.start, visit);
    else visitNumber(unit, visit);
  }
}

// A dotted line or a path of hyphens is no name.
const MOST_JOINED = 8;

/** `it's` is `it`, `don't` is `not`, `John's` is `John`. */
function visitContraction(first: Segment, last: Segment, visit: Visit): void {
  if (last.word.surface === 't') visit(STOP, termFor('not'), first.start, last.end, `${first.word.surface}t`);
  else visitWord(first.word, first.start, visit);
}

/** A word, or a number written with dots or commas (then without `word`). */
interface Unit {
  readonly start: number;
  readonly end: number;
  readonly surface: string;
  readonly word: Word | null;
}

const VERSION_START = /^v?\d+$/;
const DIGITS = /^\d+$/;

/** `v1.2.3` and `12,345` are one number each, not three words. */
function joinNumbers(segments: readonly Segment[], joints: readonly number[]): Unit[] {
  const units: Unit[] = [];
  for (let index = 0; index < segments.length; index++) {
    const { start, end, word } = segments[index]!;
    const joint = index > 0 ? joints[index - 1]! : 0;
    const before = units.at(-1);
    const numeric = joint === DOT || joint === COMMA;
    if (before && numeric && DIGITS.test(word.surface) && /^v?\d[\d.]*$/.test(before.surface)) {
      const base = VERSION_START.test(before.surface) ? before.surface.replace(/^v/, '') : before.surface;
      const surface = joint === DOT ? `${base}.${word.surface}` : base + word.surface;
      units[units.length - 1] = { start: before.start, end, surface, word: null };
    } else {
      units.push({ start, end, surface: word.surface, word });
    }
  }
  return units;
}

function visitNumber(unit: Unit, visit: Visit): void {
  visit(WORD, termFor(unit.surface), unit.start, unit.end, unit.surface);
  const numbers = unit.surface.split('.');
  for (let count = 2; count < Math.min(numbers.length, 4); count++) {
    visit(PART, termFor(numbers.slice(0, count).join('.')), unit.start, unit.end, unit.surface);
  }
}
