import type { JsonObject } from '../model/json/json.js';
import type { OnProgress } from '../model/progress.js';
import type { ChunkingOptions } from './chunking.js';

/**
 * Which pictures of text are read. `auto`: pages of PDFs that have no text, and pictures that are named. `always`: every
 * page of every PDF, and pictures in folders. `off`: none.
 */
export const OCR_MODES = ['auto', 'off', 'always'] as const;
export type OcrMode = (typeof OCR_MODES)[number];

export interface WorkOptions {
  /** Aborting finishes the document at hand and keeps what is done; the report says `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface AddOptions extends WorkOptions, ChunkingOptions {
  /** Relative targets start here; the current folder. */
  readonly cwd?: string | undefined;
  /** Real folders, one of which must hold every file that is read, whatever links are put in its way meanwhile. */
  readonly within?: readonly string[] | undefined;
  /** Say what would happen, change nothing. */
  readonly dry_run?: boolean | undefined;
  /** Remove documents whose files have vanished below the given folders. */
  readonly sync?: boolean | undefined;
  /** Read and parse even what looks unchanged. */
  readonly force?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly collection?: string | undefined;
  readonly password?: string | undefined;
  /** See `OcrMode`; what is given is remembered for later adds. Default: what the library remembers, else `auto`. */
  readonly ocr?: OcrMode | undefined;
  /** Hosts or addresses of this machine or a private network that pages may be fetched from; `*` for all. */
  readonly allow_hosts?: readonly string[] | undefined;
  /** Default true: later adds cut as this one does. */
  readonly remember?: boolean | undefined;
  /** Default true: vectors follow the words before `add` returns. */
  readonly embed?: boolean | undefined;
  /** Parsing threads; 0 parses in the calling thread. Default: one a core, at most four. */
  readonly workers?: number | undefined;
}

export interface TextNote {
  readonly title: string;
  readonly text: string;
  /** `note:<title>` unless given. */
  readonly source?: string | undefined;
  /** `markdown` (default) or `text`. */
  readonly format?: 'markdown' | 'text' | undefined;
  /** Kept with the document. */
  readonly metadata?: JsonObject | undefined;
}
