import type { Tree, TreeBlock } from '../model/tree.js';
import { decode } from './decode.js';
import type { Parser } from './parser.js';

export const textParser: Parser = ({ bytes }) => textTree(decode(bytes));

/** Plain text: paragraphs between blank lines. */
export function textTree(text: string): Tree {
  const blocks: TreeBlock[] = [];
  let start = -1;
  let end = 0;
  for (let from = 0; from < text.length; ) {
    let to = text.indexOf('\n', from);
    if (to < 0) to = text.length;
    const first = firstVisible(text, from, to);
    if (first < to) {
      if (start < 0) start = first;
      end = lastVisible(text, first, to);
    } else if (start >= 0) {
      blocks.push({ type: 'paragraph', section: -1, start, end });
      start = -1;
    }
    from = to + 1;
  }
  if (start >= 0) blocks.push({ type: 'paragraph', section: -1, start, end });
  return {
    format: 'text',
    text,
    title: null,
    sections: [],
    blocks,
    excluded: [],
    pages: [],
    metadata: {},
    warnings: [],
  };
}

const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0x3000 || code === 0xa0;

function firstVisible(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function lastVisible(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}
