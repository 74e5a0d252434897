import type { Highlight } from '../../model/result.js';
import { printable } from '../cli/print.js';
import { type Colours, foldSpans } from '../cli/terminal.js';
import type { View } from '../operation.js';

const EXCERPT_LINES = 4;
/** Where the output is no terminal: one line, not folded. */
const UNFOLDED = 320;

export const plainExcerpt = (text: string, field: Highlight['field']): Highlight => ({
  field,
  text,
  matches: [],
});

/** The lines of an excerpt, its matches painted. */
export function excerpt(highlight: Highlight, view: View, paint: Colours): string[] {
  const flat = flatten(highlight);
  const width = Number.isFinite(view.width) ? Math.max(24, Math.min(view.width, 110) - 4) : UNFOLDED;
  const lines = foldSpans(flat.text, width);
  const shown = lines.slice(0, Number.isFinite(view.width) ? EXCERPT_LINES : 1);
  return shown.map(([start, end], at) => {
    const cut = at === shown.length - 1 && lines.length > shown.length ? ' …' : '';
    return `   ${paintMatches(flat.text, start, end, flat.matches, paint).trimEnd()}${cut}`;
  });
}

/** White space becomes single spaces; matches move along. */
function flatten(highlight: Highlight): { text: string; matches: [number, number][] } {
  const at: number[] = [];
  let text = '';
  for (let index = 0; index < highlight.text.length; index++) {
    const unit = highlight.text[index]!;
    const isSpace = /\s/.test(unit);
    at.push(text.length);
    if (!isSpace) text += printable(unit);
    else if (text !== '' && !text.endsWith(' ')) text += ' ';
  }
  at.push(text.length);
  return { text, matches: highlight.matches.map(([start, end]) => [at[start] ?? 0, at[end] ?? text.length]) };
}

function paintMatches(
  text: string,
  start: number,
  end: number,
  matches: readonly (readonly [number, number])[],
  paint: Colours,
): string {
  let line = '';
  let at = start;
  for (const [from, to] of matches) {
    const left = Math.max(from, at);
    const right = Math.min(to, end);
    if (right <= left) continue;
    line += text.slice(at, left) + paint.bold(paint.yellow(text.slice(left, right)));
    at = right;
  }
  return line + text.slice(at, end);
}
