import { cleanLabel } from '../../model/indexed.js';
import type { Section } from '../../model/section.js';
import { type Colours, oneLine } from '../cli/terminal.js';
import { placeOf } from './place.js';

/** The sections as an indented list, each with its lines or page. */
export const outline = (sections: readonly Section[], paint: Colours): string[] =>
  sections.map((section) => outlineLine(section, paint));

export function outlineLine(section: Section, paint: Colours): string {
  const depth = '  '.repeat(Math.max(0, section.title_path.length - 1));
  return `${depth}${oneLine(cleanLabel(section.title)) || '(no title)'} ${paint.dim(placeOf('', section.loc))}`.trimEnd();
}
