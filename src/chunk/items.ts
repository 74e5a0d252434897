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
  const add = (start: number, end: number, owner: number, from: TreeBlock): void => {
    const span = visible.isTight(start, end) ? from : visible.trim(start, end);
    if (span === null) return;
    const paragraph = Math.max(1, block);
    items.push({ start: span.start, end: span.end, level: 0, section: owner, block: from, paragraph });
  };
  const fill = (end: number): void => {
    if (reached >= end || visible.isBlank(reached, end)) return;
    add(reached, end, section - 1, { start: reached, end, type: 'paragraph', section: section - 1 });
  };
  while (section < sections.length || block < blocks.length) {
    const heading = sections[section];
    const next = blocks[block];
    if (heading !== undefined && (next === undefined || heading.heading.start <= next.start)) {
      const { start, end } = heading.heading;
      fill(start);
      items.push({ start, end, level: heading.level, section, block: null, paragraph: block + 1 });
      reached = Math.max(reached, end);
      section++;
    } else if (next !== undefined) {
      fill(next.start);
      block++;
      add(next.start, next.end, next.section, next);
      reached = Math.max(reached, next.end);
    }
  }
  fill(text.length);
  return items;
}
