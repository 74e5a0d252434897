/**
 * How many tokens a model would count, without its tokenizer: a linear estimate over character classes, fitted to
 * o200k (mean error 3.9 % Chinese, 5.6 % English; November 2026). tiktoken is exact but 60 times slower.
 * Weights are in thousandths, so that sums are exact.
 */
const HAN = 710;
const LETTER = 71;
const WORD = 733;
const DIGIT = 1057;
const PUNCTUATION = 499;
const OTHER = 796;
const NEWLINE = 1141;

/** Set on the state after a letter: the next letter begins no word. */
const IN_WORD = 128;
/** Weight of an ASCII character, first outside a word, then (from 128) inside one. */
const WEIGHT = new Uint16Array(256);
const STATE = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  const digit = code >= 48 && code <= 57;
  const other = code === 10 ? NEWLINE : code > 32 && code < 127 ? PUNCTUATION : 0;
  WEIGHT[code] = letter ? LETTER + WORD : digit ? DIGIT : other;
  WEIGHT[IN_WORD + code] = letter ? LETTER : WEIGHT[code]!;
  STATE[code] = letter ? IN_WORD : 0;
}

export function estimateTokens(text: string): number {
  return tokensOf(weigh(text, 0, text.length, 0));
}

const tokensOf = (weight: number): number => Math.ceil(weight / 1000);

function weigh(text: string, start: number, end: number, state: number): number {
  let weight = 0;
  let word = state;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      weight += WEIGHT[word + code]!;
      word = STATE[code]!;
    } else {
      weight += isHan(code) ? HAN : OTHER;
      word = 0;
    }
  }
  return weight;
}

const isHan = (code: number): boolean =>
  (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff);

const STEP = 64;

/** `estimateTokens` of many slices of one text, which is read once: blocks and chunks overlap. */
export class TokenCounts {
  readonly #text: string;
  /** The weight before every `STEP`th character. */
  readonly #sums: Float64Array;

  constructor(text: string) {
    this.#text = text;
    this.#sums = new Float64Array(Math.floor(text.length / STEP) + 1);
    let sum = 0;
    for (let index = 1; index < this.#sums.length; index++) {
      const from = (index - 1) * STEP;
      sum += weigh(text, from, from + STEP, this.#stateBefore(from));
      this.#sums[index] = sum;
    }
  }

  /** `estimateTokens(text.slice(start, end))`. */
  between(start: number, end: number): number {
    if (end - start <= 2 * STEP) return tokensOf(weigh(this.#text, start, end, 0));
    const first = Math.ceil(start / STEP);
    const last = Math.floor(end / STEP);
    const head = weigh(this.#text, start, first * STEP, 0);
    // Exactly on a step, the sums took the character as going on with a word before it.
    const joined = head === 0 && first * STEP === start ? this.#joined(start) : 0;
    const tail = weigh(this.#text, last * STEP, end, this.#stateBefore(last * STEP));
    return tokensOf(head + joined + this.#sums[last]! - this.#sums[first]! + tail);
  }

  #stateBefore(at: number): number {
    const code = at === 0 ? 128 : this.#text.charCodeAt(at - 1);
    return code < 128 ? STATE[code]! : 0;
  }

  #joined(at: number): number {
    const code = this.#text.charCodeAt(at);
    return this.#stateBefore(at) === IN_WORD && code < 128 && STATE[code] === IN_WORD ? WORD : 0;
  }
}
