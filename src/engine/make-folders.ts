import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A folder and what is missing above it, for its user alone. Node's own recursive `mkdir` never ends below `/proc`. */
export async function makeFolders(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolders(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process was faster.
    if (error.code !== 'EEXIST') throw error;
  });
}
