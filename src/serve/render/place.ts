import { cleanLabel } from '../../model/indexed.js';
import type { Loc } from '../../model/section.js';

/** `docs/guide.md:12-18`, `paper.pdf:p.4`: a place as editors and people write it. */
export function placeOf(path: string, loc: Loc): string {
  if (loc.page !== undefined) return `${path}:p.${range(loc.page, loc.page_end ?? loc.page)}`;
  if (loc.lines) return `${path}:${range(loc.lines.from, loc.lines.to)}`;
  return path;
}

const range = (from: number, to: number): string => (from === to ? `${from}` : `${from}-${to}`);

/** Titles as labels: without the anchors and markup authors put there. */
export const titlePath = (path: readonly string[]): string =>
  path.map(cleanLabel).filter(Boolean).join(' › ');
