import type { Pdfium } from './pdfium.js';

/** Which way text runs: quarter turns against the clock, or ODD for anything between. */
export type Turn = 0 | 1 | 2 | 3 | typeof ODD;
export const ODD = -1;

export interface GlyphStyle {
  /** Font size as shown, in points. */
  readonly size: number;
  readonly bold: boolean;
  readonly mono: boolean;
  readonly turn: Turn;
}

/**
 * The characters of a page as they are drawn, one column a property (a page has thousands: objects cost more than the
 * reading): origin on the baseline and box, in the page's own coordinates (y goes up).
 */
export interface PageGlyphs {
  readonly count: number;
  readonly codes: Uint32Array;
  readonly style: readonly GlyphStyle[];
  /** The string the character was drawn with: one operator draws one object. */
  readonly object: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly left: Float32Array;
  readonly bottom: Float32Array;
  readonly right: Float32Array;
  readonly top: Float32Array;
  /** 1 where a space (or what stands for one) was drawn before. */
  readonly spaced: Uint8Array;
  /** How many characters at the page's beginning were looked at, and for how many of them the fonts give no Unicode. */
  readonly sampled: number;
  readonly unmapped: number;
}

// Names say more than flags: many subset fonts have neither the weight nor the fixed-pitch flag set.
const BOLD_NAME = /bold|black|heavy|demi|\bcmbx|黑体|heiti|simhei/i;
const MONO_NAME = /mono|courier|consol|typewriter|menlo|inconsolata|sourcecode|\bcmtt|\bcmsltt|\blmtt|fixed/i;
const FIXED_PITCH = 1;
const FORCE_BOLD = 1 << 18;
const BOLD_WEIGHT = 600;

// What PDFium reports for a hyphen at a line's end; the paragraph decides whether it stays.
const HYPHEN_MARK = 0xfffe;

/** Grows to the largest page and is used for all of them: pages are read one after the other. */
export class GlyphBuffer {
  codes = new Uint32Array(0);
  object = new Uint32Array(0);
  x = new Float64Array(0);
  y = new Float64Array(0);
  left = new Float32Array(0);
  bottom = new Float32Array(0);
  right = new Float32Array(0);
  top = new Float32Array(0);
  spaced = new Uint8Array(0);

  reserve(size: number): void {
    if (this.codes.length >= size) return;
    const room = Math.ceil(size * 1.5);
    this.codes = new Uint32Array(room);
    this.object = new Uint32Array(room);
    this.x = new Float64Array(room);
    this.y = new Float64Array(room);
    this.left = new Float32Array(room);
    this.bottom = new Float32Array(room);
    this.right = new Float32Array(room);
    this.top = new Float32Array(room);
    this.spaced = new Uint8Array(room);
  }
}

/** The glyphs of a page, valid until the next page is read into the same buffer. */
export function readGlyphs(pdfium: Pdfium, textPage: number, buffer: GlyphBuffer): PageGlyphs {
  const { call, memory } = pdfium;
  const all = textPage === 0 ? 0 : Math.max(0, call.FPDFText_CountChars(textPage));
  buffer.reserve(all);
  const { codes, object, x, y, left, bottom, right, top, spaced } = buffer;
  const style: GlyphStyle[] = [];
  const scratch = call.malloc(SCRATCH);
  const styleOf = styleReader(pdfium, textPage, scratch);
  let count = 0;
  let sampled = 0;
  let unmapped = 0;
  let space = 1;
  for (let index = 0; index < all; index++) {
    const code = codeAt(call, textPage, index, all);
    if (code === GENERATED) continue;
    if (code > 0xffff) index++;
    if (isSpace(code)) {
      space = 1;
      continue;
    }
    if (sampled < SAMPLE) {
      sampled++;
      // Fonts without a map may still be known by their encoding: only nonsense tells that they are not.
      if (isNonsense(code) && call.FPDFText_HasUnicodeMapError(textPage, index) === 1) unmapped++;
    }
    if (isControl(code)) {
      space = 1;
      continue;
    }
    const drawn = call.FPDFText_GetTextObject(textPage, index);
    call.FPDFText_GetLooseCharBox(textPage, index, scratch);
    const box = scratch >> 2; // FS_RECTF: left, top, right, bottom
    left[count] = memory.HEAPF32[box]!;
    top[count] = memory.HEAPF32[box + 1]!;
    right[count] = memory.HEAPF32[box + 2]!;
    bottom[count] = memory.HEAPF32[box + 3]!;
    const before = count - 1;
    const isSameString = drawn !== 0 && count > 0 && object[before] === drawn;
    if (isSameString && style[before]!.turn === 0 && top[count] === top[before]) {
      // The same string at the same height: the baseline is the same, and half of the calls can be spared.
      style.push(style[before]!);
      x[count] = left[count]!;
      y[count] = y[before]!;
    } else {
      style.push(styleOf(index, drawn));
      call.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8);
      x[count] = memory.HEAPF64[scratch >> 3]!;
      y[count] = memory.HEAPF64[(scratch >> 3) + 1]!;
    }
    object[count] = drawn;
    codes[count] = code;
    spaced[count] = space;
    space = 0;
    count++;
  }
  call.free(scratch);
  return { count, codes, style, object, x, y, left, bottom, right, top, spaced, sampled, unmapped };
}

