import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { StrataError } from '../model/errors.js';

/** Node cannot hold a text of more than 512 M characters; what is larger is refused before it is read. */
export const MAX_FILE_BYTES = 512 * 2 ** 20;

export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly size: number;
  /** As it was before reading: a file that changes meanwhile looks changed the next time. */
  readonly mtime_ms: number;
}

/**
 * The bytes of one regular file, or a StrataError that names the path and the reason. Opened without blocking, so
 * that a FIFO put in a file's place between a look and a read cannot hang the run.
 */
export async function readFileBytes(path: string, shown = path, limit = MAX_FILE_BYTES): Promise<FileBytes> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
    (error: unknown) => {
      throw fileError(shown, error);
    },
  );
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notAFile(shown, stats);
    if (stats.size > limit) throw tooLarge(shown, stats.size, limit);
    const bytes = await handle.readFile();
    return { bytes, size: stats.size, mtime_ms: stats.mtimeMs };
  } catch (error) {
    throw fileError(shown, error);
  } finally {
    await handle.close();
  }
}

export function notAFile(path: string, stats: Stats): StrataError {
  if (stats.isDirectory()) return new StrataError('NOT_A_FILE', `${path}: is a directory, not a file`);
  const kind = stats.isFIFO() ? 'a FIFO' : stats.isSocket() ? 'a socket' : 'a device';
  return new StrataError('NOT_A_FILE', `${path}: is ${kind}, not a file`);
}

function tooLarge(path: string, size: number, limit: number): StrataError {
  const mega = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
  return new StrataError('LIMIT', `${path}: is ${mega(size)}, more than the ${mega(limit)} a file may have`);
}

const REASONS: Readonly<
  Record<string, readonly ['FILE_MISSING' | 'FILE_UNREADABLE' | 'NOT_A_FILE', string]>
> = {
  ENOENT: ['FILE_MISSING', 'no such file or folder'],
  ENOTDIR: ['FILE_MISSING', 'no such file: a part of the path is a file, not a folder'],
  EACCES: ['FILE_UNREADABLE', 'permission denied'],
  EPERM: ['FILE_UNREADABLE', 'permission denied'],
  EISDIR: ['NOT_A_FILE', 'is a directory, not a file'],
  ELOOP: ['FILE_UNREADABLE', 'a loop of symbolic links'],
  ENXIO: ['NOT_A_FILE', 'is a socket, not a file'],
  ENAMETOOLONG: ['FILE_UNREADABLE', 'the name is too long for this system'],
  EIO: ['FILE_UNREADABLE', 'the disk gave an input/output error'],
  EBUSY: ['FILE_UNREADABLE', 'another program holds it'],
  EMFILE: ['FILE_UNREADABLE', 'too many files are open'],
};

/** The system's error as ours: the path, and the reason in words. */
export function fileError(path: string, error: unknown): StrataError {
  if (error instanceof StrataError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const [ours, reason] = REASONS[code] ?? ['FILE_UNREADABLE', `cannot be read (${code || String(error)})`];
  return new StrataError(ours, `${path}: ${reason}`, { cause: error });
}
