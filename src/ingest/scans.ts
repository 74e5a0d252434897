import type { JsonObject } from '../model/json/json.js';
import { ocrFactsOf } from '../model/ocr.js';
import type { AddEntry } from './add-report.js';
import type { Candidate } from './gather.js';
import type { PrepareRequest } from './prepare/prepare.js';
import type { Incoming } from './prepare/read.js';
import type { OcrSetup, PreparedDocument } from './worker/job.js';

/** Which pictures of text are to be read, and how; none where that is switched off, and in servers. */
export interface Ocr {
  readonly mode: OcrSetup['mode'];
  /** Fetches what is missing; null where it cannot be had, which has been said then. */
  open(): Promise<OcrSetup | null>;
}

/** A document with pages that are pictures. They are read when everything else is in the library. */
export interface Scan {
  readonly candidate: Candidate;
  readonly from: Candidate | Incoming;
  readonly request: PrepareRequest;
  /** What has become of it, but for what reading will tell. */
  readonly entry: AddEntry;
  readonly pages: number;
  /** Why it is no document yet; none where its other pages are in the library already. */
  readonly reason?: string;
}

/** By a slow core, in a mean over pages of print: docs/decisions/ocr.md. */
const SECONDS_PER_PAGE = 7;

/** How long these pages may take, as a person would say it. */
export function estimate(pages: number, lanes: number): string {
  const seconds = Math.max(1, Math.round((pages * SECONDS_PER_PAGE) / Math.max(1, lanes)));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** How many pages of a document that was prepared without OCR are still to be read. */
export function pagesToRead({ write, unread_pages }: PreparedDocument, mode: Ocr['mode']): number {
  const { format, page_count } = write.document.metadata;
  return mode === 'always' && format === 'pdf' && typeof page_count === 'number'
    ? page_count
    : (unread_pages ?? 0);
}

/** Whether a document in the library has been read as it would be now. */
export function isReadTheSame(metadata: JsonObject, ocr: Ocr | undefined): boolean {
  if (ocr === undefined) return true;
  const { unread_pages, format, page_count } = metadata;
  // Only a PDF's own parser says so; whatever stands in other documents is their writers'.
  if (format !== 'pdf') return true;
  if (typeof unread_pages === 'number' && unread_pages > 0) return false;
  if (ocr.mode !== 'always') return true;
  return (ocrFactsOf(metadata)?.pages.length ?? 0) >= Number(page_count);
}

const PICTURE = /\.(?:png|jpe?g|webp|tiff?)$/i;

/** In folders pictures are mostly figures and logos: they are read by those who ask for all. */
export const meant = (candidate: Candidate, ocr: Ocr | undefined): Candidate =>
  ocr?.mode === 'always' && PICTURE.test(candidate.name) ? { ...candidate, named: true } : candidate;
