import type { BlockType, Span, TreeBlock } from '../model/tree.js';
import { SectionStack } from './sections.js';

type Building = { -readonly [field in keyof TreeBlock]: TreeBlock[field] };
type Open = Building & { cuts: number[] };

/**
 * Collects what the scanner finds into sections and top-level blocks. What stands in a list, a quote or a footnote
 * becomes a place to cut it at; headings in there head no section.
 */
export class Outline {
  readonly blocks: TreeBlock[] = [];
  readonly sections: SectionStack;
  /** Prose and HTML inside lists, quotes and footnotes: where comments may stand, since code may too. */
  readonly prose: Span[] = [];
  readonly #titleOf: (start: number, end: number) => string;
  #outer: Open | null = null;
  #mark = 0;

  constructor(length: number, titleOf: (start: number, end: number) => string) {
    this.sections = new SectionStack(length);
    this.#titleOf = titleOf;
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

  /** A heading, with the span of its text. `line`: the start of its first line. */
  heading(level: number, start: number, end: number, content: Span, line: number, nested: boolean): void {
    if (nested) {
      this.#hold(start, end, line);
      this.prose.push({ start, end });
      return;
    }
    this.#outer = null;
    this.sections.open(this.#titleOf(content.start, content.end), level, { start, end });
  }

  add(block: TreeBlock, line: number, nested: boolean): void {
    if (!nested) {
      this.#outer = null;
      this.blocks.push(block);
      return;
    }
    this.#hold(block.start, block.end, line);
    if (block.type === 'paragraph' || block.type === 'html') this.prose.push(block);
  }

  #hold(start: number, end: number, line: number): void {
    const outer = this.#outer;
    if (outer === null) return;
    if (end > outer.end) outer.end = Math.max(start, end);
    this.#cut(line);
  }

  #cut(line: number): void {
    const { start, cuts } = this.#outer!;
    if (line > start && line !== cuts.at(-1)) cuts.push(line);
  }
}
