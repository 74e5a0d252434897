import type { Loc } from '../api-records.js';
import type { Translate } from '../i18n/i18n.js';

/** Where a passage stands, as a person says it. */
export function placeText(loc: Loc, t: Translate): string {
  if (loc.page !== undefined) return t('place.page', { page: String(loc.page) });
  if (loc.slide !== undefined) return t('place.slide', { slide: String(loc.slide) });
  if (loc.sheet !== undefined) return [loc.sheet, loc.cells].filter(Boolean).join(' ');
  if (loc.lines !== undefined) {
    const { from, to } = loc.lines;
    return t(from === to ? 'place.line' : 'place.lines', { from: String(from), to: String(to) });
  }
  if (loc.pointer !== undefined && loc.pointer !== '') return loc.pointer;
  if (loc.chapter !== undefined) return loc.chapter;
  if (loc.cell !== undefined) return t('place.cell', { cell: String(loc.cell) });
  return loc.paragraph === undefined ? '' : t('place.paragraph', { paragraph: String(loc.paragraph) });
}
