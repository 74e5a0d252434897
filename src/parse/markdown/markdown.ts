import { reasonOf } from '../../model/errors.js';
import type { Json, JsonObject } from '../../model/json/json.js';
import type { Tree } from '../../model/tree.js';
import { decode } from '../decode.js';
import type { Parser } from '../parser.js';
import { scanBlocks } from './blocks.js';
import { Labels } from './definitions.js';
import { frontMatter, readFrontMatter } from './front-matter.js';
import { plainTitle } from './inline.js';
import { Outline } from './outline.js';

export const markdownParser: Parser = ({ bytes }) => markdownTree(decode(bytes));

/** The structure of Markdown text (newlines as `\n`), with the fields of its front matter. */
export async function markdownTree(text: string): Promise<Tree> {
  const front = frontMatter(text);
  const tree = markdownStructure(text, front);
  if (front === null) return tree;
  try {
    const metadata = await readFrontMatter(front);
    return { ...tree, title: tree.title ?? titleOf(metadata), metadata };
  } catch (error) {
    return { ...tree, warnings: [`the front matter cannot be read: ${reasonOf(error)}`] };
  }
}

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

function titleOf(metadata: JsonObject): string | null {
  const title: Json | undefined = metadata.title;
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}
