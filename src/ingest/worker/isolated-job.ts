import type { ErrorCode } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import type { ParseInput } from '../../parse/parser.js';
import type { FileToRead } from '../from-disk.js';
import type { PreparedChange, PrepareRequest } from '../prepare.js';

/** What a process that parses is given: one job in, one result or failure out (see isolate.ts). */
export type IsolatedJob = ParseJob | PrepareJob | FileJob;

interface ParseJob {
  readonly kind: 'parse';
  readonly input: ParseInput;
}

interface PrepareJob {
  readonly kind: 'prepare';
  readonly input: { readonly bytes: Uint8Array };
  readonly request: PrepareRequest;
}

/** The process reads the file itself: a path waits in a pipe while the program is busy, a megabyte waits before it. */
export interface FileJob {
  readonly kind: 'file';
  readonly file: FileToRead;
  /** All but what reading tells: `updated_at`, and the file's facts in `metadata`. */
  readonly request: PrepareRequest;
  /** Only if it is what it takes to be read in a thread (steady.ts). */
  readonly onlySteady?: boolean;
}

/** A file that must be read elsewhere. */
export interface UnsteadyFile {
  readonly unsteady: true;
}

/** A file that is no document. */
export interface SkippedFile {
  readonly skipped: string;
}

export type IsolatedResult = Tree | PreparedChange | SkippedFile | UnsteadyFile;

export type IsolatedReply =
  | { readonly result: IsolatedResult }
  /** Of a packed document, before the rest: a large one is never sent, nor held, as one message. */
  | { readonly ahead: Uint8Array }
  /** Errors lose their class between processes: the code says what they were. */
  | { readonly code: ErrorCode; readonly message: string };

/** How large the document is: what it may take depends on that. */
export const sizeOf = (job: IsolatedJob): number =>
  job.kind === 'file' ? job.file.size : job.input.bytes.byteLength;
