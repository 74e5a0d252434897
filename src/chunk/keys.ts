/** Enough of a passage to tell it from its neighbours; a change further on does not move the cut before it. */
const READ = 64;

/** A number that depends on the text at a place alone (FNV-1a): it orders cuts that are otherwise alike. */
export function keyOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  const stop = Math.min(end, start + READ);
  for (let at = start; at < stop; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // FNV's low bits follow the last characters closely; a final mix spreads them.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash >>> 0;
}
