import { link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file to be: its bytes, or another file that already holds them. */
export interface NewFile {
  readonly name: string;
  readonly data: string | Uint8Array;
  /** A file with just these bytes, known to be on disk: linked instead of written again. */
  readonly same?: string;
}

/** A few at once, since each waits for the disk; Node has four threads for it. */
const AT_ONCE = 8;

/**
 * Runs over the items, several at once. When one fails no more are started, and it throws only when all that were under
 * way have ended: whoever takes back what was written must not be overtaken.
 */
export async function severalAtOnce<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items].reverse();
  const failures: unknown[] = [];
  const worker = async () => {
    for (let item = queue.pop(); item !== undefined && failures.length === 0; item = queue.pop()) {
      await run(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (failures.length > 0) throw failures[0];
}

/** A new folder with these files, all of it on disk when this returns. */
export async function writeFolder(folder: string, files: readonly NewFile[]): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await severalAtOnce(files, (file) => place(folder, file));
  await flushFolder(folder);
}

async function place(folder: string, { name, data, same }: NewFile): Promise<void> {
  const path = join(folder, name);
  if (same !== undefined) {
    const linked = await link(same, path).then(
      () => true,
      () => false,
    );
    if (linked) return;
  }
  await writeFlushed(path, data);
}

export const writeFlushed = (path: string, data: string | Uint8Array): Promise<void> =>
  writeFile(path, data, { flush: true, mode: 0o600 });

/** The step that makes something count: it appears whole under its name, and stays after a power cut. */
export async function publish(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flushFolder(dirname(to));
}

/** A file's name is in its folder's data: that needs flushing too. Windows neither can nor needs to. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Deleting what no longer counts may fail (another process reads it, on Windows): the next sweep takes it. */
export const discard = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true }).catch(() => {});
