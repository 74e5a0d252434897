import type { Tree, TreeBlock } from '../model/tree.js';
import { decode } from './decode.js';
import type { Parser } from './parser.js';
import { SectionStack } from './sections.js';
import { textTree } from './text.js';

/**
 * Logs keep their text. A record is a line with a time and the lines below it without one (a stack trace); records are
 * never cut, and each day is a section.
 */
export const logParser: Parser = ({ bytes }) => logTree(decode(bytes));

/** `2026-11-15T10:00:00`, `2026/11/15 10:00:00`, `[15/Nov/2026:10:00:00`, `Nov 15 10:00:00`, `10:00:00.123`, epoch. */
const TIME =
  /^\W{0,3}(?:(?<iso>\d{4}[-/.]\d{2}[-/.]\d{2})[T _]\d{2}:\d{2}|(?:\S+ ){0,3}\[(?<web>\d{2}\/[A-Z][a-z]{2}\/\d{4}):\d{2}:\d{2}|(?:[A-Z][a-z]{2},? )?(?<day>[A-Z][a-z]{2} [ \d]\d) \d{2}:\d{2}:\d{2}|\d{2}:\d{2}:\d{2}[.,\s\]]|\d{10}(?:\.\d+|\d{3})?\s)/;

/** Whether a text reads as a log: most of its first lines begin with a time. */
export function looksLikeLog(head: string): boolean {
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  const timed = lines.filter((line) => TIME.test(line)).length;
  return lines.length >= 3 && timed * 2 > lines.length;
}

export function logTree(text: string): Tree {
  if (!looksLikeLog(text.slice(0, 8_000))) return { ...textTree(text), format: 'log' };
  const sections = new SectionStack(text.length);
  const blocks: TreeBlock[] = [];
  let today: string | undefined;
  let start = 0;
  let cuts: number[] = [];
  const endBlock = (end: number): void => {
    const from = start + /^\s*/.exec(text.slice(start, end))![0].length;
    const to = start + text.slice(start, end).trimEnd().length;
    const inside = cuts.filter((cut) => cut > from && cut < to);
    if (to > from)
      blocks.push({
        type: 'paragraph',
        start: from,
        end: to,
        section: sections.current,
        ...(inside.length > 0 ? { cuts: inside } : {}),
      });
    start = end;
    cuts = [];
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    const time = TIME.exec(text.slice(at, Math.min(next, at + 200)));
    if (time !== null) {
      const day = time.groups?.iso ?? time.groups?.web ?? time.groups?.day;
      if (day !== undefined && day !== today) {
        endBlock(at);
        today = day;
        sections.open(day, 1, { start: at, end: at });
      } else cuts.push(at);
    }
    at = next;
  }
  endBlock(text.length);
  return {
    format: 'log',
    text,
    title: null,
    sections: sections.close(),
    blocks,
    excluded: [],
    pages: [],
    metadata: {},
    warnings: [],
  };
}
