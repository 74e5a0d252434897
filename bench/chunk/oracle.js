// What mdast-util-from-markdown says about a text: the structure a chunker is checked against.
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';

const FRONT = ['yaml', 'toml'];

/** Headings of sections, and every code block and table at any depth, as [start, end) of the text. */
export function structureOf(text) {
  const root = fromMarkdown(text, {
    extensions: [gfm(), frontmatter(FRONT)],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(FRONT)],
  });
  const headings = root.children
    .filter(({ type }) => type === 'heading')
    .map((node) => ({ level: node.depth, start: node.position.start.offset, title: textOf(node) }));
  const whole = [];
  const hidden = [];
  visit(root, (node) => {
    // Links that GFM finds in text have no place of their own.
    if (node.position === undefined) return;
    const span = { start: node.position.start.offset, end: node.position.end.offset };
    if (node.type === 'code' || node.type === 'table') whole.push({ ...span, type: node.type });
    if (node.type === 'yaml' || node.type === 'toml') hidden.push(span);
    if (node.type === 'html') {
      for (const match of text.slice(span.start, span.end).matchAll(/<!---?>|<!--[\s\S]*?-->/g)) {
        hidden.push({ start: span.start + match.index, end: span.start + match.index + match[0].length });
      }
    }
  });
  return { headings, whole, hidden };
}

function visit(node, found) {
  found(node);
  for (const child of node.children ?? []) visit(child, found);
}

const textOf = (node) => rawText(node).replace(/\s+/g, ' ').trim();

function rawText(node) {
  if (node.type === 'break') return ' ';
  return 'value' in node ? node.value : (node.alt ?? (node.children ?? []).map(rawText).join(''));
}
