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
  /** Characters that the page's fonts give no Unicode for: what was read for them is a guess or nothing. */
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

export function readGlyphs(pdfium: Pdfium, textPage: number): PageGlyphs {
  const { call, memory } = pdfium;
  const all = textPage === 0 ? 0 : Math.max(0, call.FPDFText_CountChars(textPage));
  const codes = new Uint32Array(all);
  const object = new Uint32Array(all);
  const style: GlyphStyle[] = [];
  const [x, y] = [new Float64Array(all), new Float64Array(all)];
  const [left, bottom] = [new Float32Array(all), new Float32Array(all)];
  const [right, top] = [new Float32Array(all), new Float32Array(all)];
  const spaced = new Uint8Array(all);
  const scratch = call.malloc(SCRATCH);
  const styleOf = styleReader(pdfium, textPage, scratch);
  let count = 0;
  let unmapped = 0;
  let space = 1;
  for (let index = 0; index < all; index++) {
    let code = call.FPDFText_GetUnicode(textPage, index);
    // Generated characters are PDFium's guess at spaces and line ends; our own geometry decides those.
    if ((code <= 32 || code === HYPHEN_MARK) && call.FPDFText_IsGenerated(textPage, index) === 1) continue;
    if (code === HYPHEN_MARK || code === 2 || code === 0xad) code = 0x2d;
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < all) {
      const low = call.FPDFText_GetUnicode(textPage, index + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        index++;
      }
    }
    if (isSpace(code)) {
      space = 1;
      continue;
    }
    if (call.FPDFText_HasUnicodeMapError(textPage, index) === 1) unmapped++;
    if (isControl(code)) {
      space = 1;
      continue;
    }
    object[count] = call.FPDFText_GetTextObject(textPage, index);
    style.push(styleOf(index, object[count]!));
    call.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8);
    x[count] = memory.HEAPF64[scratch >> 3]!;
    y[count] = memory.HEAPF64[(scratch >> 3) + 1]!;
    call.FPDFText_GetLooseCharBox(textPage, index, scratch);
    const box = scratch >> 2; // FS_RECTF: left, top, right, bottom
    left[count] = memory.HEAPF32[box]!;
    top[count] = memory.HEAPF32[box + 1]!;
    right[count] = memory.HEAPF32[box + 2]!;
    bottom[count] = memory.HEAPF32[box + 3]!;
    codes[count] = code;
    spaced[count] = space;
    space = 0;
    count++;
  }
  call.free(scratch);
  return { count, codes, style, object, x, y, left, bottom, right, top, spaced, unmapped };
}

const SCRATCH = 512;
const NAME_AT = 128;
const FLAGS_AT = 64;

/** A style belongs to a text object (one string drawn), so it is asked for once an object, not once a character. */
function styleReader(
  pdfium: Pdfium,
  textPage: number,
  scratch: number,
): (index: number, object: number) => GlyphStyle {
  const { call, memory } = pdfium;
  let lastObject = -1;
  let last: GlyphStyle = { size: 1, bold: false, mono: false, turn: 0 };
  const known = new Map<string, GlyphStyle>();
  return (index, object) => {
    if (object !== 0 && object === lastObject) return last;
    lastObject = object;
    const nominal = call.FPDFText_GetFontSize(textPage, index);
    const weight = call.FPDFText_GetFontWeight(textPage, index);
    const length = call.FPDFText_GetFontInfo(
      textPage,
      index,
      scratch + NAME_AT,
      SCRATCH - NAME_AT,
      scratch + FLAGS_AT,
    );
    const end = scratch + NAME_AT + Math.max(0, Math.min(length, SCRATCH - NAME_AT) - 1);
    const name = Buffer.from(memory.HEAPU8.subarray(scratch + NAME_AT, end)).toString('utf8');
    const flags = length > 0 ? memory.HEAP32[(scratch + FLAGS_AT) >> 2]! : 0;
    call.FPDFText_GetMatrix(textPage, index, scratch);
    const at = scratch >> 2;
    const [a, b] = [memory.HEAPF32[at]!, memory.HEAPF32[at + 1]!];
    const [c, d] = [memory.HEAPF32[at + 2]!, memory.HEAPF32[at + 3]!];
    const size = Math.abs(nominal) * Math.hypot(c, d) || Math.abs(nominal) || 1;
    const turn = turnOf(Math.atan2(b, a));
    const key = `${name}/${flags}/${weight}/${size.toFixed(2)}/${turn}`;
    last = known.get(key) ?? {
      size,
      bold: weight >= BOLD_WEIGHT || BOLD_NAME.test(name) || (flags & FORCE_BOLD) !== 0,
      mono: (flags & FIXED_PITCH) !== 0 || MONO_NAME.test(name),
      turn,
    };
    known.set(key, last);
    return last;
  };
}

/** Italics are slanted by their glyphs, not by the baseline: three degrees of tolerance is for scanned, skewed pages. */
function turnOf(radians: number): Turn {
  const quarters = radians / (Math.PI / 2);
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

const isControl = (code: number): boolean =>
  code < 32 ||
  (code >= 0x7f && code < 0xa0) ||
  (code >= 0xd800 && code < 0xe000) ||
  code > 0x10ffff ||
  code === 0xffff;
