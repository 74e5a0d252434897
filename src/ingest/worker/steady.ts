import { formatOf, PARSERS } from '../../parse/parse.js';
import type { ParseInput, ParseLimits } from '../../parse/parser.js';

/** Formats whose parsers take time and memory that the file's size foretells (`steady` in the registry): JSON. */

export function isSteady(input: Pick<ParseInput, 'bytes' | 'name'>): boolean {
  const format = formatOf(input);
  return PARSERS.some((parser) => parser.format === format && parser.steady === true);
}

/** By its name: what it holds may be something else. */
export const isNamedSteady = (name: string): boolean =>
  PARSERS.some(
    ({ steady, extensions }) => steady === true && extensions.some((end) => name.toLowerCase().endsWith(end)),
  );

/** How much longer than its file a text may be, beyond the first megabyte: nothing real comes near it. */
const EXPANSION = 8;
const SMALL = 2 ** 20;

/** What expands more than that is not steady after all. */
export const steadyLimits = (limits: ParseLimits, size: number): ParseLimits => ({
  ...limits,
  expanded: Math.min(limits.expanded, SMALL + EXPANSION * size),
});
