import pc from 'picocolors';
import { isPlain } from '../../text/graphemes.js';
import { say } from '../language/language.js';
import type { View } from '../operation.js';
import { printable } from './print.js';

/** Text for terminals: how wide it is, how to shorten and fold it, how to colour it. */

/** Characters that take two columns: Chinese, Japanese, Korean, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
/** Made when first needed: it takes 20 ms, and most output is plain. */
let segmenter: Intl.Segmenter | undefined;
function graphemesOf(text: string): Iterable<{ readonly segment: string; readonly index: number }> {
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

const graphemeWidth = (grapheme: string): number => (ZERO.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1);

/** At most `width` columns, with an ellipsis where something was left out. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += graphemeWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - displayWidth(text))) + text;

/**
 * Lines of at most `width` columns as [start, end) of `text`, so that marks made on the text can still be found.
 * Breaks at spaces, and anywhere in Chinese.
 */
export function foldSpans(text: string, width: number): readonly (readonly [number, number])[] {
  const lines: [number, number][] = [];
  let start = 0;
  let used = 0;
  let lastBreak = -1;
  for (const { segment, index } of graphemesOf(text)) {
    const size = graphemeWidth(segment);
    // Twice where the rest of the line and this character do not fit together either.
    while (used + size > width && index > start) {
      const end = lastBreak > start ? lastBreak : index;
      lines.push([start, end]);
      start = end;
      used = displayWidth(text.slice(start, index));
      lastBreak = -1;
    }
    used += size;
    if (segment === ' ' || size === 2) lastBreak = index + segment.length;
  }
  if (start < text.length) lines.push([start, text.length]);
  return lines;
}

/** A text from a document, as one line that is safe to print. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' ').trim());

export type Colours = ReturnType<typeof pc.createColors>;
export const colours = (view: Pick<View, 'colour'>): Colours => pc.createColors(view.colour);

/** `13,886`. By hand: `toLocaleString` loads 80 ms worth of tables for it. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export const plural = (count: number, one: string, many = `${one}s`): string =>
  say(`{1} ${count === 1 ? one : many}`, thousands(count));
