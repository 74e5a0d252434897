import { cleanLabel } from '../../model/indexed.js';
import type { Loc } from '../../model/section.js';

/**
 * `docs/guide.md:12-18`, `paper.pdf:p.4`, `scan.pdf:p.4 (OCR)`, `deck.pptx slide 3`, `api.json:701 /paths/~1users`: a place as editors and people
 * write it. `line` is that of the best sentence: an editor opens one line. Web pages have no such places.
 */
export function placeOf(path: string, loc: Loc, line?: number): string {
  if (/^https?:/i.test(path)) return path;
  const { page, slide, cell, chapter, sheet, cells, pointer } = loc;
  const lines = line ?? (loc.lines && range(loc.lines.from, loc.lines.to));
  const where =
    page !== undefined
      ? `${path}:p.${range(page, loc.page_end ?? page)}`
      : lines !== undefined
        ? `${path}:${lines}`
        : path;
  const inside = [
    slide !== undefined && `slide ${range(slide, loc.slide_end ?? slide)}`,
    cell !== undefined && `cell ${range(cell, loc.cell_end ?? cell)}`,
    chapter,
    sheet && (cells ? `${sheet}!${cells}` : sheet),
    pointer,
    loc.ocr !== undefined && '(OCR)',
    page === undefined && lines === undefined && !slide && !chapter && !sheet && loc.paragraph !== undefined
      ? `paragraph ${loc.paragraph}`
      : false,
  ].filter(Boolean);
  return [where, ...inside].join(' ').trim();
}

const range = (from: number, to: number): string => (from === to ? `${from}` : `${from}-${to}`);

/** Titles as labels: without the anchors and markup authors put there. */
export const titlePath = (path: readonly string[]): string =>
  path.map(cleanLabel).filter(Boolean).join(' › ');