const GENERATED = -1;

/** A code point; GENERATED for PDFium's guess at spaces and line ends, which our own geometry decides. */
function codeAt(call: Pdfium['call'], textPage: number, index: number, all: number): number {
  const code = call.FPDFText_GetUnicode(textPage, index);
  if ((code <= 32 || code === HYPHEN_MARK) && call.FPDFText_IsGenerated(textPage, index) === 1)
    return GENERATED;
  if (code === HYPHEN_MARK || code === 2 || code === 0xad) return 0x2d;
  if (code < 0xd800 || code >= 0xdc00 || index + 1 >= all) return code;
  const low = call.FPDFText_GetUnicode(textPage, index + 1);
  return low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : code;
}

// Enough to know whether a page can be read at all.
const SAMPLE = 400;
const SCRATCH = 512;
const NAME_AT = 128;
const FLAGS_AT = 64;
const MATRIX_AT = 32;

/** A style belongs to a text object (one string drawn), so it is asked for once per object, not once per character. */
function styleReader(
  pdfium: Pdfium,
  textPage: number,
  scratch: number,
): (index: number, object: number) => GlyphStyle {
  const { call, memory } = pdfium;
  const fonts = new Map<number, FontLook>();
  let last: GlyphStyle = { size: 1, bold: false, mono: false, turn: 0 };
  return (index, object) => {
    const font = object === 0 ? 0 : call.FPDFTextObj_GetFont(object);
    let look = fonts.get(font);
    if (look === undefined) {
      look = readFont(pdfium, textPage, index, scratch);
      if (font !== 0) fonts.set(font, look);
    }
    const nominal = Math.abs(call.FPDFText_GetFontSize(textPage, index));
    call.FPDFText_GetMatrix(textPage, index, scratch + MATRIX_AT);
    const at = (scratch + MATRIX_AT) >> 2;
    const turn = turnOf(memory.HEAPF32[at]!, memory.HEAPF32[at + 1]!);
    const size = nominal * Math.hypot(memory.HEAPF32[at + 2]!, memory.HEAPF32[at + 3]!) || nominal || 1;
    const { bold, mono } = look;
    if (last.size !== size || last.bold !== bold || last.mono !== mono || last.turn !== turn) {
      last = { size, bold, mono, turn };
    }
    return last;
  };
}

interface FontLook {
  readonly bold: boolean;
  readonly mono: boolean;
}

function readFont({ call, memory }: Pdfium, textPage: number, index: number, scratch: number): FontLook {
  const weight = call.FPDFText_GetFontWeight(textPage, index);
  const name = scratch + NAME_AT;
  const room = SCRATCH - NAME_AT;
  const length = call.FPDFText_GetFontInfo(textPage, index, name, room, scratch + FLAGS_AT);
  const end = name + Math.max(0, Math.min(length, room) - 1);
  const text = Buffer.from(memory.HEAPU8.subarray(name, end)).toString('utf8');
  const flags = length > 0 ? memory.HEAP32[(scratch + FLAGS_AT) >> 2]! : 0;
  return {
    bold: weight >= BOLD_WEIGHT || BOLD_NAME.test(text) || (flags & FORCE_BOLD) !== 0,
    mono: (flags & FIXED_PITCH) !== 0 || MONO_NAME.test(text),
  };
}

/** Italics are slanted by their glyphs, not by the baseline: three degrees of tolerance is for scanned, skewed pages. */
function turnOf(across: number, up: number): Turn {
  if (up === 0 && across > 0) return 0;
  const quarters = Math.atan2(up, across) / (Math.PI / 2);
  const nearest = Math.round(quarters);
  return Math.abs(quarters - nearest) < 3 / 90 ? ((((nearest % 4) + 4) % 4) as Turn) : ODD;
}

const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  (code >= 0x2000 && code <= 0x200b) ||
  code === 0x3000 ||
  code === 0xfeff;

/** Controls and private characters: what a font's own numbers look like when taken for Unicode. */
const isNonsense = (code: number): boolean => isControl(code) || (code >= 0xe000 && code < 0xf900);

const isControl = (code: number): boolean =>
  code < 32 ||
  (code >= 0x7f && code < 0xa0) ||
  (code >= 0xd800 && code < 0xe000) ||
  code > 0x10ffff ||
  code === 0xffff;
