import type { Chunk } from './chunk.js';
import { sha256, withoutBlankEnds } from './hash.js';

/**
 * What of a chunk is indexed and embedded: its content without excluded ranges, with a cut table's header
 * repeated. `content` itself is never changed.
 */
export function indexedBody(chunk: Pick<Chunk, 'content' | 'metadata'>): string {
  const { table_header } = chunk.metadata;
  const body = visibleContent(chunk);
  return table_header === undefined ? body : `${table_header}\n${body}`;
}

/** A chunk's content as its author's readers see it: without comments and front matter. */
export function visibleContent({ content, metadata }: Pick<Chunk, 'content' | 'metadata'>): string {
  let visible = content;
  for (const [start, end] of [...(metadata.excluded ?? [])].reverse()) {
    // A blank in its place: what stood before and after it are two words.
    visible = `${visible.slice(0, start)} ${visible.slice(end)}`;
  }
  return visible;
}

/** The titles above a chunk, which it is found by, the document's first. */
export function titlesOf({
  title_path,
  parent_doc_title,
  metadata,
}: Pick<Chunk, 'title_path' | 'parent_doc_title' | 'metadata'>): string[] {
  const titles = title_path[0] === parent_doc_title ? [...title_path] : [parent_doc_title, ...title_path];
  return metadata.other_title === undefined ? titles : [...titles, metadata.other_title];
}

/** The semantic anchor in front of what is embedded: the path of titles and what kind of passage it is. */
export function indexedPrefix(chunk: Pick<Chunk, 'title_path' | 'parent_doc_title' | 'source_hint'>): string {
  const path = [...chunk.title_path];
  if (path[0] !== chunk.parent_doc_title) path.unshift(chunk.parent_doc_title);
  const lines = [`[TitlePath] ${path.map(cleanLabel).filter(Boolean).join(' > ')}`];
  if (chunk.source_hint) lines.push(`[SectionHint] ${cleanLabel(chunk.source_hint)}`);
  return `${lines.join('\n')}\n`;
}

/** What is embedded of a chunk: its prefix and its body. `embed_key` is the hash of this text. */
export const embeddedText = (chunk: Chunk): string => `${indexedPrefix(chunk)}${indexedBody(chunk)}`;

/** In characters. A label is read at a glance, and some of the patterns below take the square of its length. */
const LONGEST_LABEL = 2000;

/** Tags that authors put into headings; `a < b` and `Map<String, T>` are words. */
const HTML_TAG =
  /<!--[^<>]*-->|<\/?(?:[a-z]\w*-[\w-]*|a|abbr|b|bdi|bdo|big|br|button|center|cite|code|del|details|dfn|div|em|figure|font|h[1-6]|hr|i|iframe|img|input|ins|kbd|label|li|mark|nobr|ol|p|path|picture|pre|q|rp|rt|ruby|s|samp|script|section|small|source|span|strike|strong|style|sub|summary|sup|svg|t[dhrt]|table|time|u|ul|var|video|wbr)(?:[\s/][^<>]*)?>/gi;

/** A heading as a label: no HTML, anchors, link targets, brackets or line breaks. */
export function cleanLabel(label: string): string {
  return label
    .slice(0, LONGEST_LABEL)
    .replace(HTML_TAG, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\{#[^}]*\}/g, ' ')
    .replace(/[[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Equal keys mean that one vector serves all those chunks. Blanks at line ends mean nothing to a model, so an editor that
 * strips or adds them costs no embedding. Everything else counts: the keys are in libraries, and a vector is found by
 * its key only while the key of its text stays the same.
 */
export const embedKey = (chunk: Chunk): string =>
  sha256(indexedPrefix(chunk) + withoutBlankEnds(indexedBody(chunk)));
