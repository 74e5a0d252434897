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
  /** Of a block. */
  readonly block: TreeBlock | null;
  /** The block's number in the document, from 1: `loc.paragraph`. */
  readonly paragraph: number;
}

export function itemsOf({ text, sections, blocks }: Tree, visible: Visible): Item[] {
  const items: Item[] = [];
  let section = 0;
  let block = 0;
  let reached = 0;
  const add = (start: number, end: number, owner: number, from: TreeBlock | null): void => {
    const span = start < end ? visible.trim(start, end) : null;
    if (span === null) return;
    const held: TreeBlock = from ?? { ...span, type: 'paragraph', section: owner };
    items.push({
      start: span.start,
      end: span.end,
      level: 0,
      section: owner,
      block: held,
      paragraph: Math.max(1, block),
    });
  };
  while (section < sections.length || block < blocks.length) {
    const heading = sections[section];
    const next = blocks[block];
    if (heading !== undefined && (next === undefined || heading.heading.start <= next.start)) {
      const { start, end } = heading.heading;
      add(reached, start, section - 1, null);
      items.push({ start, end, level: heading.level, section, block: null, paragraph: block + 1 });
      reached = Math.max(reached, end);
      section++;
    } else if (next !== undefined) {
      add(reached, next.start, section - 1, null);
      block++;
      add(next.start, next.end, next.section, next);
      reached = Math.max(reached, next.end);
    }
  }
  add(reached, text.length, section - 1, null);
  return items;
}
