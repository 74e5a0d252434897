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

/** Which line of the file each piece of text begins on. */
export type TextLines = Map<DomNode, number>;

/**
 * A DOM as events, in document order, without recursion: depth is the page's author's choice. A text that has come into
 * the DOM since (a link made plain) stands, as far as is known, where the text before it does.
 */
export function walkDom(root: DomNode, sink: HtmlSink, lines: TextLines): void {
  let line: number | undefined;
  for (let node: DomNode | null = root; node !== null; ) {
    if (node.nodeType === ELEMENT) sink.open(node.localName ?? '', attributesOf(node));
    else if (isText(node)) {
      line = lines.get(node) ?? line;
      sink.text(node.data ?? '', line);
    }
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

const isText = ({ nodeType }: DomNode): boolean => nodeType === TEXT || nodeType === CDATA;

/** The pieces of text, in document order. */
export function textNodes(root: DomNode): DomNode[] {
  const found: DomNode[] = [];
  for (let node: DomNode | null = root; node !== null; ) {
    if (isText(node)) found.push(node);
    let next: DomNode | null = node.firstChild;
    while (next === null && node !== root) {
      next = node.nextSibling;
      if (next === null) node = node.parentNode!;
    }
    node = next;
  }
  return found;
}

const WANTED = new Set(
  'class style hidden role aria-hidden colspan rowspan start data-lang data-language'.split(' '),
);

function attributesOf(node: DomNode): Attributes {
  const attributes: Record<string, string> = {};
  for (const { name, value } of node.attributes ?? []) if (WANTED.has(name)) attributes[name] = value;
  return attributes;
}
