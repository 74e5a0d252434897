import type { Json, JsonObject } from '../../model/json.js';
import type { Tree } from '../../model/tree.js';
import { decode } from '../decode.js';
import type { ParseInput, Parser } from '../parser.js';
import { scanBlocks } from './blocks.js';
import { Labels } from './definitions.js';
import { frontMatter, readFrontMatter } from './front-matter.js';
import { plainTitle } from './inline.js';
import { Outline } from './outline.js';

export const markdownParser: Parser = {
  format: 'markdown',
  extensions: ['.md', '.markdown', '.mdown', '.mkd', '.mdx'],
  parse: ({ bytes }: ParseInput) => markdownTree(decode(bytes)),
};

/** The structure of Markdown text (newlines as `\n`), with the fields of its front matter. */
export function markdownTree(text: string): Tree | Promise<Tree> {
  const front = frontMatter(text);
  const tree = markdownStructure(text, front);
  if (front === null) return tree;
  const fields = readFrontMatter(front);
  return fields instanceof Promise
    ? fields.then(
        (read) => withFields(tree, read),
        (error) => ({ ...tree, warnings: [`the front matter is no valid YAML: ${firstLine(error)}`] }),
      )
    : withFields(tree, fields);
}

const withFields = (tree: Tree, metadata: JsonObject): Tree => ({
  format: tree.format,
  text: tree.text,
  title: tree.title ?? titleOf(metadata),
  sections: tree.sections,
  blocks: tree.blocks,
  excluded: tree.excluded,
  pages: tree.pages,
  metadata,
  warnings: tree.warnings,
});

/** The same without reading what the front matter says: nothing has to be loaded for that. */
export function markdownStructure(text: string, front = frontMatter(text)): Tree {
  const from = front === null ? 0 : front.end;
  const labels = new Labels(text);
  const outline = new Outline(text, from, (start, end) => plainTitle(text.slice(start, end), labels));
  scanBlocks(text, from, outline);
  const sections = outline.sections.close();
  const excluded = front === null ? outline.comments : [{ start: 0, end: from }, ...outline.comments];
  const title = sections.find((section) => section.level === 1 && section.title !== '')?.title ?? null;
  const { blocks } = outline;
  return {
    format: 'markdown',
    text,
    title,
    sections,
    blocks,
    excluded,
    pages: [],
    metadata: {},
    warnings: [],
  };
}

const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n', 1)[0]!;

function titleOf(metadata: JsonObject): string | null {
  const title: Json | undefined = metadata.title;
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}
