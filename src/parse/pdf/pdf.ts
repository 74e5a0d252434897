import { reasonOf, StrataError } from '../../model/errors.js';
import type { JsonObject } from '../../model/json/json.js';
import type { Tree } from '../../model/tree.js';
import type { ParseInput } from '../parser.js';
import type { LaidOutPage } from './bookmarks.js';
import { PdfFile } from './file.js';
import { linesOf } from './layout/lines.js';
import { piecesOf } from './layout/pieces.js';
import { structured } from './layout/structure.js';
import { wordsOf } from './layout/words.js';
import { Legibility } from './legibility.js';
import { dropPdfium, loadPdfium } from './pdfium.js';
import { ScanReader } from './scans.js';
import { pdfTree } from './tree.js';

/**
 * PDF by PDFium: glyphs with their places → words → lines in reading order → running heads out → headings (bookmarks
 * first, the layout where there are none) → paragraphs, lists, code, tables.
 */
export async function pdfParser(input: ParseInput): Promise<Tree> {
  const pdfium = await loadPdfium();
  let file: PdfFile | undefined;
  try {
    file = new PdfFile(pdfium, input.bytes, input.password);
    const tree = await read(file, input);
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

async function read(file: PdfFile, input: ParseInput): Promise<Tree> {
  if (file.pageCount === 0) throw new StrataError('CORRUPT', 'the PDF is damaged: it has no readable page');
  if (file.pageCount > input.limits.pages) {
    throw new StrataError(
      'LIMIT',
      `the PDF has ${file.pageCount} pages, more than the limit of ${input.limits.pages}`,
    );
  }
  const legibility = new Legibility(file.pageCount);
  const scans = input.ocr && new ScanReader(input.ocr);
  const laidOut: LaidOutPage[] = [];
  for (let index = 0; index < file.pageCount; index++) {
    const page = file.page(index);
    const isScan = legibility.see(page, index);
    const scan = isScan || scans?.mode === 'always' ? await scans?.page(file, index) : undefined;
    if (scan !== undefined) {
      legibility.wasRead(index, scan.length > 0);
      laidOut.push(linesOf(scan, index));
    } else laidOut.push(page === null ? { lines: [], turn: 0 } : linesOf(wordsOf(page.glyphs), index));
  }
  const bookmarks = file.bookmarks();
  legibility.check(input.bytes, bookmarks.length > 0);
  const about = {
    title: plausibleTitle(file.meta('Title')),
    metadata: { ...metadataOf(file), ...scans?.metadata() },
    unread_pages: legibility.unread,
  };
  const warnings = [...legibility.warnings(), ...(scans?.warnings() ?? [])];
  try {
    return structured(laidOut, bookmarks, { ...about, warnings });
  } catch (error) {
    // Better a text without structure than none.
    const failed = `its structure could not be read (${reasonOf(error)})`;
    return pdfTree(piecesOf(laidOut, [], new Set()), { ...about, warnings: [...warnings, failed] });
  }
}

/** What programs put there by themselves: file names, "untitled", the program's own name. */
const NO_TITLE =
  /^(?:untitled|无标题|無標題|microsoft \w+ - .*|(?:document|slide|page|文档)\s?\d*|.*\.(?:docx?|pptx?|xlsx?|dvi|tex|indd|qxd|pdf|html?|rtf|fm|cdr|ai|odt|txt)|[\W\d_]*)$/iu;

function plausibleTitle(title: string): string | null {
  const clean = title.replace(/\s+/g, ' ').trim();
  return clean === '' || clean.includes('\uFFFD') || NO_TITLE.test(clean) ? null : clean;
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
