/**
 * One error type, one meaning per code. Programs branch on `code`; people read `message`, which names
 * the thing, the problem and, where there is one, the next step. Codes are stable, messages are not.
 */
export const ERROR_CODES = {
  INVALID_ARGUMENT: 'an option or argument is wrong or out of range',
  INVALID_RECORD: 'a record has an unknown, missing or wrong field',
  NOT_FOUND: 'no document, chunk, citation target or library with that id or path',
  FILE_MISSING: 'the path does not exist',
  FILE_UNREADABLE: 'the path exists but cannot be read (permission, input/output error)',
  NOT_A_FILE: 'the path is a directory, socket, FIFO or device',
  BINARY: 'the bytes are not text and no parser knows the format',
  UNSUPPORTED: 'the format or feature is known but not supported',
  ENCRYPTED: 'the document needs a password, or the one given is wrong',
  CORRUPT: 'the document is damaged beyond reading',
  NEEDS_OCR: 'the document holds pictures of text only',
  LIMIT: 'a limit on time, memory, size, pages or nesting was reached',
  FETCH_FAILED: 'a web address could not be fetched',
  STORE_BUSY: 'another process is writing and did not finish in time',
  STORE_DAMAGED: 'the library has a damaged part; `strata doctor` says which',
  STORE_VERSION: 'the library was written by a newer Strata, or is none',
  STORE_FAILED: 'the store refused a write (disk full, read-only, permission)',
  EMBEDDER_UNAVAILABLE: 'no embedding model can be used here; search goes on by words',
  EMBEDDER_FAILED: 'the embedding model or service gave an error or a wrong answer',
  VECTORS_UNAVAILABLE:
    'the service that keeps vectors (turbopuffer) is not set up, cannot be reached or refused',
  MODEL_INVALID: 'a model file is missing or does not match its checksum',
  FORBIDDEN: 'the caller may not do this',
  UNTRUSTED: 'the library asks for something that its user has not agreed to; `strata trust` does',
  ABORTED: 'the work was cancelled',
  INTERNAL: 'a defect in Strata; please report it',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export class StrataError extends Error {
  override readonly name = 'StrataError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

export function isStrataError(error: unknown, code?: ErrorCode): error is StrataError {
  return error instanceof StrataError && (code === undefined || error.code === code);
}

/** Any thrown thing as one line for a person: a StrataError's own message, else the plain reason. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}
