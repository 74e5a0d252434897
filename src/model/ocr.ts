import type { Json, JsonObject } from './json/json.js';

/** `metadata.ocr` of a document: which pages were read from pictures of them, and how sure that was. */
export interface OcrFacts {
  readonly model: string;
  /** From 1, ascending. */
  readonly pages: readonly number[];
  /** Of each of these pages, 0–1: the mean over its characters; 0 where nothing was found. */
  readonly confidence: readonly number[];
}

/** Below this a page was read with doubt: clean print has .97 and more, a script that the model does not know about .75. */
export const DOUBTFUL = 0.85;

export const ocrMetadata = ({ model, pages, confidence }: OcrFacts): JsonObject => ({
  model,
  pages: [...pages],
  confidence: confidence.map((value) => Math.round(value * 1000) / 1000),
});

/** What a library says is not believed unseen. */
export function ocrFactsOf(metadata: JsonObject): OcrFacts | null {
  const { ocr } = metadata;
  if (typeof ocr !== 'object' || ocr === null || Array.isArray(ocr)) return null;
  const { model, pages, confidence } = ocr as JsonObject;
  if (typeof model !== 'string' || !isNumbers(pages) || !isNumbers(confidence)) return null;
  return pages.length === confidence.length ? { model, pages, confidence } : null;
}

const isNumbers = (value: Json | undefined): value is number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

/** How sure the pages `from` to `to` are, the worst of them; undefined where none of them was read by OCR. */
export function ocrConfidence({ pages, confidence }: OcrFacts, from: number, to: number): number | undefined {
  let worst: number | undefined;
  for (const [at, page] of pages.entries()) {
    if (page < from || page > to) continue;
    worst = Math.min(worst ?? 1, confidence[at]!);
  }
  return worst;
}
