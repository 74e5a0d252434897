import type { Span, Tree, TreeBlock } from '../model/tree.js';
import type { Visible } from './visible.js';

/**
 * What a document is made of, in order: headings and blocks that have something to read. Comment-only blocks are left
 * out, text that a parser put into no block is put into one, so that chunks made of items lose nothing.
 */
export interface Item extends Span {
  /** 0 for a block. */
  readonly level: number;
  /** Index into `Tree.sections`, or -1. */
  readonly section: number;
  /** null for a heading. */
  readonly block: TreeBlock | null;
  /** The block's number in the document, from 1: `loc.paragraph`. */
  readonly paragraph: number;
}

/** Whether there is a letter or digit in it: a closing brace says nothing. */
const WORD = /[\p{L}\p{N}]/u;
export const hasWords = (text: string, { start, end }: Span): boolean => WORD.test(text.slice(start, end));

export function itemsOf({ text, sections, blocks }: Tree, visible: Visible): Item[] {
  const items: Item[] = [];
  let section = 0;
  let block = 0;
  let reached = 0;
  let nextHeading = sections.length > 0 ? sections[0]!.heading.start : Infinity;
  while (section < sections.length || block < blocks.length) {
    const nextBlock = block < blocks.length ? blocks[block]!.start : Infinity;
    const next = Math.min(nextHeading, nextBlock);
    if (reached < next) fill(items, visible, reached, next, section - 1, block);
    if (nextHeading <= nextBlock) {
      const { level, heading } = sections[section]!;
      const { start, end } = heading;
      items.push({ start, end, level, section, block: null, paragraph: block + 1 });
      section++;
      nextHeading = section < sections.length ? sections[section]!.heading.start : Infinity;
      if (end > reached) reached = end;
    } else {
      const { end } = blocks[block]!;
      add(items, visible, next, end, blocks[block]!, block + 1);
      block++;
      if (end > reached) reached = end;
    }
  }
  if (reached < text.length) fill(items, visible, reached, text.length, section - 1, block);
  return items;
}

function add(
  items: Item[],
  visible: Visible,
  from: number,
  to: number,
  block: TreeBlock,
  paragraph: number,
): void {
  let start = from;
  let end = to;
  if (!visible.isTight(from, to)) {
    const span = visible.trim(from, to);
    if (span === null) return;
    ({ start, end } = span);
  }
  items.push({ start, end, level: 0, section: block.section, block, paragraph });
}

/** Text that stands in no block, where there is any between two. */
function fill(
  items: Item[],
  visible: Visible,
  start: number,
  end: number,
  section: number,
  count: number,
): void {
  if (!visible.isBlank(start, end))
    add(items, visible, start, end, { type: 'paragraph', section, start, end }, Math.max(1, count));
}
