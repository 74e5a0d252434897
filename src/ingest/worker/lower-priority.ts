import { getPriority, setPriority } from 'node:os';

/** A third of the share of a process that asks: adding goes on, but nobody waits for an answer because of it. */
const NICE = 5;

/** For a whole process that does nothing but change a library: readers come first where processors are few. */
export function lowerPriority(): void {
  try {
    setPriority(0, Math.max(getPriority(0), NICE));
  } catch {
    // A container may forbid it; the work is then merely less polite.
  }
}
