/**
 * The tokens of JSON, read from its bytes (UTF-8): a string of the whole file would be as large again, twice so where one
 * character of it is no Latin-1.
 */

export const QUOTE = 0x22;
const SLASH = 0x2f;
const STAR = 0x2a;
const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;

/** What a literal holds beside ASCII as it is: escapes or control characters, and characters of several bytes. */
export const SPECIAL = 1;
export const MULTIBYTE = 2;
/** `~` or `/`, which a pointer escapes. */
export const IN_POINTER = 4;

const PLAIN = 0;
const ENDS = 8;
const ESCAPES = 16;
/** What each byte means inside a literal. (Of several that make a character, only the first is looked at.) */
const MEANING = new Uint8Array(256).fill(SPECIAL, 0, 0x20).fill(MULTIBYTE, 0x80);
MEANING[QUOTE] = ENDS;
MEANING[BACKSLASH] = ESCAPES;
MEANING[0x7e] = IN_POINTER;
MEANING[SLASH] = IN_POINTER;

/** Reads from `at`, which each method moves past what it has read. */
export class JsonBytes {
  readonly bytes: Buffer;
  at: number;
  /** How many UTF-16 units fewer than bytes there were so far: sizes are told in units, as everywhere. */
  spare = 0;
  /** What the last literal holds: SPECIAL, MULTIBYTE, IN_POINTER. */
  holds = 0;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A literal with its quotes; false where there is none, or it has no end. */
  string(): boolean {
    const { bytes } = this;
    if (bytes[this.at] !== QUOTE) return false;
    let holds = 0;
    let spare = 0;
    for (let at = this.at + 1; at < bytes.length; at++) {
      const meaning = MEANING[bytes[at]!]!;
      if (meaning === PLAIN) continue;
      if (meaning === ENDS) {
        this.at = at + 1;
        this.spare += spare;
        this.holds = holds;
        return true;
      }
      if (meaning === MULTIBYTE) {
        const more = moreBytes(bytes[at]!);
        at += more;
        // Four bytes are a pair of units.
        spare += more === 3 ? 2 : more;
        holds |= MULTIBYTE;
      } else if (meaning === ESCAPES) {
        holds |= SPECIAL;
        // What is escaped is ASCII, or else an error that the reader of the value forgives.
        if (bytes[at + 1]! < 0x80) at++;
      } else holds |= meaning;
    }
    return false;
  }

  /** A number, `true`, `false`, `null`, and what some programs write for numbers that are none. */
  scalar(): boolean {
    const end = numberEnd(this.bytes, this.at);
    if (end >= 0) {
      this.at = end;
      return true;
    }
    for (const word of WORDS) {
      if (this.bytes.toString('latin1', this.at, this.at + word.length) !== word) continue;
      const after = this.at + word.length;
      if (isWord(this.bytes[after])) return false;
      this.at = after;
      return true;
    }
    return false;
  }

  /** White space and comments. */
  space(): void {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === 32 || byte === NEWLINE || byte === 9 || byte === 13) this.at += 1;
      else if ((byte !== SLASH && byte !== 0xef) || !this.#comment()) return;
    }
  }

  /** A comment, or a byte order mark. */
  #comment(): boolean {
    const { bytes, at } = this;
    let end = -1;
    if (bytes[at] === 0xef) end = bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf ? at + 3 : -1;
    else if (bytes[at + 1] === SLASH) {
      const newline = bytes.indexOf(NEWLINE, at);
      end = newline < 0 ? bytes.length : newline;
    } else if (bytes[at + 1] === STAR) {
      const last = bytes.indexOf('*/', at + 2, 'latin1');
      end = last < 0 ? -1 : last + 2;
    }
    if (end < 0) return false;
    this.spare += end - at - unitsOf(bytes, at, end);
    this.at = end;
    return true;
  }
}

/** How many bytes follow the first of a character that has several. */
const moreBytes = (first: number): number => (first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3);

/** How long whole characters are as a string. */
export function unitsOf(bytes: Uint8Array, start: number, end: number): number {
  let spare = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at]! < 0x80) continue;
    const more = moreBytes(bytes[at]!);
    at += more;
    spare += more === 3 ? 2 : more;
  }
  return end - start - spare;
}

/** After the closing quote of a literal that has one. */
export function literalEnd(bytes: Buffer, start: number, isSpecial: boolean): number {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (isSpecial && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end + 1;
}

function isEscaped(bytes: Uint8Array, quote: number): boolean {
  let escapes = 0;
  while (bytes[quote - 1 - escapes] === BACKSLASH) escapes += 1;
  return escapes % 2 === 1;
}

const WORDS = ['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity'];

/** `-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?`, with no letter, digit or point after it; else -1. */
function numberEnd(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === 0x2d ? from + 1 : from;
  const first = bytes[at]!;
  if (!isDigit(first)) return -1;
  at = first === 0x30 ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === 0x2e && isDigit(bytes[at + 1])) at = digitsEnd(bytes, at + 1);
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    const sign = bytes[at + 1];
    const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    if (isDigit(bytes[digits])) at = digitsEnd(bytes, digits);
  }
  return isWord(bytes[at]) || bytes[at] === 0x2e ? -1 : at;
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const isWord = (byte: number | undefined): boolean =>
  byte !== undefined &&
  (isDigit(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f);
