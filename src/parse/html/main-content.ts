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
  const lines: TextLines = new Map();
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

interface Element extends DomNode {
  cloneNode(): Element;
  appendChild(node: DomNode): void;
  replaceChildren(...nodes: readonly DomNode[]): void;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  data: string;
}

/** A node below the body as it was: how many levels, which attributes or text, on which line. */
interface KeptNode {
  readonly node: Element;
  readonly depth: number;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly data: string | undefined;
  readonly line: number | undefined;
}

/**
 * Before each further attempt Readability puts the page back as it was, through `innerHTML`, which would make new nodes of
 * which no line is known. What is kept instead is a list: most pages need one attempt, and a copy of the page's nodes takes
 * as long as parsing it did.
 */
function keepLinesOf(body: Element, lines: TextLines): void {
  let kept: readonly KeptNode[] = [];
  Object.defineProperty(body, 'innerHTML', {
    get() {
      kept = nodesBelow(body, lines);
      return '';
    },
    set() {
      restore(body, kept, lines);
    },
  });
}

function nodesBelow(body: Element, lines: TextLines): KeptNode[] {
  const kept: KeptNode[] = [];
  let depth = 0;
  for (let node: DomNode = body; ; ) {
    let next: DomNode | null = node.firstChild;
    if (next !== null) depth++;
    while (next === null) {
      if (node === body) return kept;
      next = node.nextSibling;
      if (next !== null) continue;
      node = node.parentNode!;
      depth--;
    }
    node = next;
    const attributes: [string, string][] = [];
    for (const { name, value } of node.attributes ?? []) attributes.push([name, value]);
    kept.push({ node: node as Element, depth, attributes, data: node.data, line: lines.get(node) });
  }
}

/** New nodes, since Readability notes what it thinks of a node on the node itself. */
function restore(body: Element, kept: readonly KeptNode[], lines: TextLines): void {
  body.replaceChildren();
  const parents = [body];
  for (const { node, depth, attributes, data, line } of kept) {
    const copy = node.cloneNode();
    for (const { name } of [...(copy.attributes ?? [])]) copy.removeAttribute(name);
    for (const [name, value] of attributes) copy.setAttribute(name, value);
    if (data !== undefined) copy.data = data;
    if (line !== undefined) lines.set(copy, line);
    parents[depth - 1]!.appendChild(copy);
    parents[depth] = copy;
  }
}
