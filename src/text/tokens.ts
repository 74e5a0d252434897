/**
 * How many tokens a model would count, without its tokenizer: a linear estimate over character classes, fitted to
 * o200k (mean error 3.9 % Chinese, 5.6 % English; November 2026). tiktoken is exact but 60 times slower.
 */
const HAN = 0.71;
const LETTER = 0.071;
const WORD = 0.733;
const DIGIT = 1.057;
const PUNCTUATION = 0.499;
const OTHER = 0.796;
const NEWLINE = 1.141;

/** Weight of every ASCII character by itself; a letter that starts a word costs `WORD` more. */
const ASCII = new Float64Array(128);
const IS_LETTER = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) {
    ASCII[code] = LETTER;
    IS_LETTER[code] = 1;
  } else if (code >= 48 && code <= 57) ASCII[code] = DIGIT;
  else if (code === 10) ASCII[code] = NEWLINE;
  else if (code > 32 && code < 127) ASCII[code] = PUNCTUATION;
}

export function estimateTokens(text: string): number {
  return tokensBetween(text, 0, text.length);
}

/** `estimateTokens(text.slice(start, end))` without the slice. */
export function tokensBetween(text: string, start: number, end: number): number {
  let weight = 0;
  let inWord = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      const letter = IS_LETTER[code]!;
      weight += ASCII[code]!;
      if (letter > inWord) weight += WORD;
      inWord = letter;
    } else {
      weight += isHan(code) ? HAN : OTHER;
      inWord = 0;
    }
  }
  return Math.ceil(weight - 1e-9);
}

const isHan = (code: number): boolean =>
  (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff);
