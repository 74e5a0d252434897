import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * The few functions of PDFium (WebAssembly) that reading text needs. The package's own wrappers check types on every
 * call; at five calls a character that costs more than the reading, so the raw exports are used.
 */
export interface Pdfium {
  readonly call: PdfiumCalls;
  /** Views of the WASM memory. They are replaced when it grows, so take them afresh after every call that may allocate. */
  readonly memory: PdfiumMemory;
}

export interface PdfiumMemory {
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
}

type Call = (...args: number[]) => number;

const NAMES = [
  'malloc',
  'free',
  'FPDF_LoadMemDocument',
  'FPDF_CloseDocument',
  'FPDF_GetLastError',
  'FPDF_GetPageCount',
  'FPDF_GetMetaText',
  'FPDF_LoadPage',
  'FPDF_ClosePage',
  'FPDF_GetPageBoundingBox',
  'FPDF_GetPageWidthF',
  'FPDF_GetPageHeightF',
  'FPDF_PageToDevice',
  'FPDF_RenderPageBitmap',
  'FPDFBitmap_CreateEx',
  'FPDFBitmap_FillRect',
  'FPDFBitmap_Destroy',
  'FPDFPage_CountObjects',
  'FPDFPage_GetObject',
  'FPDFPage_Flatten',
  'FPDFPage_GetAnnotCount',
  'FPDFPage_GetAnnot',
  'FPDFPage_CloseAnnot',
  'FPDFAnnot_GetSubtype',
  'FPDFAnnot_GetObjectCount',
  'EPDFAnnot_GenerateFormFieldAP',
  'FPDFPageObj_GetType',
  'FPDFPageObj_GetBounds',
  'FPDFFormObj_CountObjects',
  'FPDFFormObj_GetObject',
  'FPDFText_LoadPage',
  'FPDFText_ClosePage',
  'FPDFText_CountChars',
  'FPDFText_GetUnicode',
  'FPDFText_IsGenerated',
  'FPDFText_HasUnicodeMapError',
  'FPDFText_GetTextObject',
  'FPDFTextObj_GetFont',
  'FPDFText_GetFontSize',
  'FPDFText_GetFontWeight',
  'FPDFText_GetFontInfo',
  'FPDFText_GetMatrix',
  'FPDFText_GetCharOrigin',
  'FPDFText_GetLooseCharBox',
  'FPDFBookmark_GetFirstChild',
  'FPDFBookmark_GetNextSibling',
  'FPDFBookmark_GetTitle',
  'FPDFBookmark_GetDest',
  'FPDFBookmark_GetAction',
  'FPDFAction_GetType',
  'FPDFAction_GetDest',
  'FPDFDest_GetDestPageIndex',
  'FPDFDest_GetView',
] as const;

export type PdfiumCalls = Readonly<Record<(typeof NAMES)[number], Call>>;

let loaded: Promise<Pdfium> | undefined;

/** One instance a process: compiling the module takes longer than reading most files. */
export function loadPdfium(): Promise<Pdfium> {
  loaded ??= start().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/** After a trap the instance's memory cannot be trusted: the next file gets a new one. */
export function dropPdfium(): void {
  loaded = undefined;
}

async function start(): Promise<Pdfium> {
  const { init } = await import('@embedpdf/pdfium');
  const file = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
  const wasmBinary = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  const module = await init({ wasmBinary });
  module.PDFiumExt_Init();
  const exported = module.pdfium.wasmExports as unknown as Record<string, Call>;
  const missing = NAMES.filter((name) => typeof exported[name] !== 'function');
  if (missing.length > 0) throw new Error(`@embedpdf/pdfium lacks ${missing.join(', ')}`);
  return { call: exported as PdfiumCalls, memory: module.pdfium as unknown as PdfiumMemory };
}
