import type { JsonObject } from '../../model/json/json.js';
import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { htmlBlocks } from './blocks.js';
import { type DomNode, type TextLines, textNodes, walkDom } from './dom.js';

/** The article in a page, as Readability finds it. */
export interface Article {
  readonly tree: Tree;
  readonly title: string | undefined;
  readonly metadata: JsonObject;
}

/**
 * Undefined where there is no article, or none that Readability can find. `textLines`: the line of each piece of text, as
 * the tokenizer gives them; linkedom makes a node of each.
 */
export async function readArticle(html: string, textLines: readonly number[]): Promise<Article | undefined> {
  const [{ parseHTML }, { Readability }] = await Promise.all([
    import('linkedom'),
    import('@mozilla/readability'),
  ]);
  // Without <html> and <body> linkedom gives a document with an empty body.
  const whole = /<body[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  const { document } = parseHTML(whole);
  const lines: TextLines = new WeakMap();
  const texts = [...document.childNodes].flatMap((node) => textNodes(node as unknown as DomNode));
  for (const [at, node] of texts.entries()) lines.set(node, textLines[at]!);
  keepLinesOf(document.body as never, lines);
  // Readability makes new text of links that run scripts, of which no line would be known.
  for (const link of document.querySelectorAll('a[href^="javascript:"]')) link.removeAttribute('href');
  // Readability takes MathJax's formulas (class `CtxtMenu_Attached_0`) for menus.
  for (const formula of document.querySelectorAll('mjx-container')) formula.removeAttribute('class');
  const article = new Readability<DomNode>(document as never, {
    keepClasses: true,
    serializer: (node) => node as unknown as DomNode,
  }).parse();
  if (article?.content === null || article?.content === undefined) return undefined;
  const builder = new TreeBuilder();
  const sink = htmlBlocks(builder);
  walkDom(article.content, sink, lines);
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
    tree: builder.build({ format: 'html', unit: 'line' }),
    title: article.title?.trim() || undefined,
    metadata: Object.fromEntries(
      Object.entries(found).flatMap(([name, value]) => (value ? [[name, value.trim()]] : [])),
    ),
  };
}

interface Body extends DomNode {
  cloneNode(deep: boolean): Body;
  replaceChildren(...nodes: readonly DomNode[]): void;
  readonly childNodes: readonly DomNode[];
}

/**
 * Before each further attempt Readability puts the page back as it was, through `innerHTML`, which would make new nodes of
 * which no line is known. Copies take their place.
 */
function keepLinesOf(body: Body, lines: TextLines): void {
  const copyOf = (from: Body): Body => {
    const copy = from.cloneNode(true);
    const texts = textNodes(copy);
    for (const [at, node] of textNodes(from).entries()) {
      const line = lines.get(node);
      if (line !== undefined) lines.set(texts[at]!, line);
    }
    return copy;
  };
  let kept: Body | undefined;
  Object.defineProperty(body, 'innerHTML', {
    get() {
      kept = copyOf(body);
      return '';
    },
    set() {
      if (kept !== undefined) body.replaceChildren(...copyOf(kept).childNodes);
    },
  });
}
