import { formatOf, PARSERS } from '../../parse/parse.js';

/** A text this small is prepared within a few hundredths of a second, whatever is in it. */
const SMALL = 64 * 1024;

/** Whatever is in it. */
export const isLarge = (size: number): boolean => size > SMALL;

/** Hostile-prone formats always, and whatever is too large to be surely quick. */
export function needsProcess(bytes: Uint8Array, name: string): boolean {
  if (isLarge(bytes.byteLength)) return true;
  const format = formatOf({ bytes, name });
  return PARSERS.find((parser) => parser.format === format)?.isolated === true;
}
