import type { ContentType } from '../model/chunk.js';
import type { Span, Tree, TreeBlock } from '../model/tree.js';
import { contentTypes, sectionOf } from './describe.js';
import { Divider } from './divide.js';
import { faqEntries } from './faq.js';
import { type Item, itemsOf } from './items.js';
import { overlapStart } from './overlap.js';
import { cutPieces } from './pieces.js';
import type { ChunkSettings } from './settings.js';
import { Visible } from './visible.js';

/** A chunk before it is a record: where it is and what it holds. `text.slice(start, end)` is its content. */
export interface Passage extends Span {
  /** Index into `Tree.sections`, or -1. */
  readonly section: number;
  /** The main one first. */
  readonly content_types: readonly ContentType[];
  /** The number of its first block, from 1. */
  readonly paragraph: number;
  /** Its first block; null where it begins with a heading. */
  readonly block: TreeBlock | null;
}

/**
 * Where a document may be cut: pieces by sections and by blocks that stand alone, then parts of the pieces that are too
 * long, each with the overlap that leads into it. No hashing, no counting: that is `chunkDocument`.
 */
export function cutDocument(tree: Tree, settings: ChunkSettings): Passage[] {
  const visible = new Visible(tree.text, tree.excluded);
  const whole = itemsOf(tree, visible);
  const { items, entries } =
    settings.strategy === 'hierarchical' ? faqEntries(tree, whole, visible) : { items: whole, entries: null };
  const passages: Passage[] = [];
  const divider = new Divider(visible, settings);
  for (const { from, to } of cutPieces(items, entries, visible, settings)) {
    const piece = items.slice(from, to);
    // Its last item tells: headings may stand before the question.
    const isFaq = entries !== null && entries[to - 1]! >= 0;
    const start = piece[0]!.start;
    const { end } = piece[piece.length - 1]!;
    const parts = end - start > settings.max ? divider.divide(piece) : [{ start, end, window: false }];
    if (end > start) addParts(passages, parts, visible, piece, isFaq, settings);
  }
  return passages;
}

function addParts(
  passages: Passage[],
  parts: ReturnType<Divider['divide']>,
  visible: Visible,
  piece: readonly Item[],
  isFaq: boolean,
  settings: ChunkSettings,
): void {
  let from = 0;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    const start = index === 0 ? part.start : overlapStart(visible, parts[index - 1]!, part, piece, settings);
    while (from < piece.length - 1 && piece[from]!.end <= part.start) from++;
    let to = from + 1;
    while (to < piece.length && piece[to]!.start < part.end) to++;
    const held = piece.slice(from, to);
    const { block, paragraph } = held[0]!;
    const section = sectionOf(piece, held, settings);
    const content_types = contentTypes(held, part, isFaq);
    passages.push({ start, end: part.end, section, content_types, paragraph, block });
  }
}
