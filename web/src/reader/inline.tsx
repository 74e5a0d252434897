import type { ComponentChildren } from 'preact';
import { plain } from '../parts/plain.js';

/**
 * Markdown inside a line, as nodes: never as HTML. Only links to the web and to mail addresses are links; pictures are named,
 * not fetched; tags stand as they were written. One pass, with no way back: a hostile line takes no longer than its length.
 */
const SAFE = /^(https?:\/\/|mailto:)[^\s"<>\\^`{|}]+$/i;
const TOKEN =
  /(`+)([^`]|[^`][^\n]{0,400}?[^`])\1(?!`)|!\[([^\]\n]{0,300})\]\([^)\s]{0,1000}(?:\s[^)\n]{0,300})?\)|\[([^\]\n]{1,300})\]\(\s{0,3}<?([^)\s>]{0,1000})>?(?:\s[^)\n]{0,300})?\)|<((?:https?:\/\/|mailto:)[^\s<>]{1,1000})>|(\*\*|__)(?=\S)([^\n]{1,400}?\S?)\7|(\*|(?<!\w)_)(?=[^\s*_])([^\n*_]{1,300})\9(?!\w)/g;

export function inline(text: string): ComponentChildren {
  const nodes: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) nodes.push(plain(text.slice(at, match.index)));
    nodes.push(node(match));
    at = match.index + match[0].length;
  }
  if (at < text.length) nodes.push(plain(text.slice(at)));
  return nodes;
}

function node(match: RegExpMatchArray): ComponentChildren {
  const [whole, ticks, code, picture, label, target, bare, , strong, , emphasis] = match;
  if (ticks !== undefined) return <code>{plain(code ?? '')}</code>;
  if (picture !== undefined) return <span class="picture">{plain(picture) || '…'}</span>;
  if (label !== undefined) return link(target ?? '', label);
  if (bare !== undefined) return link(bare, bare);
  if (strong !== undefined) return <strong>{plain(strong)}</strong>;
  if (emphasis !== undefined) return <em>{plain(emphasis)}</em>;
  return plain(whole);
}

function link(target: string, label: string): ComponentChildren {
  if (!SAFE.test(target)) return <span class="nolink">{plain(label)}</span>;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer nofollow">
      {plain(label)}
    </a>
  );
}
