import type { ContentType } from '../model/chunk.js';
import type { Span, Tree, TreeBlock } from '../model/tree.js';
import { contentType, sectionOf } from './describe.js';
import { Divider } from './divide.js';
import { faqEntries } from './faq.js';
import { type Item, itemsOf } from './items.js';
import { overlapStart } from './overlap.js';
import { cutPieces, Sizes } from './pieces.js';
import type { ChunkSettings } from './settings.js';
import { Visible } from './visible.js';

/** A chunk before it is a record: where it is and what it holds. `text.slice(start, end)` is its content. */
export interface Passage extends Span {
  /** Index into `Tree.sections`, or -1. */
  readonly section: number;
  readonly content_type: ContentType;
  /** The number of its first block, from 1. */
  readonly paragraph: number;
  /** Its first block; null where it begins with a heading. */
  readonly block: TreeBlock | null;
}

/**
 * Where a document may be cut: pieces by headings and by blocks that stand alone, then parts of the pieces that are too
 * long, each with the overlap that leads into it. No hashing, no counting: that is `chunkDocument`.
 */
export function cutDocument(tree: Tree, settings: ChunkSettings): Passage[] {
  const visible = new Visible(tree.text, tree.excluded);
  const items = itemsOf(tree, visible);
  const faq = settings.separate ? faqEntries(tree, items) : null;
  const starts = cutPieces(tree.text, items, new Sizes(items, visible), faq, settings);
  const passages: Passage[] = [];
  const divider = new Divider(visible, settings);
  for (let index = 0; index < starts.length; index++) {
    const from = starts[index]!;
    const to = index + 1 < starts.length ? starts[index + 1]! : items.length;
    const isFaq = faq !== null && isEntry(faq, from, to);
    const start = items[from]!.start;
    const end = items[to - 1]!.end;
    if (end - start > settings.max)
      addParts(passages, divider, visible, items.slice(from, to), isFaq, settings);
    else if (end > start) passages.push(passage(start, end, start, items, from, to, isFaq, settings));
  }
  return passages;
}

function isEntry(faq: readonly number[], from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (faq[index]! < 0) return false;
  return true;
}

function addParts(
  passages: Passage[],
  divider: Divider,
  visible: Visible,
  piece: readonly Item[],
  isFaq: boolean,
  settings: ChunkSettings,
): void {
  const parts = divider.divide(piece);
  let from = 0;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    const start = index === 0 ? part.start : overlapStart(visible, parts[index - 1]!, part, piece, settings);
    while (from < piece.length - 1 && piece[from]!.end <= part.start) from++;
    let to = from + 1;
    while (to < piece.length && piece[to]!.start < part.end) to++;
    passages.push(passage(start, part.end, part.start, piece, from, to, isFaq, settings));
  }
}

/** `own`: where the text begins that is not repeated from the passage before. */
function passage(
  start: number,
  end: number,
  own: number,
  items: readonly Item[],
  from: number,
  to: number,
  isFaq: boolean,
  settings: ChunkSettings,
): Passage {
  const { block, paragraph } = items[from]!;
  const section = sectionOf(items, from, to, own, settings);
  const content_type = isFaq ? 'faq' : contentType(items, from, to, own, end);
  return { start, end, section, content_type, paragraph, block };
}
