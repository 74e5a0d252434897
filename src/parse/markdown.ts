import type { Json, JsonObject } from '../model/json.js';
import type { Tree } from '../model/tree.js';
import { decode } from './decode.js';
import { type FrontMatter, frontMatter, readFrontMatter } from './front-matter.js';
import { scanBlocks } from './markdown-blocks.js';
import { Labels } from './markdown-definitions.js';
import { plainTitle } from './markdown-inline.js';
import { Outline } from './markdown-outline.js';
import type { ParseInput, Parser } from './parser.js';

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
  const labels = new Labels(text);
  const outline = new Outline(text, front?.end ?? 0, (start, end) =>
    plainTitle(text.slice(start, end), labels),
  );
  scanBlocks(text, front?.end ?? 0, outline);
  const sections = outline.sections.close();
  const excluded = front === null ? outline.comments : [{ start: 0, end: front.end }, ...outline.comments];
  const title = sections.find(({ level, title }) => level === 1 && title !== '')?.title ?? titleOf(metadata);
  return {
    format: 'markdown',
    text,
    title,
    sections,
    blocks: outline.blocks,
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
