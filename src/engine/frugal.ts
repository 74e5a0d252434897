import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collectAlways } from '../parse/collect.js';

/**
 * Below this many bytes of input, compiling for speed takes longer and more memory (10 MB and more) than it saves.
 * (docs/decisions/json-memory.md)
 */
const SMALL = 3 * 2 ** 20;

/**
 * For a process that reads a few files, prints and ends. V8 takes memory for speed: its room for new objects grows to
 * 32 MB with what is kept of them, and its optimising compiler works on several functions at once.
 */
export async function beFrugal(paths: readonly string[]): Promise<void> {
  // Read by V8 whenever the room would grow, so it can be said now; the size itself could only be given at the start.
  setFlagsFromString('--semi-space-growth-factor=1');
  // For `collect`.
  setFlagsFromString('--expose-gc');
  globalThis.gc ??= runInNewContext('gc') as NodeJS.GCFunction;
  collectAlways();
  const sizes = await Promise.all(paths.map(sizeOf));
  if (sizes.reduce((sum, size) => sum + size, 0) < SMALL) setFlagsFromString('--no-opt');
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
