/** Enough of a passage to tell it from its neighbours; a change further on does not move the cut before it. */
const READ = 32;

/** A number that depends on the text at a place alone (FNV-1a of its line): it orders cuts that are otherwise alike. */
export function keyAt(text: string, start: number): number {
  let hash = 0x811c9dc5;
  const stop = Math.min(text.length, start + READ);
  for (let at = start; at < stop; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) break;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  // FNV's low bits follow the last characters closely; a final mix spreads them.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash >>> 0;
}
