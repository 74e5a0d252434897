import type { Span } from '../../model/tree.js';

/**
 * What a single line can be in CommonMark + GFM, decided on character codes. `at` is the line's first character after
 * its indentation, `end` the line's end (the newline's offset). Each answers with numbers, -1 for "no".
 */
const TAB = 9;
const SPACE = 32;

export function isBlankFrom(text: string, at: number, end: number): boolean {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== SPACE && code !== TAB) return false;
  }
  return true;
}

export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start) {
    const code = text.charCodeAt(at - 1);
    if (code !== SPACE && code !== TAB) break;
    at--;
  }
  return at;
}

/** The level of an ATX heading (`## Title`), or 0. */
export function atxLevel(text: string, at: number, end: number): number {
  let after = at;
  while (after < end && text.charCodeAt(after) === 35) after++;
  const level = after - at;
  if (level === 0 || level > 6) return 0;
  if (after < end && text.charCodeAt(after) !== SPACE && text.charCodeAt(after) !== TAB) return 0;
  return level;
}

/** The heading's own text in an ATX line: without the marks before and after it. */
export function atxContent(text: string, at: number, level: number, end: number): Span {
  let start = at + level;
  while (start < end && (text.charCodeAt(start) === SPACE || text.charCodeAt(start) === TAB)) start++;
  const last = trimmedEnd(text, start, end);
  let closing = last;
  while (closing > start && text.charCodeAt(closing - 1) === 35) closing--;
  if (closing === start) return { start, end: start };
  const before = text.charCodeAt(closing - 1);
  if (closing < last && (before === SPACE || before === TAB))
    return { start, end: trimmedEnd(text, start, closing) };
  return { start, end: last };
}

/** The length of a fence's opening run (``` or ~~~), or 0. A backtick fence has no backtick in its info string. */
export function fenceLength(text: string, at: number, end: number): number {
  const mark = text.charCodeAt(at);
  let after = at;
  while (after < end && text.charCodeAt(after) === mark) after++;
  if (after - at < 3) return 0;
  if (mark === 96) {
    for (let i = after; i < end; i++) if (text.charCodeAt(i) === 96) return 0;
  }
  return after - at;
}

export function closesFence(text: string, at: number, end: number, mark: number, length: number): boolean {
  let after = at;
  while (after < end && text.charCodeAt(after) === mark) after++;
  return after - at >= length && isBlankFrom(text, after, end);
}

export function isThematicBreak(text: string, at: number, end: number): boolean {
  const mark = text.charCodeAt(at);
  let count = 0;
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === mark) count++;
    else if (code !== SPACE && code !== TAB) return false;
  }
  return count >= 3;
}

/** 1 for `===`, 2 for `---`, 0 for neither. */
export function setextLevel(text: string, at: number, end: number): 0 | 1 | 2 {
  const mark = text.charCodeAt(at);
  let after = at;
  while (after < end && text.charCodeAt(after) === mark) after++;
  if (!isBlankFrom(text, after, end)) return 0;
  return mark === 61 ? 1 : 2;
}

/** The length of a list marker (`-`, `12.`) at `at`, followed by a space, a tab or the line's end; or 0. */
export function listMarkerLength(text: string, at: number, end: number): number {
  let after = at;
  const first = text.charCodeAt(at);
  if (first === 45 || first === 42 || first === 43) after++;
  else {
    while (after < end && after - at < 10 && isDigit(text.charCodeAt(after))) after++;
    if (after === at || after - at > 9 || after >= end) return 0;
    const delimiter = text.charCodeAt(after);
    if (delimiter !== 46 && delimiter !== 41) return 0;
    after++;
  }
  if (after < end && text.charCodeAt(after) !== SPACE && text.charCodeAt(after) !== TAB) return 0;
  return after - at;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The offset after `[^label]:`, or -1. */
export function afterFootnoteMark(text: string, at: number, end: number): number {
  if (text.charCodeAt(at + 1) !== 94) return -1;
  let i = at + 2;
  for (; i < end && i - at < 1000; i++) {
    const code = text.charCodeAt(i);
    if (code === 93) break;
    if (code === 91 || code === SPACE || code === TAB) return -1;
    if (code === 92) {
      const next = text.charCodeAt(i + 1);
      if (next === 91 || next === 92 || next === 93) i++;
    }
  }
  return i > at + 2 && text.charCodeAt(i) === 93 && i + 1 < end && text.charCodeAt(i + 1) === 58 ? i + 2 : -1;
}

/** How many cells a table row has: pieces between unescaped pipes, the outer pipes aside. */
export function countCells(text: string, at: number, end: number): number {
  const last = trimmedEnd(text, at, end);
  let from = at;
  if (text.charCodeAt(from) === 124) from++;
  let cells = 1;
  for (let i = from; i < last; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 124 && i < last - 1) cells++;
  }
  return cells;
}

/** How many columns a delimiter row (`|:--|--:|`) sets, or 0 where the line is none. */
export function delimiterColumns(text: string, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== 124 && code !== 45 && code !== 58 && code !== SPACE && code !== TAB) return 0;
  }
  const row = text.slice(at, end).trim();
  // Hyphens alone underline a heading.
  if (!/[|:]/.test(row)) return 0;
  if (!/^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/.test(row)) return 0;
  return countCells(text, at, end);
}
