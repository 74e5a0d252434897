import type { Bookmark } from './file.js';
import type { Line } from './layout/lines.js';

/** A heading and where it stands: before line `line` of its page, of which `count` lines are the heading's own. */
export interface HeadingMark {
  readonly title: string;
  readonly level: number;
  readonly page: number;
  readonly line: number;
  /** 0 where the heading does not stand in the text. */
  readonly count: number;
}

/** A page's lines, and the way its main text runs (quarter turns), to find a bookmark's target among them. */
export interface LaidOutPage {
  readonly lines: readonly Line[];
  readonly turn: number;
}

/** Headings may be wrapped. */
const MAX_HEADING_LINES = 4;
/** How many pages a title without a target is looked for on. */
const REACH = 50;

/** In document order. Bookmarks that lead nowhere stand where the one before them (or their first child) does. */
export function placeBookmarks(bookmarks: readonly Bookmark[], pages: readonly LaidOutPage[]): HeadingMark[] {
  const marks: HeadingMark[] = [];
  for (const [at, bookmark] of bookmarks.entries()) {
    const target = bookmark.page === null ? firstBelow(bookmarks, at) : bookmark;
    const last = marks.at(-1);
    const level = Math.min(6, bookmark.level);
    const title = bookmark.title || '—';
    if (target === null || pages[target.page!] === undefined) {
      marks.push({ title, level, ...withoutTarget(pages, bookmark.title, last) });
      continue;
    }
    const page = target.page!;
    // Two bookmarks of one page keep their order; only a true step back (to an earlier page) moves one forward.
    const floor = last?.page === page ? last.line + last.count : 0;
    const place = placeOn(pages[page]!, bookmark, target, floor);
    marks.push({ title, level, page, ...place });
  }
  return marks
    .map((mark, order) => ({ mark, order }))
    .sort((a, b) => a.mark.page - b.mark.page || a.mark.line - b.mark.line || a.order - b.order)
    .map(({ mark }) => mark);
}

/** Where the title stands as a line of its own after the bookmark before, else right after that one. */
function withoutTarget(
  pages: readonly LaidOutPage[],
  title: string,
  last: HeadingMark | undefined,
): Pick<HeadingMark, 'page' | 'line' | 'count'> {
  const from = { page: last?.page ?? 0, line: last === undefined ? 0 : last.line + last.count, count: 0 };
  if (bare(title).length < 3) return from;
  for (let page = from.page; page < Math.min(pages.length, from.page + REACH); page++) {
    const floor = page === from.page ? from.line : 0;
    const found = titleLines(pages[page]!.lines, title, floor, floor);
    if (found !== null) return { page, ...found };
  }
  return from;
}

function firstBelow(bookmarks: readonly Bookmark[], at: number): Bookmark | null {
  for (
    let below = at + 1;
    below < bookmarks.length && bookmarks[below]!.level > bookmarks[at]!.level;
    below++
  ) {
    if (bookmarks[below]!.page !== null) return bookmarks[below]!;
  }
  return null;
}

function placeOn(
  page: LaidOutPage,
  bookmark: Bookmark,
  target: Bookmark,
  floor: number,
): { line: number; count: number } {
  const near = target.y === null ? floor : lineAtTarget(page, target, floor);
  const found = titleLines(page.lines, bookmark.title, floor, near);
  if (found !== null) return found;
  return { line: Math.max(floor, near), count: 0 };
}

/** The first line that stands below the target's height, in its column where one is named. */
function lineAtTarget(page: LaidOutPage, target: Bookmark, floor: number): number {
  const { x, y } = turned(target.x ?? 0, target.y!, page.turn);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, line] of page.lines.entries()) {
    if (at < floor || line.aside) continue;
    const below = y - (line.base + 0.7 * line.size);
    // Targets are set a little above or within the line they mean.
    if (below < -0.9 * line.size) continue;
    const beside = target.x !== null && target.x > 0 && line.regionRight < x ? 1000 : 0;
    if (below + beside < least) [best, least] = [at, below + beside];
  }
  return best < 0 ? Math.max(floor, page.lines.length) : best;
}

function turned(x: number, y: number, turn: number): { x: number; y: number } {
  if (turn === 1) return { x: y, y: -x };
  if (turn === 2) return { x: -x, y: -y };
  return turn === 3 ? { x: -y, y: x } : { x, y };
}

const NUMBER =
  /^\s*(?:(?:chapter|section|part|appendix)\s+)?(?:\d+(?:\.\d+)*[.:)]?|[IVXLC]+[.:)]|[A-Z][.:)])\s+/i;

/** Letters and digits alone: bookmarks and headings differ in spaces, dashes and quotes. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The lines that say the title (all of it, or it without its number), nearest to where the bookmark points. */
function titleLines(
  lines: readonly Line[],
  title: string,
  floor: number,
  near: number,
): { line: number; count: number } | null {
  const wanted = bare(title);
  if (wanted === '') return null;
  const short = bare(title.replace(NUMBER, ''));
  let best: { line: number; count: number; cost: number } | null = null;
  for (let at = floor; at < lines.length; at++) {
    let text = '';
    const number = bare(NUMBER.exec(lines[at]!.text)?.[0] ?? '').length;
    for (let count = 1; count <= MAX_HEADING_LINES && at + count <= lines.length; count++) {
      const line = lines[at + count - 1]!;
      if (count > 1 && line.region !== lines[at]!.region) break;
      text += bare(line.text);
      if (text.length > wanted.length + 12) break;
      const exact = text === wanted;
      const numberless = short.length > 2 && (text === short || text.slice(number) === short);
      if (!exact && !numberless) continue;
      const cost = Math.abs(at - near) + (exact ? 0 : 2);
      if (best === null || cost < best.cost) best = { line: at, count, cost };
    }
  }
  return best && { line: best.line, count: best.count };
}
