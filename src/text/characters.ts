import { HAN_FROM, HAN_TO } from './lexicon/han-fold.js';

/**
 * What kind of character stands at a UTF-16 unit. *Dense* scripts write words without spaces (Chinese, Japanese,
 * Thai, …) or join particles to them (Korean): they are indexed by single characters and pairs.
 */
export const NONE = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
export const OTHER = 4;
export const DENSE = 5;
const UNKNOWN = 255;

const DENSE_CHAR =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々〇]/u;
const LETTER_OR_MARK = /[\p{L}\p{M}\p{N}]/u;

// Filled as characters are met: classifying all 65,536 at start would cost 20 ms of every command.
const classes = new Uint8Array(0x10000).fill(UNKNOWN);
const astral = new Map<number, number>();

export function classOf(code: number): number {
  const known = classes[code]!;
  if (known !== UNKNOWN) return known;
  classes[code] = classify(String.fromCharCode(code));
  return classes[code]!;
}

/** Beyond the basic plane: rare Chinese characters are dense, emoji are nothing. */
export function classOfPair(codePoint: number): number {
  const known = astral.get(codePoint);
  if (known !== undefined) return known;
  const found = classify(String.fromCodePoint(codePoint));
  astral.set(codePoint, found);
  return found;
}

function classify(char: string): number {
  if (!LETTER_OR_MARK.test(char)) return NONE;
  if (DENSE_CHAR.test(char)) return DENSE;
  if (/\p{Nd}/u.test(char)) return DIGIT;
  if (/\p{Lu}/u.test(char)) return UPPER;
  if (/\p{Ll}/u.test(char)) return LOWER;
  return OTHER;
}

let hanFold: Uint16Array | undefined;

/** Traditional characters as simplified ones; every other unit as it is. */
export function foldHan(code: number): number {
  if (!hanFold) {
    hanFold = new Uint16Array(0x10000);
    for (let index = 0; index < HAN_FROM.length; index++) {
      hanFold[HAN_FROM.charCodeAt(index)] = HAN_TO.charCodeAt(index);
    }
  }
  return hanFold[code] || code;
}

/** A text with its traditional characters as simplified ones, unit for unit. */
export function simplified(text: string): string {
  return text.replace(/[\u3400-\u9fff\uf900-\ufaff]+/g, (run) => {
    let changed: number[] | null = null;
    for (let at = 0; at < run.length; at++) {
      const code = run.charCodeAt(at);
      const folded = foldHan(code);
      if (folded === code) continue;
      changed ??= Array.from({ length: run.length }, (_, index) => run.charCodeAt(index));
      changed[at] = folded;
    }
    return changed === null ? run : String.fromCharCode(...changed);
  });
}
