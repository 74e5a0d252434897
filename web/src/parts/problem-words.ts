import type { Problem } from '../api.js';
import { isKey, type Translate } from '../i18n/i18n.js';

/** A problem in the page's own words: what it is, and what to do next. */
export function problemWords(
  problem: Problem,
  t: Translate,
): { readonly what: string; readonly next: string } {
  const key = `problem.${problem.code}`;
  return isKey(key)
    ? { what: t(key), next: t(`${key}.next` as 'problem.other.next') }
    : { what: t('problem.other'), next: t('problem.other.next') };
}
