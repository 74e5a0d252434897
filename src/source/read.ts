import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { StrataError } from '../model/errors.js';
import { isInside } from './path.js';

/** Node cannot hold a text of more than 512 M characters; what is larger is refused before it is read. */
export const MAX_FILE_BYTES = 512 * 2 ** 20;

export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly size: number;
  /** As it was before reading: a file that changes meanwhile looks changed the next time. */
  readonly mtime_ms: number;
}

export interface ReadOptions {
  /** The path as errors name it. */
  readonly shown?: string;
  readonly limit?: number;
  /** The file may be a link: a person has just named it. */
  readonly follow?: boolean;
  /** Real folders, one of which must hold the file that was really opened, whatever became of the path meanwhile. */
  readonly within?: readonly string[] | undefined;
}

/** Not on every system. Without blocking, so that a FIFO put in a file's place after a look cannot hang the run. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/**
 * The bytes of one regular file, or a StrataError that names the path and the reason. A link in the file's place is
 * not followed unless asked for: it may have been put there since the file was found, and lead anywhere.
 */
export async function readFileBytes(path: string, options: ReadOptions = {}): Promise<FileBytes> {
  const { shown = path, limit = MAX_FILE_BYTES, follow = false, within } = options;
  const handle = await open(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)).catch(
    async (error: NodeJS.ErrnoException) => {
      const look = error.code === 'ELOOP' && !follow ? await lstat(path).catch(() => null) : null;
      throw look?.isSymbolicLink() ? isLink(shown) : fileError(shown, error);
    },
  );
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notAFile(shown, stats);
    if (!follow && O_NOFOLLOW === 0 && !(await isSame(path, stats))) throw isLink(shown);
    if (within !== undefined) await assertWithin(within, path, shown, handle, stats);
    if (stats.size > limit) throw tooLarge(shown, stats.size, limit);
    const bytes = await handle.readFile();
    return { bytes, size: stats.size, mtime_ms: stats.mtimeMs };
  } catch (error) {
    throw fileError(shown, error);
  } finally {
    await handle.close();
  }
}

const isLink = (shown: string): StrataError =>
  new StrataError('NOT_A_FILE', `${shown}: is a link, and links are not followed`);

const isSame = async (path: string, { dev, ino }: Stats): Promise<boolean> => {
  const look = await lstat(path).catch(() => null);
  return look !== null && look.dev === dev && look.ino === ino;
};

/** Asked of the open file, not of its path: between the question and the answer a path can change its meaning. */
async function assertWithin(
  within: readonly string[],
  path: string,
  shown: string,
  handle: FileHandle,
  stats: Stats,
): Promise<void> {
  const real = await readlink(`/proc/self/fd/${handle.fd}`).catch(async () => {
    const found = await realpath(path).catch(() => null);
    return found !== null && (await isSame(found, stats)) ? found : null;
  });
  if (real !== null && within.some((folder) => isInside(folder, real))) return;
  throw new StrataError('FORBIDDEN', `${shown}: lies outside the folders that may be read, behind a link`);
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
