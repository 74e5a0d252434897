import { StrataError } from '../model/errors.js';
import type { Tree } from '../model/tree.js';
import type { Raster } from './ocr/raster.js';
import type { ReadPicture } from './ocr/read-picture.js';

/**
 * One parser = one file, one test, one docs entry. A parser turns bytes into a Tree or throws a StrataError
 * (CORRUPT, ENCRYPTED, NEEDS_OCR, LIMIT, BINARY, UNSUPPORTED) whose message names the problem, not the path:
 * the caller knows the path. Heavy libraries load when it is first called. What it is called for (its format, its
 * extensions, whether it needs a process that can be killed) is in the registry, `parse.ts`.
 */
export type Parser = (input: ParseInput) => Promise<Tree> | Tree;

export interface ParseInput {
  readonly bytes: Uint8Array;
  /** For its extension and as a title of last resort; nothing is read from it. */
  readonly name: string;
  /** The format, where the caller knows it better than the bytes do. */
  readonly format?: string;
  /** Where the document came from, for formats that link relative to it. */
  readonly url?: string;
  /** The encoding that came with the bytes (an HTTP header); it outranks what a page says of itself. */
  readonly charset?: string;
  readonly password?: string;
  readonly limits: ParseLimits;
  /** Reads pictures of text; without it pages that are pictures stay unread, and a document of nothing else is NEEDS_OCR. */
  readonly ocr?: OcrReader;
}

/** Handed in by whoever has the models and the limits for it. */
export interface OcrReader {
  /** `auto`: pages without text. `always`: every page, also over a text that it has. */
  readonly mode: 'auto' | 'always';
  /** The name of the model, for the document's metadata. */
  readonly model: string;
  read(picture: Raster): Promise<ReadPicture>;
}

/** A document that holds pictures of text only, and how many pages of them. */
export class NeedsOcrError extends StrataError {
  readonly pages: number;

  constructor(pages: number, message: string) {
    super('NEEDS_OCR', message);
    this.pages = pages;
  }
}

export interface ParseLimits {
  /** What a zipped or compressed file may expand to, in bytes; and the text of JSON, which repeats keys. */
  readonly expanded: number;
  readonly pages: number;
  readonly nesting: number;
}

export const DEFAULT_LIMITS: ParseLimits = { expanded: 512 * 2 ** 20, pages: 20_000, nesting: 2_000 };
