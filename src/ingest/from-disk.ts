import { sha256 } from '../model/hash.js';
import { mediaKind } from '../source/media.js';
import { readFileBytes } from '../source/read.js';
import type { Candidate } from './gather.js';
import type { Incoming } from './incoming.js';

/** A file to read, wherever that is done. Plain data: it travels to other processes. */
export type FileToRead = Pick<Candidate, 'path' | 'source_path' | 'name' | 'named' | 'size'>;

export async function fromDisk({ path, source_path, name }: FileToRead): Promise<Incoming> {
  const { bytes, size, mtime_ms } = await readFileBytes(path, source_path);
  const bytes_hash = sha256(bytes);
  const updated_at = new Date(mtime_ms).toISOString();
  return { bytes, bytes_hash, facts: { size, mtime_ms, bytes_hash }, updated_at, name };
}

/** Why a file that was met in a folder is no document; whoever names a file means it. */
export const skipReason = ({ name, named }: Pick<Candidate, 'name' | 'named'>, bytes: Uint8Array) =>
  named ? null : mediaKind(name, bytes);
