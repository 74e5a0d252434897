import type { Json, JsonObject } from '../model/json.js';
import type { Span, Tree, TreeBlock } from '../model/tree.js';
import { decode } from './decode.js';
import { type FrontMatter, frontMatter, readFrontMatter } from './front-matter.js';
import { scanBlocks } from './markdown-blocks.js';
import { htmlComments, plainTitle, proseComments } from './markdown-inline.js';
import type { MarkdownBlock } from './markdown-outline.js';
import type { ParseInput, Parser } from './parser.js';
import { SectionStack } from './sections.js';

export const markdownParser: Parser = {
  format: 'markdown',
  extensions: ['.md', '.markdown', '.mdown', '.mkd', '.mdx'],
  parse: ({ bytes }: ParseInput) => markdownTree(decode(bytes)),
};

/** The structure of Markdown text (newlines as `\n`). */
export async function markdownTree(text: string): Promise<Tree> {
  const front = frontMatter(text);
  const warnings: string[] = [];
  const metadata = front === null ? {} : await fieldsOf(front, warnings);
  const blocks = scanBlocks(text, front === null ? 0 : front.end);
  const excluded: Span[] = front === null ? [] : [{ start: 0, end: front.end }];
  if (text.includes('<!--', front?.end ?? 0)) for (const block of blocks) comments(text, block, excluded);
  const sections = new SectionStack(text.length);
  const treeBlocks: TreeBlock[] = [];
  let title: string | null = null;
  for (const block of blocks) {
    if (block.type === 'heading') {
      const name = plainTitle(text.slice(block.content!.start, block.content!.end));
      sections.open(name, block.level!, { start: block.start, end: block.end });
      if (title === null && block.level === 1 && name !== '') title = name;
    } else treeBlocks.push(treeBlock(text, block, sections.current));
  }
  title ??= titleOf(metadata);
  return {
    format: 'markdown',
    text,
    title,
    sections: sections.close(),
    blocks: treeBlocks,
    excluded,
    pages: [],
    metadata,
    warnings,
  };
}

async function fieldsOf(front: FrontMatter, warnings: string[]): Promise<JsonObject> {
  try {
    return await readFrontMatter(front);
  } catch (error) {
    warnings.push(`the front matter is no valid ${front.kind.toUpperCase()}: ${firstLine(error)}`);
    return {};
  }
}

const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n', 1)[0]!;

function titleOf(metadata: JsonObject): string | null {
  const title: Json | undefined = metadata.title;
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}

const TYPES = {
  paragraph: 'paragraph',
  break: 'paragraph',
  footnote: 'paragraph',
  code: 'code',
  table: 'table',
  list: 'list',
  quote: 'quote',
  html: 'html',
} as const;

function treeBlock(text: string, block: MarkdownBlock, section: number): TreeBlock {
  const { start, end, lang, header } = block;
  const cuts = block.type === 'code' ? lineStarts(text, start, end) : block.cuts;
  return {
    type: TYPES[block.type as keyof typeof TYPES],
    section,
    start,
    end,
    ...(lang === undefined ? {} : { lang }),
    ...(header === undefined ? {} : { header }),
    ...(cuts === undefined || cuts.length === 0 ? {} : { cuts }),
  };
}

function lineStarts(text: string, start: number, end: number): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf('\n', start); at >= 0 && at + 1 < end; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}

function comments(text: string, block: MarkdownBlock, found: Span[]): void {
  if (block.type === 'html') htmlComments(text, block.start, block.end, found);
  else if (block.prose !== undefined)
    for (const span of block.prose) proseComments(text, span.start, span.end, found);
  else if (block.type === 'paragraph' || block.type === 'heading' || block.type === 'table') {
    proseComments(text, block.start, block.end, found);
  }
}
