import type { Highlight, MatchedChunk, SearchAnswer, SearchResult } from '../../model/result.js';
import { printable } from '../cli/print.js';
import { type Colours, colours, foldSpans, oneLine, plural } from '../cli/terminal.js';
import type { View } from '../operation.js';
import { placeOf, titlePath } from './place.js';

/** Passages shown of one document; `--json` has all. */
const PASSAGES = 3;
const EXCERPT_LINES = 4;
/** Where the output is no terminal: one line, not folded. */
const UNFOLDED = 320;

export function renderSearch(answer: SearchAnswer, view: View): string {
  const paint = colours(view);
  const results = answer.results.map((result, at) => renderResult(result, at + 1, view, paint));
  const parts = [...doubt(answer, results.length), ...results];
  for (const notice of answer.notices) parts.push(paint.dim(`· ${notice}`));
  return parts.join('\n\n');
}

/** What stands before the hits of an answer that has none, or none that is certain. */
export function doubt(
  answer: Partial<Pick<SearchAnswer, 'query' | 'suggestion' | 'weak'>> & { readonly left_out?: number },
  shown: number,
): string[] {
  const asked = answer.query === undefined ? '' : ` "${oneLine(answer.query)}"`;
  const lines = shown === 0 && !answer.left_out ? [`Nothing matches${asked}.`] : [];
  if (answer.left_out) lines.push(`Of ${shown + answer.left_out} briefs ${shown} fit into max_tokens.`);
  if (answer.suggestion) lines.push(`Did you mean: ${oneLine(answer.suggestion)}`);
  if (answer.weak) lines.push('Nothing here clearly answers this. The nearest there is:');
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function renderResult(result: SearchResult, rank: number, view: View, paint: Colours): string {
  const { item, matched_chunks: chunks } = result;
  const stale = result.stale
    ? paint.yellow(`  ${result.gone ? 'its file is gone' : 'changed since it was added'}`)
    : '';
  const head = `${paint.bold(`${rank}. ${oneLine(item.title)}`)}  ${paint.dim(oneLine(item.source_path))}${stale}`;
  if (chunks.length === 0) {
    const summary = result.highlights[0] ?? plainExcerpt(item.summary, 'summary');
    return [head, ...excerpt(summary, view, paint)].join('\n');
  }
  const shown = chunks.slice(0, PASSAGES).map((chunk) => renderChunk(chunk, result, view, paint));
  const rest = chunks.length - shown.length;
  const more = rest > 0 ? [paint.dim(`   + ${plural(rest, 'more passage')} in this document`)] : [];
  return [head, shown.join('\n'), ...more].join('\n');
}

function renderChunk(chunk: MatchedChunk, result: SearchResult, view: View, paint: Colours): string {
  const path = oneLine(titlePath(chunk.title_path.length > 0 ? chunk.title_path : [chunk.heading]));
  const line = chunk.best_sentence?.line ?? chunk.loc.lines?.from;
  const place = oneLine(placeOf(result.item.source_path, chunk.loc, line));
  const lines = [
    `   ${paint.cyan(path)}  ${paint.dim(chunk.score.toFixed(3))}`,
    ...excerpt(highlightOf(chunk, result), view, paint),
    `   ${paint.underline(place)}  ${paint.dim(refOf(chunk))}`,
  ];
  for (const { channel, rank, score, weight } of chunk.explain ?? []) {
    lines.push(
      paint.dim(`   ${channel}: rank ${rank}, score ${score.toFixed(4)}, weight ${weight.toFixed(2)}`),
    );
  }
  return lines.join('\n');
}

/** The part of a citation that `strata verify` reads; the place stands before it already. */
const refOf = ({ citation }: MatchedChunk): string =>
  /strata:[^\]\s]+/.exec(citation.ref)?.[0] ?? citation.ref;

/** The excerpt that was made for this passage, else its beginning. */
function highlightOf(chunk: MatchedChunk, result: SearchResult): Highlight {
  const made = result.highlights.find((highlight) => highlight.chunk_id === chunk.chunk_id);
  return made ?? plainExcerpt(chunk.content, 'content');
}

const plainExcerpt = (text: string, field: Highlight['field']): Highlight => ({ field, text, matches: [] });

function excerpt(highlight: Highlight, view: View, paint: Colours): string[] {
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
