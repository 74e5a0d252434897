import type { Span } from '../../model/tree.js';
import { firstCharacters } from '../../text/graphemes.js';

/** The little of Markdown's inline syntax that a structure needs: a heading as plain text, and where comments stand. */

const MARKUP = /[`*_[\]<>&\\~\n]/;

/** A title stands in every path below it: what is longer is no title but a slip, and is cut. */
const LONGEST = 400;

/**
 * A heading's text as a reader sees it: no code marks, emphasis, link targets, comments, escapes or entities. Tags stay:
 * in headings they are as often placeholders (`<name>`) as markup. `labels` are those that links may refer to.
 */
export function plainTitle(source: string, labels: { has(label: string): boolean }): string {
  const short = source.length > LONGEST ? firstCharacters(source, LONGEST) : source;
  if (!MARKUP.test(short)) return short.trim();
  return decodeEntities(plain(short.replace(/[ \t]*\n[ \t]*/g, '\n'), labels))
    .replace(/[\uE000-\uE07F]/g, (held) => String.fromCharCode(held.charCodeAt(0) - PRIVATE))
    .replace(/\n/g, ' ')
    .trim();
}

/** Escaped characters and code are moved out of the way of the rules that follow, and back at the end. */
const PRIVATE = 0xe000;
const held = (text: string): string =>
  text.replace(/[!-/:-@[-`{-~]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) + PRIVATE));

/** One rule after the other, where its mark is there at all: most titles with markup have code in them and nothing else. */
function plain(source: string, labels: { has(label: string): boolean }): string {
  let text = source;
  if (text.includes('`') || text.includes('\\')) {
    text = text.replace(
      /\\([!-/:-@[-`{-~])|(`+)((?:(?!\2)[\s\S]|\2`+)+?)\2(?!`)/g,
      (whole, escaped, ticks, code) => {
        if (escaped !== undefined) return held(escaped);
        if (ticks === undefined) return whole;
        const inner = code.replace(/\n/g, ' ');
        return held(/^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner);
      },
    );
  }
  if (text.includes('<')) {
    text = text.replace(/<!---?>|<!--[\s\S]*?-->|<\/?[A-Za-z][^<>]*>/g, (tag) =>
      AUTOLINK.test(tag) ? held(tag.slice(1, -1)) : tag.startsWith('<!') ? '' : held(tag),
    );
  }
  if (text.includes('[')) {
    text = text
      .replace(
        /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g,
        '$1',
      )
      .replace(/!?\[([^[\]]+)\](?:\[([^[\]]*)\])?/g, (whole, shown: string, label: string | undefined) =>
        labels.has(label || shown) ? shown : whole,
      );
  }
  if (text.includes('*') || text.includes('~'))
    text = text.replace(/(\*{1,3}|~~)(?=\S)((?:(?!\1)[\s\S])*?\S)\1(?!\*)/g, '$2');
  if (text.includes('_')) {
    text = text.replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)((?:(?!\1)[\s\S])*?\S)\1(?![\p{L}\p{N}_])/gu, '$2');
  }
  return text;
}

const AUTOLINK = /^<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*>$/;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]+));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\ufffd';
    },
  );
}

const BEFORE_COMMENT = /[\\`]|<!--/g;

/** Closed HTML comments in prose, where `<!--` in a code span or after a backslash is text. */
export function proseComments(text: string, start: number, end: number, found: Span[]): void {
  for (let at = start; ; ) {
    BEFORE_COMMENT.lastIndex = at;
    if (!BEFORE_COMMENT.test(text)) return;
    const after = BEFORE_COMMENT.lastIndex;
    if (after > end) return;
    const code = text.charCodeAt(after - 1);
    if (code === 92) at = after + 1;
    else if (code === 96) at = afterCodeSpan(text, after - 1, end);
    else {
      const close = text.indexOf('-->', after - 2);
      if (close < 0 || close + 3 > end) return;
      found.push({ start: after - 4, end: close + 3 });
      at = close + 3;
    }
  }
}

function afterCodeSpan(text: string, from: number, end: number): number {
  let opened = from;
  while (opened < end && text.charCodeAt(opened) === 96) opened++;
  const length = opened - from;
  for (let at = opened; at < end; ) {
    const next = text.indexOf('`', at);
    if (next < 0 || next >= end) return opened;
    let closed = next;
    while (closed < end && text.charCodeAt(closed) === 96) closed++;
    if (closed - next === length) return closed;
    at = closed;
  }
  return opened;
}
