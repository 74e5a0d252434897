import { StrataError } from '../../model/errors.js';
import type { Raster } from '../ocr/raster.js';
import { type DrawnPage, drawPage, scanWidth } from './draw.js';
import { GlyphBuffer, type PageGlyphs, readGlyphs } from './glyphs.js';
import type { Pdfium } from './pdfium.js';

/** A bookmark with the place it leads to, where it leads to one in this document. */
export interface Bookmark {
  readonly title: string;
  /** Depth from 1. */
  readonly level: number;
  /** From 0; null for web addresses, actions and places that do not exist. */
  readonly page: number | null;
  readonly x: number | null;
  readonly y: number | null;
}

export interface PdfPage {
  readonly glyphs: PageGlyphs;
  readonly bottom: number;
  readonly top: number;
  readonly left: number;
  readonly right: number;
  /** Share of the page that pictures cover, 0–1; looked for only where there is hardly any text. */
  readonly pictured: number;
  readonly drawn: boolean;
}

const LAST_ERROR_PASSWORD = 4;
// Below this many characters a page is looked at for pictures: a scan may carry a stamp or a page number as text.
export const HARDLY_ANY = 25;
const [IMAGE, FORM] = [3, 5];
// FreeText, stamp, widget: what people type into a page shows only through these annotations' appearance.
const WIDGET = 20;
const WRITTEN_ANNOTATIONS = new Set([3, 13, WIDGET]);
const MAX_BOOKMARKS = 100_000;

/** An open PDF. Close it: the memory is PDFium's, not the garbage collector's. */
export class PdfFile {
  readonly #pdfium: Pdfium;
  readonly #bytes: number;
  readonly #document: number;
  readonly #glyphs = new GlyphBuffer();
  readonly pageCount: number;

