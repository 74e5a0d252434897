import { type ErrorCode, isStrataError } from '../model/errors.js';
import type { Json } from '../model/json/json.js';
import { VERSION } from '../model/version.js';
import type { Backend, Change } from '../store/backend.js';
import type { Candidate } from './gather.js';

/**
 * Files no parser could read, remembered: a PDF that took its twenty seconds to fail need not do so at every run. They
 * are reported as known from then on, and tried again when they change, on `--force`, with a password, or by a new
 * version of Strata.
 */
const KIND = 'failure';

/** What lies in the file itself; a permission or a busy disk is looked at again. */
const LASTING: readonly ErrorCode[] = ['BINARY', 'UNSUPPORTED', 'ENCRYPTED', 'CORRUPT', 'NEEDS_OCR', 'LIMIT'];

export interface Failure {
  readonly reason: string;
  readonly code: ErrorCode;
}

type Kept = Failure & { readonly size: number; readonly mtime_ms: number; readonly version: string };

export type Failures = ReadonlyMap<string, Kept>;

export async function knownFailures(backend: Backend): Promise<Failures> {
  const records = await backend.records(KIND);
  return new Map(records.map(({ id, value }) => [id, value as unknown as Kept]));
}

export function failedBefore(failures: Failures, { source, size, mtime_ms }: Candidate): Failure | undefined {
  const kept = failures.get(source);
  if (!kept || kept.version !== VERSION || kept.size !== size || kept.mtime_ms !== mtime_ms) return undefined;
  return kept;
}

/** The records that say so; none for failures that may pass by themselves. */
export function rememberFailure(
  { source, size, mtime_ms }: Candidate,
  error: unknown,
  reason: string,
): Records {
  if (!isStrataError(error) || !LASTING.includes(error.code)) return [];
  const value: Json = { reason, code: error.code, size, mtime_ms, version: VERSION };
  return [{ kind: KIND, id: source, value }];
}

export const forgetFailure = (source: string): Records => [{ kind: KIND, id: source, value: null }];

type Records = NonNullable<Change['records']>;
