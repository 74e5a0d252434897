import pc from 'picocolors';
import { say } from '../language/language.js';
import type { View } from '../operation.js';
import { displayWidth, graphemesOf, graphemeWidth } from './fold.js';
import { printable } from './print.js';

export { displayWidth, foldLines, foldSpans } from './fold.js';

/** Text for terminals: how to shorten it, how to colour it; `fold.ts` says how wide it is. */

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

/** A text from a document, as one line that is safe to print. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' ').trim());

export type Colours = ReturnType<typeof pc.createColors>;
export const colours = (view: Pick<View, 'colour'>): Colours => pc.createColors(view.colour);

/** `13,886`. By hand: `toLocaleString` loads 80 ms worth of tables for it. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export const plural = (count: number, one: string, many = `${one}s`): string =>
  say(`{1} ${count === 1 ? one : many}`, thousands(count));
