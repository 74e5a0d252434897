import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Asset } from './manifest.js';

/** Beside a model's files: what they looked like when their checksums were last right. */
const FILE = 'verified.json';

/**
 * Whether a model's files are still those that were fetched. They are hashed when their size or a time has changed since
 * they last were: hashing 47 MB at every command would cost a tenth of a second.
 */
export async function isGenuine(entry: Asset, folder: string): Promise<boolean> {
  const looks = await looksOf(entry, folder);
  const known = await readFile(join(folder, FILE), 'utf8').catch(() => '');
  if (known === looks) return true;
  for (const file of entry.files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, file.path)), hash);
    if (hash.digest('hex') !== file.sha256) return false;
  }
  // In a folder that cannot be written they are hashed each time.
  await writeFile(join(folder, FILE), looks).catch(() => {});
  return true;
}

/** The time of the last change to a file's contents or place cannot be set by its owner. */
async function looksOf(entry: Asset, folder: string): Promise<string> {
  const found = await Promise.all(entry.files.map(({ path }) => stat(join(folder, path))));
  return JSON.stringify(found.map(({ size, mtimeMs, ctimeMs }) => [size, mtimeMs, ctimeMs]));
}
