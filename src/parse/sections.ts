import type { Span, TreeSection } from '../model/tree.js';

type Building = Omit<TreeSection, 'span'> & { readonly span: { readonly start: number; end: number } };

/** Builds a tree's sections from headings in document order: parents by level, spans to the next heading that ends them. */
export class SectionStack {
  readonly #sections: Building[] = [];
  readonly #open: number[] = [];
  readonly #end: number;

  /** `end`: the text's length, where the last sections end. */
  constructor(end: number) {
    this.#end = end;
  }

  /** The section that text now belongs to, or -1 before the first heading. */
  get current(): number {
    return this.#open.length === 0 ? -1 : this.#open[this.#open.length - 1]!;
  }

  open(title: string, level: number, heading: Span): void {
    const open = this.#open;
    while (open.length > 0 && this.#sections[this.current]!.level >= level) {
      this.#sections[open.pop()!]!.span.end = heading.start;
    }
    const span = { start: heading.start, end: this.#end };
    this.#sections.push({ title, level, parent: this.current, heading, span });
    open.push(this.#sections.length - 1);
  }

  close(): TreeSection[] {
    return this.#sections;
  }
}