  constructor(pdfium: Pdfium, bytes: Uint8Array, password: string | undefined) {
    this.#pdfium = pdfium;
    const { call } = pdfium;
    this.#bytes = call.malloc(bytes.length || 1);
    if (this.#bytes === 0) throw new StrataError('LIMIT', 'the PDF does not fit into memory');
    pdfium.memory.HEAPU8.set(bytes, this.#bytes);
    this.#document = this.#open(bytes.length, password);
    if (this.#document === 0) {
      const error = call.FPDF_GetLastError();
      call.free(this.#bytes);
      throw openError(error, password);
    }
    this.pageCount = Math.max(0, call.FPDF_GetPageCount(this.#document));
  }

  /** As given, and as standards prepare passwords (SASLprep for revision 6, Latin-1 for older ones). */
  #open(size: number, password: string | undefined): number {
    const forms = password === undefined ? [Buffer.alloc(0)] : passwordForms(password);
    for (const form of forms) {
      const at = this.#pdfium.call.malloc(form.length + 1);
      this.#pdfium.memory.HEAPU8.set(form, at);
      this.#pdfium.memory.HEAPU8[at + form.length] = 0;
      const document = this.#pdfium.call.FPDF_LoadMemDocument(this.#bytes, size, at);
      this.#pdfium.call.free(at);
      if (document !== 0 || this.#pdfium.call.FPDF_GetLastError() !== LAST_ERROR_PASSWORD) return document;
    }
    return 0;
  }

  close(): void {
    this.#pdfium.call.FPDF_CloseDocument(this.#document);
    this.#pdfium.call.free(this.#bytes);
  }

  meta(tag: string): string {
    return this.#string((buffer, length) => {
      const key = this.#pdfium.call.malloc(tag.length + 1);
      this.#pdfium.memory.HEAPU8.set(Buffer.from(`${tag}\0`, 'latin1'), key);
      const size = this.#pdfium.call.FPDF_GetMetaText(this.#document, key, buffer, length);
      this.#pdfium.call.free(key);
      return size;
    });
  }

  /** Null where the page cannot be loaded. */
  page(index: number): PdfPage | null {
    const { call } = this.#pdfium;
    let page = call.FPDF_LoadPage(this.#document, index);
    if (page === 0) return null;
    if (this.#hasWriting(page) && call.FPDFPage_Flatten(page, 0) === 1) {
      call.FPDF_ClosePage(page);
      page = call.FPDF_LoadPage(this.#document, index);
      if (page === 0) return null;
    }
    const textPage = call.FPDFText_LoadPage(page);
    const glyphs = readGlyphs(this.#pdfium, textPage, this.#glyphs);
    if (textPage !== 0) call.FPDFText_ClosePage(textPage);
    const box = this.#box(page);
    const bare = glyphs.count < HARDLY_ANY;
    const area = Math.max(1, (box.right - box.left) * (box.top - box.bottom));
    const pictured = bare ? Math.min(1, this.#pictureArea(page, 0) / area) : 0;
    const drawn = !bare || call.FPDFPage_CountObjects(page) > 0;
    call.FPDF_ClosePage(page);
    return { glyphs, ...box, pictured, drawn };
  }

  /** The page as a picture, `width` pixels wide, and a way from its own coordinates to pixels; null where it cannot be loaded. */
  draw(index: number, width: number): DrawnPage | null {
    const page = this.#pdfium.call.FPDF_LoadPage(this.#document, index);
    if (page === 0) return null;
    try {
      return drawPage(this.#pdfium, page, width);
    } finally {
      this.#pdfium.call.FPDF_ClosePage(page);
    }
  }

  /** The page as OCR wants to see it; null where it cannot be loaded. */
  picture(index: number): Raster | null {
    const page = this.#pdfium.call.FPDF_LoadPage(this.#document, index);
    if (page === 0) return null;
    try {
      const width = scanWidth(this.#pdfium, page);
      const drawn = drawPage(this.#pdfium, page, width);
      return { width: drawn.width, height: drawn.height, data: drawn.rgb };
    } finally {
      this.#pdfium.call.FPDF_ClosePage(page);
    }
  }

  bookmarks(): Bookmark[] {
    const found: Bookmark[] = [];
    const seen = new Set<number>();
    const { call } = this.#pdfium;
    // A stack, not recursion, and no bookmark twice: outlines may be cyclic.
    const stack = [{ node: call.FPDFBookmark_GetFirstChild(this.#document, 0), level: 1 }];
    while (stack.length > 0 && found.length < MAX_BOOKMARKS) {
      const { node, level } = stack.pop()!;
      if (node === 0 || seen.has(node)) continue;
      seen.add(node);
      const title = this.#string((buffer, length) => call.FPDFBookmark_GetTitle(node, buffer, length));
      found.push({ title: title.replace(/\s+/g, ' ').trim(), level, ...this.#destination(node) });
      stack.push({ node: call.FPDFBookmark_GetNextSibling(this.#document, node), level });
      stack.push({ node: call.FPDFBookmark_GetFirstChild(this.#document, node), level: level + 1 });
    }
    return found;
  }

  #destination(node: number): Pick<Bookmark, 'page' | 'x' | 'y'> {
    const { call, memory } = this.#pdfium;
    let target = call.FPDFBookmark_GetDest(this.#document, node);
    if (target === 0) {
      const action = call.FPDFBookmark_GetAction(this.#document, node);
      // 1 is GoTo: only then does the place belong to this document.
      if (action !== 0 && call.FPDFAction_GetType(action) === 1) {
        target = call.FPDFAction_GetDest(this.#document, action);
      }
    }
    if (target === 0) return { page: null, x: null, y: null };
    const page = call.FPDFDest_GetDestPageIndex(this.#document, target);
    if (page < 0 || page >= this.pageCount) return { page: null, x: null, y: null };
    const scratch = call.malloc(64);
    const view = call.FPDFDest_GetView(target, scratch, scratch + 16);
    const count = memory.HEAP32[scratch >> 2]!;
    const value = (at: number): number | null =>
      at < count ? (memory.HEAPF32[((scratch + 16) >> 2) + at] ?? null) : null;
    // PDFDEST_VIEW_: 1 XYZ (left, top, zoom), 3 FitH (top), 5 FitR (left, bottom, right, top), 7 FitBH (top).
    const x = view === 1 || view === 5 ? value(0) : null;
    const y = view === 1 ? value(1) : view === 3 || view === 7 ? value(0) : view === 5 ? value(3) : null;
    call.free(scratch);
    return { page, x, y };
  }

  /** Has the page annotations that say something? Fields that hold a value but do not show it are drawn first. */
  #hasWriting(page: number): boolean {
    const { call } = this.#pdfium;
    const count = call.FPDFPage_GetAnnotCount(page);
    let found = false;
    for (let at = 0; at < count; at++) {
      const annotation = call.FPDFPage_GetAnnot(page, at);
      if (annotation === 0) continue;
      const subtype = call.FPDFAnnot_GetSubtype(annotation);
      if (subtype === WIDGET && call.FPDFAnnot_GetObjectCount(annotation) === 0) {
        call.EPDFAnnot_GenerateFormFieldAP(annotation);
      }
      found ||= WRITTEN_ANNOTATIONS.has(subtype);
      call.FPDFPage_CloseAnnot(annotation);
    }
    return found;
  }

  #pictureArea(holder: number, depth: number): number {
    const { call, memory } = this.#pdfium;
    const count = depth === 0 ? call.FPDFPage_CountObjects(holder) : call.FPDFFormObj_CountObjects(holder);
    const scratch = call.malloc(16);
    let area = 0;
    for (let at = 0; at < Math.min(count, 10_000); at++) {
      const object =
        depth === 0 ? call.FPDFPage_GetObject(holder, at) : call.FPDFFormObj_GetObject(holder, at);
      if (object === 0) continue;
      const type = call.FPDFPageObj_GetType(object);
      if (type === FORM && depth < 3) area += this.#pictureArea(object, depth + 1);
      if (type !== IMAGE) continue;
      call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12);
      const [left, bottom, right, top] = memory.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4);
      // A picture without an area still is one.
      area += Math.max(1, Math.abs((right! - left!) * (top! - bottom!)));
    }
    call.free(scratch);
    return area;
  }

  #box(page: number): { left: number; right: number; top: number; bottom: number } {
    const { call, memory } = this.#pdfium;
    const scratch = call.malloc(16);
    const known = call.FPDF_GetPageBoundingBox(page, scratch) !== 0;
    const [left, top, right, bottom] = memory.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4);
    call.free(scratch);
    return known
      ? { left: left!, right: right!, top: top!, bottom: bottom! }
      : { left: 0, right: 612, top: 792, bottom: 0 };
  }

  /** PDFium's way with strings: ask for the length in bytes (UTF-16LE, with a final NUL), then for the string. */
  #string(read: (buffer: number, length: number) => number): string {
    const { call } = this.#pdfium;
    const length = read(0, 0);
    if (length <= 2 || length > 1 << 20) return '';
    const buffer = call.malloc(length);
    read(buffer, length);
    const text = Buffer.from(this.#pdfium.memory.HEAPU8.subarray(buffer, buffer + length - 2)).toString(
      'utf16le',
    );
    call.free(buffer);
    return text.replace(/\p{Surrogate}/gu, '\uFFFD').replace(/\0/g, '');
  }
}

function passwordForms(password: string): Buffer[] {
  const prepared = password.replace(/[\u00ad\u200b-\u200d\ufeff]/g, '').normalize('NFKC');
  return [
    Buffer.from(password, 'utf8'),
    Buffer.from(prepared, 'utf8'),
    Buffer.from(password, 'latin1'),
  ].filter((form, at, all) => all.findIndex((other) => other.equals(form)) === at && !form.includes(0));
}

function openError(error: number, password: string | undefined): StrataError {
  if (error !== LAST_ERROR_PASSWORD) {
    return error === 5
      ? new StrataError('UNSUPPORTED', 'the PDF is protected in a way that cannot be read')
      : new StrataError('CORRUPT', 'the PDF is damaged: its objects cannot be found');
  }
  return new StrataError(
    'ENCRYPTED',
    password === undefined
      ? 'the PDF is encrypted and needs a password: give it with --password'
      : 'the PDF is encrypted and the password given is wrong',
  );
}
