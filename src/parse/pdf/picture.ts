import { reasonOf, StrataError } from '../../model/errors.js';
import type { DrawnPage } from './draw.js';
import { PdfFile } from './file.js';
import { type Line, linesOf } from './layout/lines.js';
import { wordsOf } from './layout/words.js';
import { dropPdfium, loadPdfium } from './pdfium.js';
import { png } from './png.js';

export interface PictureRequest {
  readonly bytes: Uint8Array;
  /** From 1. */
  readonly page: number;
  /** In pixels. */
  readonly width: number;
  /** What to mark: its lines on this page. */
  readonly passage: string;
}

/** A page as people see it, and where on it a passage stands. */
export interface PagePicture {
  readonly page: number;
  readonly page_count: number;
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
  /** In pixels from the upper left. */
  readonly boxes: readonly Box[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export async function pagePicture(request: PictureRequest): Promise<PagePicture> {
  const pdfium = await loadPdfium();
  const file = new PdfFile(pdfium, request.bytes, undefined);
  try {
    const { page_count, picture, lines } = drawn(file, request);
    const marked = markedLines(lines, request.passage).map((line) => boxOf(line, picture));
    const { width, height, rgb } = picture;
    const answer = {
      page: request.page,
      page_count,
      width,
      height,
      png: png(width, height, rgb),
      boxes: marked,
    };
    file.close();
    return answer;
  } catch (error) {
    // After a trap its memory cannot be trusted, and a process that draws is cheap to replace.
    dropPdfium();
    if (error instanceof StrataError) throw error;
    throw new StrataError('CORRUPT', `the page cannot be drawn: ${reasonOf(error)}`, { cause: error });
  }
}

function drawn(file: PdfFile, { page, width }: PictureRequest) {
  const page_count = file.pageCount;
  const picture = file.draw(page - 1, width);
  if (picture === null)
    throw new StrataError('NOT_FOUND', `the PDF has ${page_count} pages, and no page ${page}`);
  const read = file.page(page - 1);
  return { page_count, picture, lines: read === null ? [] : linesOf(wordsOf(read.glyphs), page - 1).lines };
}

/** Hyphens at line ends, spaces and line breaks are what differs between a page and the text made of it. */
const bare = (text: string): string => text.replace(/[\s\u00ad\ufffe-]+/g, '');
/** Shorter ones stand anywhere. */
const TELLING = 6;

/**
 * The lines of a page that a passage consists of. Texts are compared without spaces and hyphens: a line belongs to it when
 * the passage has it whole, or begins or ends inside it.
 */
export function markedLines<L extends Pick<Line, 'text'>>(lines: readonly L[], passage: string): L[] {
  const whole = bare(passage);
  if (whole === '') return [];
  const isMarked = lines.map(({ text }) => {
    const line = bare(text);
    if (line.length >= TELLING && whole.includes(line)) return true;
    return line.length >= TELLING && (endsWithBeginning(line, whole) || endsWithBeginning(whole, line));
  });
  // A short line between two marked ones, such as the last word of a paragraph, belongs to them.
  return lines.filter(
    ({ text }, at) => isMarked[at] || (isMarked[at - 1] && bare(text) !== '' && whole.includes(bare(text))),
  );
}

/** Whether what `first` ends with, at least a few characters, is what `second` begins with. */
function endsWithBeginning(first: string, second: string): boolean {
  const most = Math.min(first.length, second.length);
  for (let length = most; length >= TELLING; length--) {
    if (second.startsWith(first.slice(-length))) return true;
  }
  return false;
}

function boxOf({ left, right, base, size }: Line, { toPixels }: DrawnPage): Box {
  const [x1, y1] = toPixels(left, base + size * 0.85);
  const [x2, y2] = toPixels(right, base - size * 0.25);
  return {
    x: Math.round(Math.min(x1, x2)),
    y: Math.round(Math.min(y1, y2)),
    width: Math.round(Math.abs(x2 - x1)),
    height: Math.round(Math.abs(y2 - y1)),
  };
}
