import type { Attributes, HtmlSink } from './blocks.js';

/** What of a DOM node is needed here; linkedom's nodes have it. */
export interface DomNode {
  readonly nodeType: number;
  readonly localName?: string;
  readonly data?: string;
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
}

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;

/** A DOM as events, in document order, without recursion: depth is the page's author's choice. */
export function walkDom(root: DomNode, sink: HtmlSink): void {
  for (let node: DomNode | null = root; node !== null; ) {
    if (node.nodeType === ELEMENT) sink.open(node.localName ?? '', attributesOf(node));
    else if (node.nodeType === TEXT || node.nodeType === CDATA) sink.text(node.data ?? '');
    let next: DomNode | null = node.firstChild;
    while (next === null) {
      if (node.nodeType === ELEMENT) sink.close(node.localName ?? '');
      if (node === root) return;
      next = node.nextSibling;
      if (next === null) node = node.parentNode!;
    }
    node = next;
  }
}

const WANTED = new Set(
  'class style hidden role aria-hidden colspan rowspan start data-lang data-language'.split(' '),
);

function attributesOf(node: DomNode): Attributes {
  const attributes: Record<string, string> = {};
  for (const { name, value } of node.attributes ?? []) if (WANTED.has(name)) attributes[name] = value;
  return attributes;
}
