import { reasonOf, StrataError } from '../../model/errors.js';
import type { JsonObject } from '../../model/json.js';
import type { Tree } from '../../model/tree.js';
import type { ParseInput, Parser } from '../parser.js';
import { type LaidOutPage, placeBookmarks } from './bookmarks.js';
import { type Bookmark, PdfFile } from './file.js';
import { furnitureOf } from './furniture.js';
import { bodySizeOf, layoutHeadings } from './headings.js';
import { Legibility } from './legibility.js';
import { linesOf } from './lines.js';
import { dropPdfium, loadPdfium } from './pdfium.js';
import { piecesOf } from './pieces.js';
import { pdfTree } from './tree.js';

/**
 * PDF by PDFium: glyphs with their places → words → lines in reading order → running heads out → headings (bookmarks
 * first, the layout where there are none) → paragraphs, lists, code, tables.
 */
export const pdfParser: Parser = {
  format: 'pdf',
  extensions: ['.pdf'],
  isolated: true,
  parse: parsePdf,
};

async function parsePdf(input: ParseInput): Promise<Tree> {
  const pdfium = await loadPdfium();
  let file: PdfFile | undefined;
  try {
    file = new PdfFile(pdfium, input.bytes, input.password);
    const tree = read(file, input);
    file.close();
    return tree;
  } catch (error) {
    if (!isTrap(error)) {
      file?.close();
      throw error;
    }
    // A trap inside WebAssembly: its memory is not to be trusted again, not even to close the file.
    dropPdfium();
    throw new StrataError('CORRUPT', `the PDF is damaged: reading it failed (${reasonOf(error)})`, {
      cause: error,
    });
  }
}

/** WebAssembly.RuntimeError, which the compiler's library does not know without a browser's. */
const isTrap = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === 'RuntimeError';

function read(file: PdfFile, input: ParseInput): Tree {
  if (file.pageCount === 0) throw new StrataError('CORRUPT', 'the PDF is damaged: it has no readable page');
  if (file.pageCount > input.limits.pages) {
    throw new StrataError(
      'LIMIT',
      `the PDF has ${file.pageCount} pages, more than the limit of ${input.limits.pages}`,
    );
  }
  const legibility = new Legibility(file.pageCount);
  const laidOut: LaidOutPage[] = [];
  for (let index = 0; index < file.pageCount; index++) {
    const page = file.page(index);
    legibility.see(page, index);
    laidOut.push(page === null ? { lines: [], turn: 0 } : linesOf(page.glyphs, index));
  }
  const bookmarks = file.bookmarks();
  legibility.check(input.bytes, bookmarks.length > 0);
  const about = { title: plausibleTitle(file.meta('Title')), metadata: metadataOf(file) };
  try {
    return structured(laidOut, bookmarks, { ...about, warnings: legibility.warnings() });
  } catch (error) {
    // Better a text without structure than none.
    const warnings = [...legibility.warnings(), `its structure could not be read (${reasonOf(error)})`];
    return pdfTree(piecesOf(laidOut, [], new Set()), { ...about, warnings });
  }
}

type About = Parameters<typeof pdfTree>[1];

function structured(laidOut: readonly LaidOutPage[], bookmarks: readonly Bookmark[], about: About): Tree {
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

/** What programs put there by themselves: file names, "untitled", the program's own name. */
const NO_TITLE =
  /^(?:untitled|无标题|無標題|microsoft \w+ - .*|(?:document|slide|page|文档)\s?\d*|.*\.(?:docx?|pptx?|xlsx?|dvi|tex|indd|qxd|pdf|html?|rtf|fm|cdr|ai|odt|txt)|[\W\d_]*)$/iu;

function plausibleTitle(title: string): string | null {
  const clean = title.replace(/\s+/g, ' ').trim();
  return clean === '' || clean.includes('\uFFFD') || NO_TITLE.test(clean) ? null : clean;
}

/** On the first page that has a heading, if it is one of the first. */
function biggestHeading(pages: readonly LaidOutPage[], bodySize: number): string | null {
  const headings = layoutHeadings(pages.slice(0, 3), bodySize);
  const onFirst = headings.filter((mark) => mark.page === headings[0]?.page);
  const sizeOf = (mark: (typeof onFirst)[number]): number => pages[mark.page]!.lines[mark.line]!.size;
  return onFirst.sort((a, b) => sizeOf(b) - sizeOf(a) || a.line - b.line)[0]?.title ?? null;
}

function metadataOf(file: PdfFile): JsonObject {
  const fields = {
    author: file.meta('Author'),
    subject: file.meta('Subject'),
    keywords: file.meta('Keywords'),
  };
  const given = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  return { ...Object.fromEntries(given), page_count: file.pageCount };
}
