import type { ChunkSettings } from '../../chunk/settings.js';
import type { ErrorCode } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import type { OcrReader, ParseInput } from '../../parse/parser.js';
import type { PagePicture, PictureRequest } from '../../parse/pdf/picture.js';
import type { PackedWrite } from '../../store/backend.js';
import type { Pack } from '../../store/driver.js';
import type { CutText } from '../prepare/cut-text.js';
import type { DocumentLimits } from '../prepare/limits.js';
import type { PrepareRequest } from '../prepare/prepare.js';
import type { FileToRead, Incoming } from '../prepare/read.js';
import type { TableJob, TableResult } from '../tables/table-job.js';

/** One piece of work, done in this process or in a worker (prepare-pool.ts). Plain data. */
export type Job = TreeJob | CutJob | DocumentJob | TableJob | PictureJob;

/** Structure alone, for whoever wants to look at a file. */
export interface TreeJob {
  readonly kind: 'tree';
  readonly ocr?: OcrSetup;
  readonly input: ParseInput;
  /** Text whose structure is broken is read as plain text. */
  readonly orText: boolean;
  readonly limits: DocumentLimits;
}

/** A text and where it would be cut. */
export interface CutJob {
  readonly kind: 'cut';
  readonly input: ParseInput;
  readonly settings: ChunkSettings;
  readonly limits: DocumentLimits;
}

/** A page of a PDF as a picture, with the lines of a passage marked. */
export interface PictureJob {
  readonly kind: 'picture';
  readonly request: PictureRequest;
  readonly limits: DocumentLimits;
}

/** From bytes, or from a file that is read there, to what will be written. */
export interface DocumentJob {
  readonly kind: 'document';
  readonly from: FileToRead | Incoming;
  /** All but what reading tells: `name`, `updated_at`, and the file's facts in `metadata`. */
  readonly request: PrepareRequest;
  readonly password?: string;
  /** Not what the bytes look like: a note is what its writer says. */
  readonly format?: string;
  /** Pages that are pictures are read, which takes a worker. */
  readonly ocr?: OcrSetup;
  /** The store that will keep it, by name: its documents are packed for it. */
  readonly driver: string;
  readonly limits: DocumentLimits;
}

/** A document ready to be committed. */
export interface PreparedDocument {
  readonly write: PackedWrite;
  /** How many of its pages are pictures that were not read. */
  readonly unread_pages?: number;
  readonly warnings: readonly string[];
}

/** A file that is no document. */
export interface SkippedFile {
  readonly skipped: string;
}

/** A document of pictures alone, which need a job with OCR. */
export interface UnreadFile {
  /** How many pages. */
  readonly needs_ocr: number;
  readonly reason: string;
}

/** What reading pictures takes: where the models are, and what runs them. */
export interface OcrSetup {
  readonly mode: OcrReader['mode'];
  readonly model: string;
  /** The folder of the model's files. */
  readonly folder: string;
  /** The module that runs models. */
  readonly runtime: string;
  /** Where pages that have been read are kept, by the hash of their pictures. */
  readonly cache: string;
  /** How many lines are read at once. */
  readonly lanes: number;
}

export type JobResult =
  | Tree
  | CutText
  | PreparedDocument
  | SkippedFile
  | UnreadFile
  | TableResult
  | PagePicture;

/** How documents are made ready for the driver of this name. */
export type PackerOf = (driver: string) => Promise<Pack>;

/** Loads what a setup names; only worker processes can. */
export type ReaderOf = (setup: OcrSetup) => Promise<OcrReader>;

/** What a worker sends back: parts of a large document as they are ready, then one result or failure. */
export type Reply =
  | { readonly part: Uint8Array }
  /** One more page was read by OCR. */
  | { readonly page: number }
  | { readonly result: JobResult }
  /** Errors lose their class between processes: the code says what they were. */
  | { readonly code: ErrorCode; readonly message: string };

/** How large the document is: what it may take depends on that. */
export const sizeOf = (from: FileToRead | Incoming): number =>
  'bytes' in from ? from.bytes.byteLength : from.size;
