import { isPlain } from '../../text/graphemes.js';

/** How wide a text is on a terminal, and where its lines are broken. */

/** Characters that take two columns: Chinese, Japanese, Korean, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
/** Made when first needed: it takes 20 ms, and most output is plain. */
let segmenter: Intl.Segmenter | undefined;
export function graphemesOf(text: string): Iterable<{ readonly segment: string; readonly index: number }> {
  let plain = true;
  for (let at = 0; plain && at < text.length; at++) plain = isPlain(text.charCodeAt(at));
  // Between plain characters there is always a boundary: most Chinese and English needs no tables.
  if (plain) return Array.from(text, (segment, index) => ({ segment, index }));
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const ASCII = /^[\x20-\x7e]*$/;

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

export const graphemeWidth = (grapheme: string): number =>
  ZERO.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1;

const CLOSES = /^[。，、；：？！）」』》】〉〕”’％…—·～]/u;

/**
 * Lines of at most `width` columns as [start, end) of `text`, so that marks made on the text can still be found.
 * Breaks at spaces, and anywhere in Chinese.
 */
export function foldSpans(text: string, width: number): readonly (readonly [number, number])[] {
  const lines: [number, number][] = [];
  let start = 0;
  let used = 0;
  let lastBreak = -1;
  let breakBefore = -1;
  for (const { segment, index } of graphemesOf(text)) {
    const size = graphemeWidth(segment);
    // A mark that closes something stays with it: no line begins with 。 or ）.
    if (lastBreak === index && CLOSES.test(segment)) lastBreak = breakBefore;
    // Twice where the rest of the line and this character do not fit together either.
    while (used + size > width && index > start) {
      const end = lastBreak > start ? lastBreak : index;
      lines.push([start, end]);
      start = end;
      used = displayWidth(text.slice(start, index));
      lastBreak = -1;
    }
    used += size;
    if (segment !== ' ' && size !== 2) continue;
    breakBefore = lastBreak;
    lastBreak = index + segment.length;
  }
  if (start < text.length) lines.push([start, text.length]);
  return lines;
}

/** Styles and links take no room on the screen. */
export const UNSEEN = /\u001b\[[\d;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g;

/** Lines that are too long are broken between words, and go on below where they began; what fits is left as it is. */
export function foldLines(text: string, width: number): string {
  if (!Number.isFinite(width)) return text;
  return text
    .split('\n')
    .map((line) => foldLine(line, width))
    .join('\n');
}

function foldLine(line: string, width: number): string {
  const plain = line.replace(UNSEEN, '');
  if (displayWidth(plain) <= width) return line;
  const indent = /^ */.exec(plain)![0].slice(0, Math.floor(width / 2));
  const spans = foldSpans(plain.slice(indent.length), width - indent.length);
  const breaks = new Set(spans.slice(1).map(([start]) => start + indent.length));
  let at = 0;
  let folded = '';
  // A break goes before the word that no longer fits, and takes the space before it along.
  for (const part of line.split(new RegExp(`(${UNSEEN.source})`))) {
    if (part.startsWith('\u001b')) folded += part;
    else
      for (const unit of part) {
        if (breaks.has(at)) folded = `${folded.trimEnd()}\n${indent}`;
        folded += unit;
        at += unit.length;
      }
  }
  return folded;
}
