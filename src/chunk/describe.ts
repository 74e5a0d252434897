import { type ChunkMetadata, CONTENT_TYPES, type ContentType } from '../model/chunk.js';
import type { BlockType, Span, Tree, TreeBlock } from '../model/tree.js';
import type { Passage } from './cut.js';
import type { Item } from './items.js';
import type { Places } from './places.js';
import type { ChunkSettings } from './settings.js';

/**
 * The section that a chunk stands under, which holds some items of a piece: that of its text, or of its last heading
 * where it has no text. `h2` names the heading that the slice begins with, and the document itself before the first H2;
 * `content` the heading that the chunk begins under, or else the first that it holds.
 */
export function sectionOf(
  piece: readonly Item[],
  held: readonly Item[],
  { strategy }: ChunkSettings,
): number {
  const { level, section } = piece[0]!;
  if (strategy === 'h2') return level === 2 || (level === 1 && section > 0) ? section : -1;
  const first = held[0]!;
  if (strategy === 'content' && first.section >= 0) return first.section;
  const named = held.find((item) => (strategy === 'content' ? item.level > 0 : item.level === 0));
  return (named ?? held[held.length - 1]!).section;
}

const TYPE_OF: Readonly<Record<BlockType, ContentType>> = {
  paragraph: 'text',
  quote: 'text',
  html: 'text',
  code: 'code',
  table: 'table',
  list: 'list',
};

/** The types of blocks in [start, end): first the one that makes up at least half of the text. Headings have none. */
export function contentTypes(
  items: readonly Item[],
  { start, end }: Span,
  isFaq: boolean,
): readonly ContentType[] {
  const sizes = { text: -1, code: -1, table: -1, list: -1, faq: -1 };
  let half = 0;
  for (const { block, start: from, end: to } of items) {
    if (block === null) continue;
    const size = Math.min(to, end) - Math.max(from, start);
    const type = TYPE_OF[block.type];
    sizes[type] = Math.max(0, sizes[type]) + size;
    half += size / 2;
  }
  const main = isFaq ? 'faq' : (MAIN.find((type) => sizes[type] >= half) ?? 'text');
  return [main, ...CONTENT_TYPES.filter((type) => type !== main && sizes[type] >= 0)];
}

const MAIN = ['code', 'table', 'list'] as const;

/** Such as `[Code] nginx snippet`. */
export function hintOf(tree: Tree, { content_types, section, start, end }: Passage): string {
  switch (content_types[0]) {
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
