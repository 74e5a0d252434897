import { isStrataError } from '../../model/errors.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { decode, normaliseText } from '../decode.js';
import type { ParseInput } from '../parser.js';
import { readHtml } from './events.js';
import { type Article, readArticle } from './main-content.js';
import { type Page, readPage } from './page.js';

const DOM_ELEMENTS = 50_000;
/** The tokenizer gives a piece of text for each `<` and each entity, and a page of nothing else is a DOM of gigabytes. */
const DOM_TEXTS = 150_000;
const DOM_CHARACTERS = 4_000_000;
const DOM_DEPTH = 500;
const ARTICLE_MIN = 250;

/**
 * A web page's main content: the article that Readability finds, else the page without its navigation. Pages too
 * large or too deep for a DOM are read as a stream of tags alone.
 */
export async function htmlParser({ bytes, charset, limits }: ParseInput): Promise<Tree> {
  const html = decodeHtml(bytes, charset);
  const page = tryPage(html, limits.nesting);
  if (page === undefined) return withoutTags(html, limits.nesting);
  const article = fitsDom(page, html) ? await tryArticle(html, page.textLines) : undefined;
  const tree = article !== undefined && isWorth(article.tree, page.tree) ? article.tree : page.tree;
  const heading = tree.sections.find(({ level }) => level === 1)?.title;
  const language = page.language === undefined ? {} : { language: page.language };
  return {
    ...tree,
    title: article?.title ?? page.title ?? heading ?? null,
    metadata: { ...language, ...article?.metadata },
  };
}

const fitsDom = ({ elements, textLines, depth }: Page, html: string): boolean =>
  elements <= DOM_ELEMENTS &&
  textLines.length <= DOM_TEXTS &&
  depth <= DOM_DEPTH &&
  html.length <= DOM_CHARACTERS;

/**
 * Readability looks for one article. On an index, a reference or a page of a few lines it finds a corner of the page;
 * the page without its navigation is the better reading then. (Of Readability's own 130 pages the article is at least
 * 17 % of the page.)
 */
const isWorth = (article: Tree, page: Tree): boolean =>
  article.text.length >= (article.text.length < ARTICLE_MIN ? 0.5 : 0.1) * page.text.length;

const tryPage = (html: string, nesting: number): Page | undefined => {
  try {
    return readPage(html, nesting);
  } catch (error) {
    if (isStrataError(error, 'LIMIT')) return undefined;
    throw error;
  }
};

/** A page whose structure cannot be read is still its words. */
const withoutTags = (html: string, nesting: number): Tree => {
  const words = html
    .replace(/<(script|style|template|noscript|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<\/?(?:p|div|li|tr|h[1-6]|br|pre|blockquote|td|th)\b[^<>]*>/gi, '\n\n')
    .replace(/<[a-z/!?][^<>]*>/gi, '');
  const builder = new TreeBuilder();
  let text = '';
  // What is left has no tags; the tokenizer decodes its entities.
  readHtml(
    words,
    {
      open: () => {},
      close: () => {},
      text: (data) => {
        text += data;
      },
    },
    Number.POSITIVE_INFINITY,
  );
  for (const paragraph of text.split(/\n{2,}/)) builder.paragraph(paragraph.replace(/\s+/g, ' '));
  return builder.build({
    format: 'html',
    warnings: [`read as text without structure: its tags nest deeper than ${nesting} levels`],
  });
};

/** Readability was written for browsers; what it trips over is read as a plain page. */
async function tryArticle(html: string, textLines: readonly number[]): Promise<Article | undefined> {
  try {
    return await readArticle(html, textLines);
  } catch {
    return undefined;
  }
}

function decodeHtml(bytes: Uint8Array, charset: string | undefined): string {
  if (charset === undefined) return decode(bytes);
  try {
    return normaliseText(new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    // The server is wrong about its own page, or names no encoding at all.
    return decode(bytes);
  }
}
