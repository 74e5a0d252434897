import { hasWords, type Item } from './items.js';
import type { ChunkSettings } from './settings.js';
import type { Visible } from './visible.js';

/** Items that may share a chunk: those with indexes in [from, to). */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/**
 * Code and tables of at least this part of the maximum are chunks of their own (400 characters by default): see
 * docs/decisions/chunking.md for what smaller and larger ones cost.
 */
const OWN_PART = 1 / 3;

/**
 * The first cuts, which no chunk crosses. Each depends on the two items beside it alone, so that a change in one place
 * moves no other cut. `entries`: for each item the FAQ entry it belongs to, or -1; null where nothing is asked.
 */
export function cutPieces(
  items: readonly Item[],
  entries: readonly number[] | null,
  visible: Visible,
  settings: ChunkSettings,
): Piece[] {
  if (items.length === 0) return [];
  if (settings.strategy === 'h2') return slices(items);
  if (settings.strategy === 'content') return joinSmall(items, visible, settings);
  return piecesAt(items, (index) => isCut(visible.text, items, entries, index, settings));
}

/**
 * `hierarchical`: at every section's end, around FAQ entries, and around large code and tables. An answer is kept whole,
 * unless it holds what must be cut in any case.
 */
function isCut(
  text: string,
  items: readonly Item[],
  entries: readonly number[] | null,
  index: number,
  { max }: ChunkSettings,
): boolean {
  const item = items[index]!;
  const before = items[index - 1]!;
  // A heading travels with what stands below it.
  if (before.level > 0) return false;
  if (item.level > 0) return true;
  // In code, a class goes on after its methods. What has no words there (a closing brace) is no text of its own.
  if (item.section !== before.section) return hasWords(text, item);
  const entry = entries === null ? -1 : entries[index]!;
  if (entries !== null && entry !== entries[index - 1]) return true;
  const least = entry < 0 ? max * OWN_PART : max + 1;
  return isSolid(item, least) || isSolid(before, least);
}

const isSolid = ({ block, start, end }: Item, least: number): boolean =>
  block !== null && (block.type === 'code' || block.type === 'table') && end - start >= least;

/**
 * `h2`: a slice is from one H2 to the next, or to an H1, which ends a section too. A document without any is one slice.
 * An H1 with nothing between it and the next H2 is the title of what follows, and in no slice.
 */
function slices(items: readonly Item[]): Piece[] {
  const first = items.findIndex(({ level }) => level === 2);
  if (first < 0) return [{ from: 0, to: items.length }];
  const pieces = piecesAt(items, (index) => {
    const { level } = items[index]!;
    return index >= first && (level === 1 || level === 2);
  });
  return pieces.filter(({ from, to }) => to - from > 1 || items[from]!.level !== 1 || items[to]?.level !== 2);
}

/** `content`: at headings with the minimum before them, and around code and tables that must be cut. */
function joinSmall(items: readonly Item[], visible: Visible, { min, max }: ChunkSettings): Piece[] {
  const end = items[items.length - 1]!.end;
  const size = (from: number, to: number): number =>
    visible.before(to < items.length ? items[to]!.start : end) - visible.before(items[from]!.start);
  if (size(0, items.length) < 2 * min && end - items[0]!.start <= max) return [{ from: 0, to: items.length }];
  let last = 0;
  return piecesAt(items, (index) => {
    const item = items[index]!;
    const before = items[index - 1]!;
    if (before.level > 0) return false;
    const must = isSolid(item, max + 1) || isSolid(before, max + 1);
    const may = item.level > 0 && size(last, index) >= min && size(index, items.length) >= min;
    if (must || may) last = index;
    return must || may;
  });
}

function piecesAt(items: readonly Item[], cutAt: (index: number) => boolean): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let to = 1; to <= items.length; to++) {
    if (to < items.length && !cutAt(to)) continue;
    pieces.push({ from, to });
    from = to;
  }
  return pieces;
}
