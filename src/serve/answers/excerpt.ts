import type { Highlight, MatchedChunk } from '../../model/result.js';
import { printable } from '../cli/print.js';
import { type Colours, displayWidth, foldSpans } from '../cli/terminal.js';
import type { View } from '../operation.js';

type Span = readonly [start: number, end: number];

/** A text laid out for reading: its own line breaks where they mean something, and where its matches are. */
interface Layout {
  readonly text: string;
  readonly matches: readonly Span[];
}

export const plainExcerpt = (text: string, field: Highlight['field']): Highlight => ({
  field,
  text,
  matches: [],
});

/** Longer lines are hard to read, however wide the screen is. */
const WIDEST = 100;
const INDENT = '   ';

/** The first lines of an excerpt, its matches painted. */
export function paintedExcerpt(
  highlight: Highlight,
  code: boolean,
  most: number,
  view: View,
  paint: Colours,
): string[] {
  const isWhole = !Number.isFinite(most);
  const width = Number.isFinite(view.width)
    ? Math.max(24, Math.min(view.width, WIDEST) - INDENT.length)
    : Number.POSITIVE_INFINITY;
  const { text, matches } = layOut(highlight, code || isWhole, isWhole, width - 2);
  const lines = linesOf(text, width, isWhole);
  const from = bestWindow(lines, matches, most);
  const shown = lines.slice(from, from + most);
  return shown.map(([start, end], at) => {
    const isCut = at === shown.length - 1 && from + most < lines.length;
    const line = paintMatches(text, start, end, matches, paint).trimEnd();
    return `${INDENT}${line}${isCut ? ' …' : ''}`;
  });
}

/** Folded at words; one column is kept for the sign that something was left out. */
function linesOf(text: string, width: number, isWhole: boolean): Span[] {
  const lines: Span[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const offset = start;
    if (isWhole || (line.trim() !== '' && !FENCE.test(line)))
      lines.push(...folded(line, width - 2).map(([from, to]): Span => [offset + from, offset + to]));
    start += line.length + 1;
  }
  return lines;
}

/** A blank line is a line, too. */
const folded = (line: string, width: number): readonly Span[] =>
  line === '' ? [[0, 0]] : foldSpans(line, width);

/** The first of the lines to show, so that most of what matched is among them. */
function bestWindow(lines: readonly Span[], matches: readonly Span[], most: number): number {
  const worth = lines.map(([start, end]) =>
    matches.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)), 0),
  );
  let best = 0;
  let held = -1;
  for (let from = 0; from <= Math.max(0, lines.length - most); from++) {
    const sum = worth.slice(from, from + most).reduce((all, one) => all + one, 0);
    if (sum > held) [best, held] = [from, sum];
  }
  return best;
}

/** A line that begins something: an item of a list, a row, a heading, a quote, a fence. */
const OWN_LINE = /^[ \t]*(?:[-*+>|•·]|#{1,6} |\d+[.)、] |[（(]?[一二三四五六七八九十]+[)）、]|```|~~~)/;
/** A line after which nothing goes on. */
const CLOSED = /^[ \t]*(?:#{1,6} |\|)|(?: {2}|\\)$|^[ \t]*(?:```|~~~)/;
const FENCE = /^[ \t]*(?:```|~~~)/;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff65]/u;

const ROW = /^[ \t]*\|/;

/** The titles stand above the excerpt already. */
const HEADING = /^[ \t]*#{1,6} /;

/** Lines that were only wrapped are joined; paragraphs, lists, tables and code keep theirs. Matches move along. */
function layOut(highlight: Highlight, code: boolean, isWhole: boolean, width: number): Layout {
  const at: number[] = [];
  let text = '';
  let isFenced = code;
  let index = 0;
  const lines = printable(highlight.text).split('\n');
  const hidesHeadings = !isWhole && lines.some((line) => line.trim() !== '' && !HEADING.test(line));
  for (const [number, line] of lines.entries()) {
    const next = lines[number + 1];
    const isFence = FENCE.test(line);
    if (hidesHeadings && !isFenced && HEADING.test(line)) {
      for (const end = index + line.length + 1; index < end; index++) at[index] = text.length;
      continue;
    }
    // The columns of a table that is too wide are lost anyway: without its padding more of it can be read.
    const keepsSpaces = isFenced && !(ROW.test(line) && displayWidth(line) > width);
    for (const unit of line.trimEnd()) {
      for (let half = 0; half < unit.length; half++) at[index++] = text.length;
      const isBlank = unit === ' ' || unit === '\t' || unit === '\u00a0';
      if (!isBlank) text += unit;
      else if (keepsSpaces) text += unit === '\t' ? '  ' : ' ';
      else if (text !== '' && !/[ \n]$/.test(text)) text += ' ';
    }
    for (const end = index + line.length - line.trimEnd().length; index < end; index++)
      at[index] = text.length;
    at[index++] = text.length;
    if (!code && isFence) isFenced = !isFenced;
    if (next === undefined) break;
    const breaks =
      isFenced || line.trim() === '' || next.trim() === '' || CLOSED.test(line) || OWN_LINE.test(next);
    if (breaks) text += '\n';
    else if (!(DENSE.test(text.slice(-1)) && DENSE.test(next.trimStart().slice(0, 1)))) text += ' ';
  }
  const matches = highlight.matches.map(([start, end]): Span => [at[start] ?? 0, at[end] ?? text.length]);
  return { text, matches };
}

function paintMatches(
  text: string,
  start: number,
  end: number,
  matches: readonly Span[],
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

/** Whether the excerpt of this passage begins inside code: then its lines are kept. */
export function beginsInCode({ content, content_type }: MatchedChunk, { text }: Highlight): boolean {
  if (content_type === 'code' || content_type === 'table') return true;
  const before = content.slice(0, Math.max(0, content.indexOf(text.slice(0, 200)))).split('\n');
  return before.filter((line) => FENCE.test(line)).length % 2 === 1;
}

/** The whole passage, with the words marked that its excerpt marks. */
export function wholePassage(content: string, { text, matches }: Highlight): Highlight {
  const words = new Set(matches.map(([start, end]) => text.slice(start, end)).filter((word) => word !== ''));
  const found: Span[] = [];
  for (const word of words) {
    for (let at = content.indexOf(word); at >= 0; at = content.indexOf(word, at + word.length))
      found.push([at, at + word.length]);
  }
  return { field: 'content', text: content, matches: found.sort((a, b) => a[0] - b[0] || b[1] - a[1]) };
}
