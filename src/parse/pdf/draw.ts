import type { Pdfium } from './pdfium.js';

/** A page as PDFium draws it. */
export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel, row by row. */
  readonly rgb: Uint8Array;
  /** From the page's own coordinates (points, from below) to pixels (from above). */
  readonly toPixels: (x: number, y: number) => readonly [number, number];
}

const BGRX = 3;
const BYTES = 4;
const WHITE = 0xffffffff;
/** FPDF_ANNOT: notes and filled fields are part of what a reader sees. */
const WITH_ANNOTATIONS = 1;
/** A page of extreme proportions would otherwise take any amount of memory. */
const MOST_PIXELS = 8_000_000;

/** 200 dpi: print of 8 points has letters of 22 pixels then, and OCR reads lines at 48. */
const SCAN_PIXELS_PER_POINT = 200 / 72;
/** Scans are drawn no smaller and no larger than this, whatever size they claim: a photograph has no true one. */
const LEAST_SCAN = 1_600;
const MOST_SCAN = 2_400;

/** How wide a page is to be drawn for OCR. */
export function scanWidth({ call }: Pdfium, page: number): number {
  const [wide, high] = [
    Math.max(1, call.FPDF_GetPageWidthF(page)),
    Math.max(1, call.FPDF_GetPageHeightF(page)),
  ];
  const longest = Math.max(wide, high);
  const side = Math.min(MOST_SCAN, Math.max(LEAST_SCAN, longest * SCAN_PIXELS_PER_POINT));
  return Math.max(1, Math.round((wide / longest) * side));
}

export function drawPage({ call, memory }: Pdfium, page: number, wanted: number): DrawnPage {
  const across = Math.max(1, call.FPDF_GetPageWidthF(page));
  const up = Math.max(1, call.FPDF_GetPageHeightF(page));
  const width = Math.max(1, Math.round(Math.min(wanted, Math.sqrt((MOST_PIXELS * across) / up))));
  const height = Math.max(1, Math.min(Math.round((width * up) / across), Math.floor(MOST_PIXELS / width)));
  const buffer = call.malloc(width * height * BYTES);
  if (buffer === 0) throw new Error('no memory for the picture of a page');
  const bitmap = call.FPDFBitmap_CreateEx(width, height, BGRX, buffer, width * BYTES);
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    call.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS);
    const rgb = withoutFourth(memory.HEAPU8, buffer, width * height);
    const corner = devicePoint(call, memory, page, [width, height]);
    const [originX, originY] = corner(0, 0);
    const [oneX, oneY] = corner(1000, 1000);
    // Rotated pages swap the axes; two points tell only for upright ones, which is what boxes are drawn on.
    const toPixels = (x: number, y: number): readonly [number, number] => [
      originX + ((oneX - originX) * x) / 1000,
      originY + ((oneY - originY) * y) / 1000,
    ];
    return { width, height, rgb, toPixels };
  } finally {
    call.FPDFBitmap_Destroy(bitmap);
    call.free(buffer);
  }
}

function withoutFourth(heap: Uint8Array, start: number, pixels: number): Uint8Array {
  const rgb = new Uint8Array(pixels * 3);
  for (let at = 0, from = start, to = 0; at < pixels; at++, from += BYTES, to += 3) {
    rgb[to] = heap[from + 2]!;
    rgb[to + 1] = heap[from + 1]!;
    rgb[to + 2] = heap[from]!;
  }
  return rgb;
}

function devicePoint(
  call: Pdfium['call'],
  memory: Pdfium['memory'],
  page: number,
  [width, height]: readonly [number, number],
): (x: number, y: number) => readonly [number, number] {
  return (x, y) => {
    const scratch = call.malloc(8);
    call.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch, scratch + 4);
    const point = [memory.HEAP32[scratch >> 2]!, memory.HEAP32[(scratch >> 2) + 1]!] as const;
    call.free(scratch);
    return point;
  };
}
