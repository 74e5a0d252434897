import type { Span, TreeSection } from '../model/tree.js';

/** Builds a tree's sections from headings in document order: parents by level, spans to the next heading that ends them. */
export class SectionStack {
  readonly #sections: {
    title: string;
    level: number;
    parent: number;
    heading: Span;
    start: number;
    end: number;
  }[] = [];
  readonly #open: number[] = [];
  readonly #end: number;

  /** `end`: the text's length, where the last sections end. */
  constructor(end: number) {
    this.#end = end;
  }

  /** The section that text now belongs to, or -1 before the first heading. */
  get current(): number {
    return this.#open.at(-1) ?? -1;
  }

  open(title: string, level: number, heading: Span): number {
    while (this.#open.length > 0 && this.#sections[this.#open.at(-1)!]!.level >= level) {
      this.#sections[this.#open.pop()!]!.end = heading.start;
    }
    const index = this.#sections.length;
    this.#sections.push({
      title,
      level,
      parent: this.current,
      heading,
      start: heading.start,
      end: this.#end,
    });
    this.#open.push(index);
    return index;
  }

  close(): TreeSection[] {
    return this.#sections.map(({ title, level, parent, heading, start, end }) => ({
      title,
      level,
      parent,
      heading,
      span: { start, end },
    }));
  }
}
