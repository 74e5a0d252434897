import type { Span, Tree, TreeBlock } from '../model/tree.js';

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

export function itemsOf(tree: Tree): Item[] {
  const { text, sections, blocks, excluded } = tree;
  const items: Item[] = [];
  const gaps = new Gaps(text, excluded);
  let section = 0;
  let block = 0;
  let reached = 0;
  const fill = (start: number, owner: number): void => {
    if (start > reached) {
      const found = gaps.visible(reached, start);
      if (found !== null) {
        const type = 'paragraph';
        items.push({
          ...found,
          level: 0,
          section: owner,
          block: { ...found, type, section: owner },
          paragraph: block,
        });
      }
    }
  };
  while (section < sections.length || block < blocks.length) {
    const heading = sections[section];
    const next = blocks[block];
    if (heading !== undefined && (next === undefined || heading.heading.start <= next.start)) {
      const { start, end } = heading.heading;
      fill(start, section - 1);
      items.push({ start, end, level: heading.level, section, block: null, paragraph: block + 1 });
      reached = Math.max(reached, end);
      section++;
    } else {
      fill(next!.start, section - 1);
      block++;
      const found = gaps.visible(next!.start, next!.end);
      if (found !== null)
        items.push({ ...found, level: 0, section: next!.section, block: next!, paragraph: block });
      reached = Math.max(reached, next!.end);
    }
  }
  fill(text.length, sections.length - 1);
  return items;
}

/** Finds readable text between offsets, white space and excluded ranges aside. Asked in document order. */
class Gaps {
  readonly #text: string;
  readonly #excluded: readonly Span[];
  #next = 0;

  constructor(text: string, excluded: readonly Span[]) {
    this.#text = text;
    this.#excluded = excluded;
  }

  /** [start, end) shrunk to what can be read, or null. */
  visible(start: number, end: number): { start: number; end: number } | null {
    const excluded = this.#excluded;
    while (this.#next < excluded.length && excluded[this.#next]!.end <= start) this.#next++;
    let from = start;
    let range = this.#next;
    for (; from < end; ) {
      if (range < excluded.length && excluded[range]!.start <= from)
        from = Math.max(from, excluded[range++]!.end);
      else if (isSpace(this.#text.charCodeAt(from))) from++;
      else break;
    }
    if (from >= end) return null;
    return { start: from, end: visibleEnd(this.#text, excluded, from, end) };
  }
}

/** `end` moved back over white space and excluded ranges, to no less than `start`. */
export function visibleEnd(text: string, excluded: readonly Span[], start: number, end: number): number {
  let to = end;
  let range = lastStartingBefore(excluded, end);
  while (to > start) {
    if (isSpace(text.charCodeAt(to - 1))) to--;
    else if (range >= 0 && excluded[range]!.end >= to && excluded[range]!.start >= start)
      to = excluded[range--]!.start;
    else if (range >= 0 && excluded[range]!.start >= to) range--;
    else break;
  }
  return to;
}

function lastStartingBefore(spans: readonly Span[], at: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.start < at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** White space as JavaScript's `\s` has it. */
export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0x1680) return code === 0xa0;
  return (
    code === 0x3000 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x1680 ||
    code === 0xfeff
  );
}
