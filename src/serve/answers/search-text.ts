import { cleanLabel } from '../../model/indexed.js';
import type { Highlight, MatchedChunk, SearchAnswer, SearchResult } from '../../model/result.js';
import { link } from '../cli/link.js';
import { type Colours, colours, displayWidth, oneLine, shorten } from '../cli/terminal.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import type { View } from '../operation.js';
import { doubt } from './doubt.js';
import { beginsInCode, paintedExcerpt, plainExcerpt, wholePassage } from './excerpt.js';
import { placeOf } from './place.js';
import { staleMark } from './stale.js';

/** Lines that fit on a usual screen together with the question. */
const SCREEN = 40;
const FEWEST_LINES = 4;
const MOST_LINES = 8;
/** Of each document besides its excerpt: the titles, the place, a blank line. */
const FRAME = 3;
/** Enough of an id to name a passage: of a hundred thousand, six in a thousand share it, and then they are named. */
const SHORT_ID = 6;

export const shortId = (id: string): string => `#${id.slice(0, SHORT_ID)}`;

/** A search's answer for a person: the best passage of each document, on one screen. */
export function searchAsText(answer: SearchAnswer, view: View): string {
  const paint = colours(view);
  const passages = answer.results.reduce(
    (sum, { matched_chunks }) => sum + Math.max(1, matched_chunks.length),
    0,
  );
  const room = Math.floor((SCREEN - 2) / Math.max(1, passages)) - FRAME;
  const lines = view.full ? Number.POSITIVE_INFINITY : Math.max(FEWEST_LINES, Math.min(MOST_LINES, room));
  const results = answer.results.map((result, at) => resultText(result, at + 1, lines, view, paint));
  const notices = answer.notices.map((notice) => paint.dim(`· ${oneLine(translate(notice))}`)).join('\n');
  const translations = (answer.translations ?? []).map(
    ({ from, to }) => `   ${oneLine(from)} → ${oneLine(to.join(', '))}`,
  );
  const also =
    translations.length === 0 ? '' : paint.dim([say('Also looked for:'), ...translations].join('\n'));
  return [...doubt(answer, results.length), ...results, also, notices]
    .filter((part) => part !== '')
    .join('\n\n');
}

function resultText(result: SearchResult, rank: number, lines: number, view: View, paint: Colours): string {
  const { item, matched_chunks: chunks } = result;
  const number = `${rank}. `;
  if (chunks.length === 0) {
    const summary = result.highlights[0] ?? plainExcerpt(item.summary, 'summary');
    return [
      head(number, [item.title], result.relevance_score, view, paint),
      whereLine(result, oneLine(item.source_path), item.id, view, paint),
      ...paintedExcerpt(summary, false, lines, view, paint),
    ].join('\n');
  }
  return chunks
    .map((chunk, at) => passageText(chunk, result, at === 0 ? number : '   ', lines, view, paint).join('\n'))
    .join('\n');
}

function passageText(
  chunk: MatchedChunk,
  result: SearchResult,
  number: string,
  lines: number,
  view: View,
  paint: Colours,
): string[] {
  const { item } = result;
  const own = chunk.title_path.length > 0 ? chunk.title_path : [chunk.heading];
  const titles = own[0] === item.title ? own : [item.title, ...own];
  const line = chunk.best_sentence?.line ?? chunk.loc.lines?.from;
  const place = oneLine(placeOf(item.source_path, chunk.loc, line));
  const made = highlightOf(chunk, result);
  const shown = view.full ? wholePassage(chunk.content, made) : made;
  const evidence = (chunk.explain ?? []).map(({ channel, rank, score, weight }) =>
    paint.dim(`   ${channel}: rank ${rank}, score ${score.toFixed(4)}, weight ${weight.toFixed(2)}`),
  );
  return [
    head(number, titles, chunk.score, view, paint),
    whereLine(result, place, chunk.chunk_id, view, paint),
    ...paintedExcerpt(shown, beginsInCode(chunk, shown), lines, view, paint),
    ...evidence,
  ];
}

/** The excerpt that was made for this passage, else its beginning. */
function highlightOf(chunk: MatchedChunk, result: SearchResult): Highlight {
  const made = result.highlights.find((highlight) => highlight.chunk_id === chunk.chunk_id);
  return made ?? plainExcerpt(chunk.content.slice(0, 480), 'content');
}

/** `1. Guide › Nginx › CORS  86 % match`: of titles that do not fit, the first go. */
function head(
  number: string,
  titles: readonly string[],
  score: number,
  { width }: View,
  paint: Colours,
): string {
  const match = say('{1} match', percent(score));
  const room = width - number.length - displayWidth(match) - 2;
  const labels = titles.map((title) => oneLine(cleanLabel(title))).filter(Boolean);
  let path = labels.join(' › ');
  for (let from = 1; displayWidth(path) > room && from < labels.length; from++)
    path = ['…', ...labels.slice(from)].join(' › ');
  return `${number}${paint.bold(Number.isFinite(room) ? shorten(path, room) : path)}  ${paint.dim(match)}`;
}

export const percent = (score: number): string => `${Math.round(score * 100)} %`;

/** `docs/guide.md:42  #0d8b53`, and what has become of the file. */
function whereLine(result: SearchResult, place: string, id: string, view: View, paint: Colours): string {
  const stale = staleMark(result).trim();
  const linked = link(paint.cyan(place), result.item.source_path, view);
  const rest = `${paint.dim(shortId(id))}${stale && `  ${paint.yellow(stale)}`}`;
  const fits = displayWidth(place) + SHORT_ID + 6 + displayWidth(stale) + (stale ? 2 : 0) <= view.width;
  return `   ${linked}${fits ? '  ' : '\n   '}${rest}`;
}
