import type { Library } from '../../engine/library.js';

/** Other processes write too: their changes show in the library's generation, asked for now and then. */
const EVERY_MS = 2000;
const FIRST_MS = 50;

/** Calls `onChange` when documents may have come or gone; gives what stops it. Never keeps the process alive. */
export function watchGeneration(library: () => Promise<Library>, onChange: () => void): () => void {
  let last: number | null = null;
  let busy = false;
  const look = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const generation = await (await library()).generation();
      if (last !== null && generation !== last) onChange();
      last = generation;
    } catch {
      // A library that cannot be read says so to whoever calls a tool; this only watches.
    } finally {
      busy = false;
    }
  };
  // The first look is what later ones are compared with: soon, but after the client's `initialize` has been answered.
  setTimeout(look, FIRST_MS).unref();
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
