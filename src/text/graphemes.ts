/**
 * User-perceived characters. `Intl.Segmenter` is exact and slow (about 1 MB/s), so most decisions are made on
 * character codes alone: between two "plain" characters there is always a boundary.
 */
let made: Intl.Segmenter | undefined;
/** Made when first needed: it takes 20 to 40 ms, and most texts never ask. */
const segmenter = (): Intl.Segmenter => {
  made ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return made;
};

/**
 * A character that is a whole grapheme whenever its neighbours are plain too. Left out: combining marks, joiners,
 * surrogates, Hangul jamo, Indic scripts, and `\r` (it joins a following `\n`). Pictographs are in: they join others
 * only through joiners and marks, which are not.
 */
export function isPlain(code: number): boolean {
  if (code < 0x300) return code !== 0x0d && code !== 0xad;
  if (code >= 0x4e00) {
    return code <= 0x9fff || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xff01 && code <= 0xff9d);
  }
  if (code >= 0x3000) return code >= 0x3400 ? code <= 0x4dbf : isPlainKana(code);
  if (code >= 0x2010)
    return (
      code <= 0x2027 ||
      (code >= 0x2030 && code <= 0x205e) ||
      (code >= 0x20a0 && code <= 0x20cf) ||
      (code >= 0x2100 && code <= 0x2bff)
    );
  return code >= 0x370 && code <= 0x482;
}

/** U+3000–U+30FF without its marks. */
const isPlainKana = (code: number): boolean =>
  code <= 0x30ff && (code < 0x302a || code > 0x3030) && code !== 0x303d && code !== 0x3099 && code !== 0x309a;

/** A character that `isPlain` denies, for the engine's own search. */
const NOT_PLAIN =
  /[^\0-\u000c\u000e-\u00ac\u00ae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u2bff\u3000-\u3029\u3031-\u303c\u303e-\u3098\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]/;

/** The first `n` user-perceived characters. */
export function firstCharacters(text: string, n: number): string {
  if (text.length <= n) return text;
  const first = text.slice(0, n + 1).search(NOT_PLAIN);
  if (first < 0) return text.slice(0, n);
  const at = Math.min(first, n);
  // The last plain character may carry a mark that follows it.
  const from = Math.max(0, at - 1);
  // Most graphemes are one or two units; a longer window is read where that is not enough.
  for (let width = n - from + 64; ; width *= 4) {
    const piece = text.slice(from, from + width);
    let seen = from;
    for (const { index } of segmenter().segment(piece)) {
      if (seen === n) return text.slice(0, from + index);
      seen++;
    }
    if (from + width >= text.length) return text;
  }
}

/** Whether `at` is surely between two graphemes, decided on the two codes beside it. */
export function isPlainBoundary(text: string, at: number): boolean {
  return at <= 0 || at >= text.length || (isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at)));
}

/**
 * The last grapheme boundary at or before `at`, after `from` (itself a boundary). Where the grapheme that holds
 * `at` begins at `from`, its end: the result is always greater than `from`, so that a cutter makes progress.
 */
export function safeCut(text: string, at: number, from: number): number {
  if (at >= text.length) return text.length;
  if (isPlainBoundary(text, at)) return at;
  const [start, end] = graphemeAt(text, at, knownBoundary(text, at, from));
  return start > from ? start : end;
}

/** The first grapheme boundary at or after `at`; `from` is a boundary before it. */
export function safeCutAfter(text: string, at: number, from: number): number {
  if (at >= text.length) return text.length;
  if (isPlainBoundary(text, at)) return at;
  const [start, end] = graphemeAt(text, at, knownBoundary(text, at, from));
  return start === at ? at : end;
}

/** A boundary a little before `at`, so that little has to be segmented. */
function knownBoundary(text: string, at: number, from: number): number {
  for (let back = at - 1; back > from && back > at - 32; back--) if (isPlainBoundary(text, back)) return back;
  return from;
}

/** The grapheme that holds the character at `at`. */
function graphemeAt(text: string, at: number, from: number): [start: number, end: number] {
  for (let ahead = 64; ; ahead *= 4) {
    const stop = Math.min(text.length, at + ahead);
    const found = segmenter()
      .segment(text.slice(from, stop))
      .containing(at - from);
    if (found === undefined) return [at, at];
    const end = from + found.index + found.segment.length;
    if (end < stop || stop === text.length) return [from + found.index, end];
  }
}
