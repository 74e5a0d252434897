import type { JsonObject } from '../../model/json.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { htmlBlocks } from './blocks.js';
import { type DomNode, walkDom } from './dom.js';

/** The article in a page, as Readability finds it. */
export interface Article {
  readonly tree: Tree;
  readonly title: string | undefined;
  readonly metadata: JsonObject;
}

/** Undefined where there is no article, or none that Readability can find. */
export async function readArticle(html: string): Promise<Article | undefined> {
  const [{ parseHTML }, { Readability }] = await Promise.all([
    import('linkedom'),
    import('@mozilla/readability'),
  ]);
  // Without <html> and <body> linkedom gives a document with an empty body.
  const whole = /<body[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  const { document } = parseHTML(whole);
  // Readability takes MathJax's formulas (class `CtxtMenu_Attached_0`) for menus.
  for (const formula of document.querySelectorAll('mjx-container')) formula.removeAttribute('class');
  const article = new Readability<DomNode>(document as never, {
    keepClasses: true,
    serializer: (node) => node as unknown as DomNode,
  }).parse();
  if (article?.content === null || article?.content === undefined) return undefined;
  const builder = new TreeBuilder();
  const sink = htmlBlocks(builder);
  walkDom(article.content, sink);
  sink.end();
  const { byline, siteName, publishedTime, excerpt, lang } = article;
  const found = {
    author: byline,
    site: siteName,
    published: publishedTime,
    description: excerpt,
    language: lang,
  };
  return {
    tree: builder.build({ format: 'html' }),
    title: article.title?.trim() || undefined,
    metadata: Object.fromEntries(
      Object.entries(found).flatMap(([name, value]) => (value ? [[name, value.trim()]] : [])),
    ),
  };
}
