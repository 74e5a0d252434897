import { firstOf, type Line, lastOf } from './lines.js';
import { isCjk } from './words.js';

/** Where paragraphs end, and how their lines become running text. */

const ENDS_SENTENCE = /[.!?:;。！？：；…][)\]"'”’）」』]*$/;
const BULLET = /^(?:[•‣◦▪▫●○■□◆◇►▶➢➤✓✔✗∙·*\u2013\u2014-]|[\uf020-\uf0ff])(?=\s)/;
const NUMBERED =
  /^(?:\(?\d{1,3}[.)](?!\d)|\(?[a-z][.)]|\(?[ivxlc]{1,5}[.)]|[①-⑳]|[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)\s*(?=\S)/iu;

export type Marker = 'bullet' | 'number' | null;

export const markerOf = (line: Line): Marker =>
  BULLET.test(line.text) ? 'bullet' : NUMBERED.test(line.text) ? 'number' : null;

/** Symbol fonts put their bullets into the private area. */
export const cleanBullet = (text: string): string => text.replace(/^[\uf020-\uf0ff](?=\s)/, '•');

/** The usual distance between the baselines around a line. */
export function leadingAt(lines: readonly Line[], at: number): number {
  const gaps: number[] = [];
  for (let here = Math.max(1, at - 6); here < Math.min(lines.length, at + 7); here++) {
    const [a, b] = [lines[here - 1]!, lines[here]!];
    if (a.region !== b.region || a.page !== b.page || !sameSize(a, b)) continue;
    const gap = a.base - b.base;
    if (gap > 0.8 * b.size && gap < 2.2 * b.size) gaps.push(gap);
  }
  gaps.sort((a, b) => a - b);
  // The lower quartile: gaps between paragraphs are among them.
  return gaps[gaps.length >> 2] ?? 1.3 * lines[at]!.size;
}

export const sameSize = (a: Line, b: Line): boolean =>
  Math.abs(a.size - b.size) <= 0.08 * Math.max(a.size, b.size);

/** Does the line `at` begin a new paragraph, given that `first` is where the open one began? */
export function startsParagraph(lines: readonly Line[], at: number, first: number): boolean {
  const [above, line] = [lines[at - 1]!, lines[at]!];
  if (above.page !== line.page || above.region !== line.region) return !continues(above, line);
  if (isBroken(above, line)) return false;
  if (!sameSize(above, line) || above.bold !== line.bold) return true;
  const gap = above.base - line.base;
  if (gap < -0.2 * line.size) return true;
  if (gap > 1.35 * leadingAt(lines, at)) return true;
  const em = line.size;
  const room = line.regionRight - above.right;
  const firstWord = Math.max(em, ((line.text.indexOf(' ') + 1 || line.text.length) * em) / 2);
  if (room > 0.4 * (line.regionRight - line.regionLeft)) return true;
  if (room > firstWord + em && ENDS_SENTENCE.test(above.text)) return true;
  const indent = line.left - above.left;
  if (indent > 0.8 * em) {
    const below = lines[at + 1];
    const hanging =
      below?.region === line.region &&
      below.page === line.page &&
      Math.abs(below.left - line.left) < 0.5 * em;
    return !hanging && (at - 1 > first || ENDS_SENTENCE.test(above.text));
  }
  // Back to the margin after the first, indented line is the same paragraph; after others a new, hanging one.
  return indent < -0.8 * em && at - 1 > first;
}

/** A word broken at the line's end. */
const isBroken = (above: Line, line: Line): boolean =>
  /\p{L}-$/u.test(above.text) && /^\p{Ll}/u.test(line.text);

/** Does the text run on over the end of a column or page? */
export function continues(above: Line, line: Line): boolean {
  if (
    above.aside ||
    line.aside ||
    !sameSize(above, line) ||
    above.bold !== line.bold ||
    line.page - above.page > 1
  )
    return false;
  if (markerOf(line) === 'bullet') return false;
  if (isBroken(above, line)) return true;
  if (ENDS_SENTENCE.test(above.text)) return false;
  const full = above.regionRight - above.right < 0.15 * (above.regionRight - above.regionLeft);
  return full && (/^[\p{Ll}]/u.test(line.text) || (isCjk(lastOf(above.text)) && isCjk(firstOf(line.text))));
}

/** What stands between the end of one line and the next: a space, nothing between ideographs, no hyphen where a word was broken. */
export function joint(
  above: string,
  below: string,
  isWord: (word: string) => boolean,
): { cut: number; add: string } {
  if (/\p{L}-$/u.test(above) && /^\p{Ll}/u.test(below)) {
    const head = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+-$/u.exec(above)![0];
    const tail = /^[\p{L}\p{N}-]+/u.exec(below)![0];
    // A compound that the document also writes on one line keeps its hyphen.
    return isWord((head + tail).toLowerCase()) ? { cut: 0, add: '' } : { cut: 1, add: '' };
  }
  if (/[\p{L}\p{N}][-/]$/u.test(above) && /^[\p{L}\p{N}]/u.test(below)) return { cut: 0, add: '' };
  return { cut: 0, add: isCjk(lastOf(above)) && isCjk(firstOf(below)) ? '' : ' ' };
}

/** Dots that lead the eye to a page number say nothing. */
export const withoutLeaders = (text: string): string =>
  text.replace(/(?:(?<!\s)\s+)?(?:[.·…_]\s?){5,}\s*/g, ' … ');
