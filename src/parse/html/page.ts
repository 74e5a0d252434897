import type { Tree } from '../../model/tree.js';
import { TreeBuilder } from '../builder.js';
import { htmlBlocks } from './blocks.js';
import { readHtml } from './events.js';

/** A page read as a stream of tags: its text without what surrounds it, and what decides how to read it further. */
export interface Page {
  readonly tree: Tree;
  readonly title: string | undefined;
  readonly language: string | undefined;
  readonly elements: number;
  /** The line of each piece of text: a DOM has a node for each. */
  readonly textLines: readonly number[];
  readonly depth: number;
}

/** A `<main>` with less text than this is an application's empty frame. */
const MAIN_MIN = 200;

/** Throws LIMIT for tags nested deeper than `nesting`. */
export function readPage(html: string, nesting: number): Page {
  const whole = new TreeBuilder();
  const inMain = new TreeBuilder();
  const wholeSink = htmlBlocks(whole, { mainOnly: true });
  const mainSink = htmlBlocks(inMain, { mainOnly: true });
  let elements = 0;
  const textLines: number[] = [];
  let depth = 0;
  let deepest = 0;
  let title: string | undefined;
  let inTitle = false;
  let language: string | undefined;
  /** The element that holds the page's own content, while it is open. */
  let main: { readonly name: string; depth: number } | undefined;

  readHtml(
    html,
    {
      open(name, attributes) {
        elements += 1;
        depth += 1;
        deepest = Math.max(deepest, depth);
        if (name === 'html') language = attributes.lang || attributes['xml:lang'] || undefined;
        if (name === 'title' && title === undefined) inTitle = true;
        wholeSink.open(name, attributes);
        if (main !== undefined) {
          if (name === main.name) main.depth += 1;
          mainSink.open(name, attributes);
        } else if (name === 'main' || attributes.role === 'main') main = { name, depth: 1 };
      },
      text(data, line) {
        textLines.push(line ?? 1);
        if (inTitle) title = (title ?? '') + data;
        wholeSink.text(data, line);
        if (main !== undefined) mainSink.text(data, line);
      },
      close(name) {
        depth -= 1;
        if (name === 'title') inTitle = false;
        wholeSink.close(name);
        if (main === undefined) return;
        mainSink.close(name);
        if (name === main.name) main.depth -= 1;
        if (main.depth === 0) main = undefined;
      },
    },
    nesting,
  );
  wholeSink.end();
  mainSink.end();
  const chosen = inMain.length >= MAIN_MIN ? inMain : whole;
  return {
    tree: chosen.build({ format: 'html', unit: 'line' }),
    title: title?.replace(/\s+/g, ' ').trim() || undefined,
    language,
    elements,
    textLines,
    depth: deepest,
  };
}
