import { sha256 } from '../../model/hash.js';
import type { JsonObject } from '../../model/json/json.js';
import { mediaKind } from '../../source/media.js';
import { readFileBytes } from '../../source/read.js';
import { fetchPage } from '../../source/web.js';
import type { Candidate } from '../gather.js';
import type { Known } from '../known.js';

/** A file to read, wherever that is done. Plain data: it travels to other processes. */
export type FileToRead = Pick<Candidate, 'path' | 'source_path' | 'name' | 'named' | 'size' | 'within'>;

/** A document's bytes as they arrive, and what to remember to see later whether they have changed. */
export interface Incoming {
  readonly bytes: Uint8Array;
  readonly bytes_hash: string;
  readonly facts: JsonObject;
  readonly updated_at: string;
  readonly name: string;
  /** Whoever names a file means it: it is never skipped for being a picture. */
  readonly named: boolean;
  readonly url?: string;
  /** The encoding an HTTP header gave. */
  readonly charset?: string;
}

export interface FetchOptions {
  readonly allow_hosts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** From the disk or the web. Null where a server says that what is known has not changed. */
export function incoming(
  candidate: Candidate,
  known: Known | undefined,
  options: FetchOptions,
): Promise<Incoming | null> {
  return candidate.isPage ? fromWeb(candidate, known, options) : fromDisk(candidate);
}

export async function fromDisk({ path, source_path, name, named, within }: FileToRead): Promise<Incoming> {
  const { bytes, size, mtime_ms } = await readFileBytes(path, { shown: source_path, within });
  const bytes_hash = sha256(bytes);
  const updated_at = new Date(mtime_ms).toISOString();
  const facts = { size, mtime_ms: isJustWritten(mtime_ms) ? mtime_ms - 1 : mtime_ms, bytes_hash };
  return { bytes, bytes_hash, facts, updated_at, name, named };
}

/** Clocks of file systems tick every 1 to 10 ms: within one tick a file can be written again and keep its size and time. */
const TICKS_MS = 20;

/** Such a file is remembered with a time that is not its own, so that the next look compares its bytes. */
const isJustWritten = (mtime_ms: number): boolean => Math.abs(Date.now() - mtime_ms) < TICKS_MS;

async function fromWeb(
  { source }: Candidate,
  known: Known | undefined,
  { allow_hosts, signal }: FetchOptions,
): Promise<Incoming | null> {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const page = await fetchPage(source, {
    signal,
    etag: text(known?.metadata.etag),
    last_modified: text(known?.metadata.last_modified),
    ...(allow_hosts && { allow: allow_hosts }),
  });
  if (page === null) return null;
  const { bytes, name, url, charset, etag = null, last_modified = null } = page;
  const bytes_hash = sha256(bytes);
  const changed = last_modified === null ? Number.NaN : Date.parse(last_modified);
  return {
    bytes,
    bytes_hash,
    // Null where the server no longer says so, over what was known before.
    facts: { size: bytes.length, bytes_hash, etag, last_modified },
    updated_at: new Date(Number.isNaN(changed) ? Date.now() : changed).toISOString(),
    name,
    named: true,
    url,
    ...(charset !== undefined && { charset }),
  };
}

/** Why a file that was met in a folder is no document. */
export const skipReason = ({ name, named, bytes }: Incoming): string | null =>
  named ? null : mediaKind(name, bytes);
