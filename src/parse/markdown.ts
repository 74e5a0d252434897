import type { Json, JsonObject } from '../model/json.js';
import type { Span, Tree, TreeBlock, TreeSection } from '../model/tree.js';
import { decode } from './decode.js';
import { type FrontMatter, frontMatter, readFrontMatter } from './front-matter.js';
import { scanBlocks } from './markdown-blocks.js';
import { Labels } from './markdown-definitions.js';
import { htmlComments, plainTitle, proseComments } from './markdown-inline.js';
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
  const outline = new Outline(text.length, (start, end) => plainTitle(text.slice(start, end), labels));
  scanBlocks(text, front?.end ?? 0, outline);
  const sections = outline.sections.close();
  const excluded = front === null ? [] : [{ start: 0, end: front.end }];
  if (text.includes('<!--', front?.end ?? 0)) comments(text, outline, sections, excluded);
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

/** Every closed HTML comment outside code, from the few places that hold its opening mark. */
function comments(text: string, outline: Outline, sections: readonly TreeSection[], found: Span[]): void {
  const prose = [
    ...outline.blocks.filter(({ type }) => type === 'paragraph' || type === 'html' || type === 'table'),
    ...outline.prose,
    ...sections.map(({ heading }) => heading),
  ].sort((a, b) => a.start - b.start);
  let index = 0;
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', at + 4)) {
    while (index < prose.length && prose[index]!.end <= at) index++;
    const span = prose[index];
    if (span === undefined) return;
    if (span.start > at) continue;
    if ((span as Partial<TreeBlock>).type === 'html') htmlComments(text, span.start, span.end, found);
    else proseComments(text, span.start, span.end, found);
    index++;
  }
}
