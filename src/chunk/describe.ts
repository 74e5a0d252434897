import type { ChunkMetadata, ContentType } from '../model/chunk.js';
import type { Span, Tree } from '../model/tree.js';
import type { Item } from './items.js';
import type { ChunkSettings } from './settings.js';

/** What a chunk is, from the items it holds: its section, its kind of content, its hint. */
export interface Description {
  readonly section: number;
  readonly content_type: ContentType;
  readonly source_hint: string;
  readonly paragraph: number;
}

/** `items` are those that the chunk touches, in order; at least one. */
export function describe(
  tree: Tree,
  items: readonly Item[],
  span: Span,
  isFaq: boolean,
  settings: ChunkSettings,
): Description {
  const section = sectionOf(items, settings);
  const content_type = isFaq ? 'faq' : contentType(items, span);
  return {
    section,
    content_type,
    source_hint: hint(tree, items, section, content_type),
    paragraph: items[0]!.paragraph,
  };
}

/**
 * The section a chunk stands under: that of its first text. Where it begins with headings, the last of those with
 * nothing between them (`# Guide`, `## Setup`, text: Setup); with `h2`, the last that is no deeper than that.
 */
function sectionOf(items: readonly Item[], { headings }: ChunkSettings): number {
  const deepest = headings === 'all' ? 6 : headings.only;
  let section = items[0]!.section;
  for (const { level, section: own } of items) {
    if (level === 0) break;
    if (level <= deepest) section = own;
  }
  return section;
}

/** The kind that makes up at least half of the text; headings count for none. */
function contentType(items: readonly Item[], { start, end }: Span): ContentType {
  const sizes = { text: 0, code: 0, table: 0, list: 0 };
  for (const { block, start: from, end: to } of items) {
    if (block === null) continue;
    const type =
      block.type === 'code' || block.type === 'table' || block.type === 'list' ? block.type : 'text';
    sizes[type] += Math.min(to, end) - Math.max(from, start);
  }
  const total = sizes.text + sizes.code + sizes.table + sizes.list;
  for (const type of ['code', 'table', 'list'] as const)
    if (total > 0 && sizes[type] * 2 >= total) return type;
  return 'text';
}

/** Such as `[Code] nginx snippet` (S4.3). */
function hint(tree: Tree, items: readonly Item[], section: number, type: ContentType): string {
  switch (type) {
    case 'code': {
      const lang = items.find(({ block }) => block?.type === 'code' && block.lang !== undefined)?.block?.lang;
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

/** Excluded ranges of the chunk, and the header of a table whose later rows it holds. */
export function metadataOf(tree: Tree, items: readonly Item[], { start, end }: Span): ChunkMetadata {
  const excluded: [number, number][] = [];
  for (let index = firstEndingAfter(tree.excluded, start); index < tree.excluded.length; index++) {
    const range = tree.excluded[index]!;
    if (range.start >= end) break;
    excluded.push([Math.max(range.start, start) - start, Math.min(range.end, end) - start]);
  }
  const table = items[0]!.block;
  const header =
    table?.type === 'table' && table.header !== undefined && start >= table.header.end ? table.header : null;
  const pointer = commonPointer(items);
  return {
    ...(pointer === undefined ? {} : { json_pointer: pointer }),
    ...(excluded.length === 0 ? {} : { excluded }),
    ...(header === null ? {} : { table_header: tree.text.slice(header.start, header.end) }),
  };
}

/** The JSON node that holds all of the chunk's blocks, in formats whose blocks name theirs. */
function commonPointer(items: readonly Item[]): string | undefined {
  const pointers = items.flatMap(({ block }) =>
    block?.pointer === undefined ? [] : [block.pointer.split('/')],
  );
  const [first, ...others] = pointers;
  if (first === undefined) return undefined;
  const shared = first.findIndex((token, at) => others.some((other) => other[at] !== token));
  return (shared < 0 ? first : first.slice(0, shared)).join('/');
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
