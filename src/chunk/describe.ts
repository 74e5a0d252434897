import type { ChunkMetadata, ContentType } from '../model/chunk.js';
import type { Span, Tree, TreeBlock } from '../model/tree.js';
import type { Passage } from './cut.js';
import type { Item } from './items.js';
import type { Places } from './places.js';
import type { ChunkSettings } from './settings.js';

/**
 * The section a chunk stands under: that of its first text. Where it begins with headings, the last of those with
 * nothing between them (`# Guide`, `## Setup`, text: Setup); with `h2`, the last that is no deeper than that.
 */
export function sectionOf(
  items: readonly Item[],
  from: number,
  to: number,
  own: number,
  { headings }: ChunkSettings,
): number {
  const deepest = headings === 'all' ? 6 : headings.only;
  let { section } = items[from]!;
  // Inside a heading that is too long for one chunk.
  if (own > items[from]!.start) return section;
  let chosen = -1;
  for (let index = from; index < to && items[index]!.level > 0; index++) {
    ({ section } = items[index]!);
    if (items[index]!.level <= deepest) chosen = section;
  }
  return chosen < 0 ? section : chosen;
}

/** The kind that makes up at least half of the text in [start, end); headings count for none. */
export function contentType(
  items: readonly Item[],
  from: number,
  to: number,
  start: number,
  end: number,
): ContentType {
  let text = 0;
  let code = 0;
  let table = 0;
  let list = 0;
  for (let index = from; index < to; index++) {
    const { block, start: low, end: high } = items[index]!;
    if (block === null) continue;
    const size = Math.min(high, end) - Math.max(low, start);
    if (block.type === 'code') code += size;
    else if (block.type === 'table') table += size;
    else if (block.type === 'list') list += size;
    else text += size;
  }
  const half = (text + code + table + list) / 2;
  if (half === 0) return 'text';
  return code >= half ? 'code' : table >= half ? 'table' : list >= half ? 'list' : 'text';
}

/** Such as `[Code] nginx snippet` (S4.3). */
export function hintOf(tree: Tree, { content_type, section, start, end }: Passage): string {
  switch (content_type) {
    case 'code': {
      const lang = langWithin(tree.blocks, start, end);
      return lang === undefined ? '[Code] snippet' : `[Code] ${lang} snippet`;
    }
    case 'table':
      return '[Table] rows';
    case 'list':
      return '[List] items';
    case 'faq':
      return section < 0 ? '[FAQ] question and answer' : `[FAQ] ${tree.sections[section]!.title}`;
    default:
      return '';
  }
}

/** The language of the first code block that names one in [start, end). */
function langWithin(blocks: readonly TreeBlock[], start: number, end: number): string | undefined {
  for (
    let index = firstEndingAfter(blocks, start);
    index < blocks.length && blocks[index]!.start < end;
    index++
  ) {
    if (blocks[index]!.lang !== undefined) return blocks[index]!.lang;
  }
  return undefined;
}

const NOTHING: ChunkMetadata = {};

/** Excluded ranges of the chunk, the header of a table whose later rows it holds, its pointer and its lines. */
export function metadataOf(tree: Tree, { start, end, block }: Passage, places: Places): ChunkMetadata {
  const header =
    block?.type === 'table' && block.header !== undefined && start >= block.header.end ? block.header : null;
  const pointer = commonPointer(tree.blocks, start, end);
  const line_marks = places.lineMarks(start, end);
  if (header === null && pointer === undefined && line_marks === undefined && tree.excluded.length === 0)
    return NOTHING;
  const excluded: [number, number][] = [];
  for (let index = firstEndingAfter(tree.excluded, start); index < tree.excluded.length; index++) {
    const range = tree.excluded[index]!;
    if (range.start >= end) break;
    excluded.push([Math.max(range.start, start) - start, Math.min(range.end, end) - start]);
  }
  return {
    ...(pointer === undefined ? {} : { json_pointer: pointer }),
    ...(excluded.length === 0 ? {} : { excluded }),
    ...(header === null ? {} : { table_header: tree.text.slice(header.start, header.end) }),
    ...(line_marks === undefined ? {} : { line_marks }),
  };
}

/** The JSON node that holds all of the blocks in [start, end), in formats whose blocks name theirs. */
function commonPointer(blocks: readonly TreeBlock[], start: number, end: number): string | undefined {
  let shared: string[] | undefined;
  for (
    let index = firstEndingAfter(blocks, start);
    index < blocks.length && blocks[index]!.start < end;
    index++
  ) {
    const tokens = blocks[index]!.pointer?.split('/');
    if (tokens === undefined) continue;
    if (shared === undefined) shared = tokens;
    else {
      const differs = shared.findIndex((token, at) => tokens[at] !== token);
      if (differs >= 0) shared = shared.slice(0, differs);
    }
  }
  return shared?.join('/');
}

function firstEndingAfter(spans: readonly Span[], at: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
