import type { HeadingMark, LaidOutPage } from '../bookmarks.js';
import type { Line } from './lines.js';
import { leadingAt, markerOf, sameSize } from './paragraphs.js';
import { tableAt } from './tables.js';

/** Headings from the layout alone, where a document has no bookmarks: size and weight, numbering, position. */

const BIGGER = 1.15;
const MAX_LENGTH = 200;
const MAX_BOLD_LENGTH = 120;
const MAX_LINES = 4;
const ENDS_LIKE_PROSE = /[.,;:。，；：]$/;
const NUMBER =
  /^(?:(\d{1,3}(?:\.\d{1,3}){0,5})\.?|(?:appendix|annex)\s+[A-Z\d]+[.:]?|[A-Z]\.(?:\d+\.)*\d*|([IVXLC]+)\.)\s+(?=\p{L})/u;

// Cheap, and false for nearly all lines: a short first word.
const STARTS_NUMBER = /^(?:\S{1,12}\s|第)/;
const CHAPTER =
  /^(?:(?:chapter|part|book)\s+(?:\d+|[ivxlc]+|\p{L}+)\b|第\s*[一二三四五六七八九十百零\d]+\s*[章编篇部卷])/iu;
const CLAUSE = /^第\s*[一二三四五六七八九十百零\d]+\s*节/u;

const CAPTION = /^(?:fig(?:ure|\.)|table|tab\.|abb(?:ildung|\.)|图|圖|表)\s*[\dIVX一二三四五六七八九十]/iu;

interface Candidate {
  readonly page: number;
  readonly line: number;
  readonly count: number;
  readonly title: string;
  readonly size: number;
  readonly bold: boolean;
  /** How deep its number is: `2.1` is 2; 0 without one. */
  readonly depth: number;
}

/** The size of most of the text, by characters. */
export function bodySizeOf(pages: readonly LaidOutPage[]): number {
  const weight = new Map<number, number>();
  for (const { lines } of pages) {
    for (const line of lines) {
      const size = Math.round(line.size * 2) / 2;
      weight.set(size, (weight.get(size) ?? 0) + line.text.length);
    }
  }
  let best = 10;
  let most = 0;
  for (const [size, sum] of weight) if (sum > most) [best, most] = [size, sum];
  return best;
}

export function layoutHeadings(pages: readonly LaidOutPage[], bodySize: number): HeadingMark[] {
  const boldIsUsual = shareOf(pages, (line) => line.bold) > 0.4;
  const found: Candidate[] = [];
  for (const [page, { lines }] of pages.entries()) {
    for (let at = 0; at < lines.length; at++) {
      const table = tableAt(lines, at);
      if (table !== null) {
        at = table.end - 1;
        continue;
      }
      const candidate = candidateAt(lines, at, bodySize, boldIsUsual);
      if (candidate === null) continue;
      found.push({ ...candidate, page, line: at });
      at += candidate.count - 1;
    }
  }
  return levelled(found, bodySize);
}

function shareOf(pages: readonly LaidOutPage[], test: (line: Line) => boolean): number {
  let [hit, all] = [0, 0];
  for (const { lines } of pages) {
    for (const line of lines) {
      all += line.text.length;
      if (test(line)) hit += line.text.length;
    }
  }
  return hit / (all || 1);
}

function candidateAt(
  lines: readonly Line[],
  at: number,
  bodySize: number,
  boldIsUsual: boolean,
): Omit<Candidate, 'page' | 'line'> | null {
  const line = lines[at]!;
  if (line.aside || line.mono) return null;
  const big = line.size >= BIGGER * bodySize;
  const bold = line.bold && !boldIsUsual && line.size >= 0.95 * bodySize;
  const numbered = STARTS_NUMBER.test(line.text) && depthOf(line.text) > 0;
  if (!big && !bold && !numbered) return null;
  const count = linesAlike(lines, at);
  const title = lines
    .slice(at, at + count)
    .map((part) => part.text)
    .join(' ')
    .replace(/\s+/g, ' ');
  if ((title.match(/\p{L}/gu)?.length ?? 0) < 2 || CAPTION.test(title) || isEnumeration(title)) return null;
  const next = lines[at + count];
  const stands = at === 0 || lines[at - 1]!.region !== line.region || gapAbove(lines, at) > 1.25;
  const shape = { count, title, size: line.size, bold: line.bold, depth: depthOf(title) };
  if (big) return title.length <= MAX_LENGTH && markerOf(line) !== 'bullet' ? shape : null;
  if (ENDS_LIKE_PROSE.test(title) || count > 2 || title.length > MAX_BOLD_LENGTH) return null;
  if (bold) return next !== undefined && (stands || numbered) && !isBullet(line) && !next.bold ? shape : null;
  // A number alone is weak: the line must stand by itself and not be one of a list.
  const alone =
    stands && next !== undefined && lines[at]!.region === next.region && gapAbove(lines, at + count) > 1.25;
  return alone && title.length <= 80 && !isListed(lines, at) ? shape : null;
}

/** Names of authors and the like: big on a title page, but no heading. */
const isEnumeration = (title: string): boolean => (title.match(/[,，、;@]/g)?.length ?? 0) >= 3;

const isBullet = (line: Line): boolean => markerOf(line) === 'bullet';

/** `1.` directly followed or preceded by `2.`: a list of short items, not headings. */
function isListed(lines: readonly Line[], at: number): boolean {
  return [lines[at - 1], lines[at + 1]].some((line) => line !== undefined && markerOf(line) === 'number');
}

function gapAbove(lines: readonly Line[], at: number): number {
  const [above, line] = [lines[at - 1], lines[at]];
  if (above === undefined || line === undefined || above.region !== line.region)
    return Number.POSITIVE_INFINITY;
  return (above.base - line.base) / leadingAt(lines, at);
}

function linesAlike(lines: readonly Line[], at: number): number {
  let count = 1;
  while (count < MAX_LINES && at + count < lines.length) {
    const [above, line] = [lines[at + count - 1]!, lines[at + count]!];
    const alike = above.region === line.region && sameSize(above, line) && above.bold === line.bold;
    if (!alike || above.base - line.base > 1.7 * line.size || NUMBER.test(line.text)) break;
    count++;
  }
  return count;
}

function depthOf(title: string): number {
  if (CHAPTER.test(title)) return 1;
  if (CLAUSE.test(title)) return 2;
  const match = NUMBER.exec(title);
  return match === null ? 0 : (match[1]?.split('.').length ?? 1);
}

/** Levels: bigger is higher, bold before plain; a number's depth counts from the level of the numbers without a dot. */
function levelled(found: readonly Candidate[], bodySize: number): HeadingMark[] {
  const classOf = (heading: Candidate): number =>
    Math.max(Math.round(heading.size * 2) / 2, bodySize) * 10 + (heading.bold ? 1 : 0);
  const ranks = [...new Set(found.map(classOf))].sort((a, b) => b - a);
  const rankOf = (heading: Candidate): number => ranks.indexOf(classOf(heading)) + 1;
  const first = Math.min(6, ...found.filter((heading) => heading.depth === 1).map(rankOf));
  return found.map((heading) => {
    const level = heading.depth > 1 ? first + heading.depth - 1 : rankOf(heading);
    const { title, page, line, count } = heading;
    return { title, page, line, count, level: Math.min(6, level) };
  });
}
