import type { BlockType, Span, TreeBlock } from '../../model/tree.js';
import { SectionStack } from '../sections.js';
import { HtmlEnds } from './html-blocks.js';
import { proseComments } from './inline.js';

type Building = { -readonly [field in keyof TreeBlock]: TreeBlock[field] };
type Open = Building & { cuts: number[] };

/**
 * Collects what the scanner finds into sections and top-level blocks. What stands in a list, a quote or a footnote
 * becomes a place to cut it at; headings in there head no section.
 */
export class Outline {
  readonly blocks: TreeBlock[] = [];
  readonly sections: SectionStack;
  /** Closed HTML comments outside code. */
  readonly comments: Span[] = [];
  readonly htmlEnds: HtmlEnds;
  readonly #text: string;
  /** The next `<!--` in the text, or Infinity: most blocks end before it. */
  #nextComment: number;
  readonly #titleOf: (start: number, end: number) => string;
  #outer: Open | null = null;
  #mark = 0;

  constructor(text: string, from: number, titleOf: (start: number, end: number) => string) {
    this.#text = text;
    this.sections = new SectionStack(text.length);
    this.#titleOf = titleOf;
    this.htmlEnds = new HtmlEnds(text);
    this.#nextComment = this.#commentFrom(from);
  }

  /** A container begins at top level. An item with the marker of the open list goes on with that list. */
  enter(type: BlockType, mark: number, start: number, end: number): void {
    const open = this.#outer;
    if (open !== null && type === 'list' && open.type === 'list' && this.#mark === mark) return;
    this.#mark = mark;
    this.#outer = { type, section: this.sections.current, start, end, cuts: [] };
    this.blocks.push(this.#outer);
  }

  /** An item, at any depth: the list reaches at least to its marker, and may be cut before it. */
  item(line: number, end: number): void {
    const outer = this.#outer;
    if (outer === null) return;
    if (end > outer.end) outer.end = end;
    this.#cut(line);
  }

  /** A heading outside containers, with the span of its text. */
  heading(level: number, start: number, end: number, content: Span): void {
    if (end > this.#nextComment) this.#collect('paragraph', start, end);
    this.#outer = null;
    this.sections.open(this.#titleOf(content.start, content.end), level, { start, end });
  }

  /** A block outside containers. */
  add(block: TreeBlock): void {
    if (block.end > this.#nextComment) this.#collect(block.type, block.start, block.end);
    this.#outer = null;
    this.blocks.push(block);
  }

  /** A heading or a block inside the open container. `line`: the start of its first line. */
  hold(type: BlockType, start: number, end: number, line: number): void {
    if (end > this.#nextComment) this.#collect(type, start, end);
    this.item(line, end);
  }

  #collect(type: BlockType, start: number, end: number): void {
    if (type === 'html') this.#collectHtml(start, end);
    else if (type !== 'code' && this.htmlEnds.after(2, start) < end)
      proseComments(this.#text, start, end, this.comments);
    if (this.#nextComment < end) this.#nextComment = this.#commentFrom(end);
  }

  /** Closed HTML comments in a piece of HTML: an unclosed one hides nothing, since a slip must not lose a page. */
  #collectHtml(start: number, end: number): void {
    if (this.#nextComment < start) this.#nextComment = this.#commentFrom(start);
    while (this.#nextComment < end) {
      const close = this.htmlEnds.after(2, this.#nextComment + 2) + 3;
      if (close > end) return;
      this.comments.push({ start: this.#nextComment, end: close });
      this.#nextComment = this.#commentFrom(close);
    }
  }

  #commentFrom(offset: number): number {
    const at = this.#text.indexOf('<!--', offset);
    return at < 0 ? Infinity : at;
  }

  #cut(line: number): void {
    const { start, cuts } = this.#outer!;
    if (line > start && (cuts.length === 0 || line !== cuts[cuts.length - 1])) cuts.push(line);
  }
}
