import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collectFrom } from '../../parse/collect.js';

/**
 * V8 takes memory for speed: its room for new objects grows to 32 MB and more with what is kept of them, and its
 * optimising compiler works on several functions at once. A library must bear what its program has chosen; a process that
 * is ours alone need not. (Figures: docs/decisions/json-memory.md)
 */

/** Below this many bytes of input, compiling for speed takes 10 MB and more, and saves a few tenths of a second. */
const SMALL = 3 * 2 ** 20;

let isOurs = false;

/** Said by a program that does one thing and ends. */
export function ownProcess(): void {
  isOurs = true;
}

/**
 * Where the process is ours, for one large document: no more room for new objects than it has now. (V8 forgets that when
 * a thread starts. For many small documents it is no good: adding 3,800 pages took 15 % longer.)
 */
export function writeFrugally(): void {
  if (!isOurs) return;
  stopGrowing();
  exposeCollector();
  collectFrom(2 ** 20, 2 * 2 ** 20);
}

/** Read by V8 whenever the room would grow, so it can be said at any time; its size could only be given at the start. */
const stopGrowing = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** For a process that reads a few files, prints and ends. */
export async function readFrugally(paths: readonly string[]): Promise<void> {
  stopGrowing();
  exposeCollector();
  collectFrom(64 * 1024, 2 ** 20);
  const sizes = await Promise.all(paths.map(sizeOf));
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size < SMALL) setFlagsFromString('--no-opt');
}

/** For `collect`. */
export function exposeCollector(): void {
  setFlagsFromString('--expose-gc');
  globalThis.gc ??= runInNewContext('gc') as NodeJS.GCFunction;
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
