import type { Tree } from '../../../model/tree.js';
import { type LaidOutPage, placeBookmarks } from '../bookmarks.js';
import type { Bookmark } from '../file.js';
import { pdfTree } from '../tree.js';
import { furnitureOf } from './furniture.js';
import { bodySizeOf, layoutHeadings } from './headings.js';
import { piecesOf } from './pieces.js';

export type About = Parameters<typeof pdfTree>[1];

/** Pages of lines become a document: running heads out, headings, then paragraphs, lists, code and tables. */
export function structured(
  laidOut: readonly LaidOutPage[],
  bookmarks: readonly Bookmark[],
  about: About,
): Tree {
  const bodySize = bodySizeOf(laidOut);
  const furniture = furnitureOf(
    laidOut.map((page) => page.lines),
    bodySize,
  );
  const pages = laidOut.map((page) => ({
    ...page,
    lines: page.lines.filter((line) => !furniture.has(line)),
  }));
  const marks = bookmarks.length > 0 ? placeBookmarks(bookmarks, pages) : layoutHeadings(pages, bodySize);
  const title = about.title ?? biggestHeading(pages, bodySize);
  return pdfTree(piecesOf(pages, marks, compounds(pages)), { ...about, title });
}

/** Words written with a hyphen inside a line: where one is broken at its hyphen, the hyphen stays. */
function compounds(pages: readonly LaidOutPage[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { lines } of pages) {
    for (const line of lines) {
      if (!line.text.includes('-')) continue;
      for (const match of line.text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu))
        found.add(match[0].toLowerCase());
    }
  }
  return found;
}

/** On the first page that has a heading, if it is one of the first. */
function biggestHeading(pages: readonly LaidOutPage[], bodySize: number): string | null {
  const headings = layoutHeadings(pages.slice(0, 3), bodySize);
  const onFirst = headings.filter((mark) => mark.page === headings[0]?.page);
  const sizeOf = (mark: (typeof onFirst)[number]): number => pages[mark.page]!.lines[mark.line]!.size;
  return onFirst.sort((a, b) => sizeOf(b) - sizeOf(a) || a.line - b.line)[0]?.title ?? null;
}
