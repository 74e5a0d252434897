import { StrataError } from '../../model/errors.js';
import { NeedsOcrError } from '../parser.js';
import { HARDLY_ANY, type PdfPage } from './file.js';

// A page whose text is next to nothing and of which pictures cover at least this share is a scan.
const SCAN_SHARE = 0.5;
// A few letters a page (a stamp, a number) do not make a scanned document readable.
const STAMP = 10;
const MAX_NAMED = 8;
const SAMPLE = 200;

/** What could be read, page by page: decides between a text, a scan and a damaged file, and says what a person should know. */
export class Legibility {
  readonly #total: number;
  readonly #scans: number[] = [];
  readonly #failed: number[] = [];
  #letters = 0;
  #sampled = 0;
  #unmapped = 0;
  #pictures = 0;
  #drawn = false;
  #read = 0;

  constructor(pages: number) {
    this.#total = pages;
  }

  /** Pages (from 1) that are pictures and were not read. */
  get unread(): readonly number[] {
    return this.#scans;
  }

  /** True where the page is a picture of text. */
  see(page: PdfPage | null, index: number): boolean {
    if (page === null) {
      this.#failed.push(index + 1);
      return false;
    }
    const { codes, count, sampled, unmapped } = page.glyphs;
    // Whether there are any matters, not how many: a sample does.
    let letters = 0;
    for (let at = 0; at < Math.min(count, SAMPLE); at++) {
      if (/[\p{L}\p{N}]/u.test(String.fromCodePoint(codes[at]!))) letters++;
    }
    this.#letters += letters;
    this.#sampled += sampled;
    this.#unmapped += unmapped;
    this.#drawn ||= page.drawn;
    if (page.pictured > 0) this.#pictures++;
    const isScan = count < HARDLY_ANY && page.pictured >= (letters === 0 ? Number.MIN_VALUE : SCAN_SHARE);
    if (isScan) this.#scans.push(index + 1);
    return isScan;
  }

  /** The page that was seen last has been read by OCR, whatever came of it. */
  wasRead(index: number, hasText: boolean): void {
    if (this.#scans.at(-1) === index + 1) this.#scans.pop();
    this.#read++;
    if (hasText) this.#letters++;
  }

  /** Throws what the document is, where it is not a text. */
  check(bytes: Uint8Array, hasBookmarks: boolean): void {
    if (this.#failed.length === this.#total) {
      throw new StrataError('CORRUPT', 'the PDF is damaged: none of its pages can be read');
    }
    const allScans = this.#scans.length > 0 && this.#scans.length + this.#failed.length === this.#total;
    if (this.#read > 0) return;
    if ((this.#letters === 0 && this.#pictures > 0) || (allScans && this.#letters < STAMP * this.#total)) {
      throw new NeedsOcrError(
        this.#total,
        `the PDF holds pictures of text only (${plural(this.#total, 'page')}): \`strata add --ocr auto\` reads them`,
      );
    }
    if (this.#letters === 0 && !this.#drawn && !hasBookmarks && !isWhole(bytes)) {
      throw new StrataError(
        'CORRUPT',
        'the PDF is damaged: its index is broken and nothing could be recovered',
      );
    }
  }

  warnings(): string[] {
    const out: string[] = [];
    if (this.#letters === 0)
      out.push(this.#read > 0 ? 'OCR found no text in its pictures' : 'the PDF holds no text');
    if (this.#failed.length > 0) out.push(`${pagesNamed(this.#failed)} could not be read`);
    if (this.#scans.length > 0)
      out.push(
        `${pagesNamed(this.#scans)} of ${this.#total} hold pictures only and need OCR: \`strata add --ocr auto\` reads them`,
      );
    if (this.#unmapped > 0.3 * this.#sampled) {
      const share = Math.round((100 * this.#unmapped) / this.#sampled);
      out.push(
        `the fonts do not say what ${share} % of the characters mean: the text may be wrong, OCR would help`,
      );
    }
    return out;
  }
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export function pagesNamed(pages: readonly number[]): string {
  const shown = pages.slice(0, MAX_NAMED).join(', ');
  const more = pages.length > MAX_NAMED ? ` and ${pages.length - MAX_NAMED} more` : '';
  return `${pages.length === 1 ? 'page' : 'pages'} ${shown}${more}`;
}

/** Does the file's own pointer lead to its index? PDFium repairs what it can, so this is asked only when nothing came of it. */
function isWhole(bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.subarray(-2048)).toString('latin1');
  const pointer = /startxref\s+(\d+)\s+%%EOF/.exec(tail);
  if (pointer === null) return false;
  const target = Buffer.from(bytes.subarray(Number(pointer[1]), Number(pointer[1]) + 40)).toString('latin1');
  return /^\s*(?:xref|\d+\s+\d+\s+obj)/.test(target);
}
