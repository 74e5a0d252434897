import type { Span, Tree, TreeBlock, TreeSection } from '../../model/tree.js';
import type { Piece } from './layout/pieces.js';

/**
 * Pieces as a Tree. Unlike other formats a PDF's paragraphs may run over the end of a page, and every page, an empty
 * one too, starts at an offset of its own, so that a bookmark to an empty page still gives that page's number.
 */
export function pdfTree(
  pieces: readonly Piece[],
  about: Pick<Tree, 'title' | 'metadata' | 'warnings' | 'unread_pages'>,
): Tree {
  const text = new PageText();
  const sections: Omit<TreeSection, 'span' | 'parent'>[] = [];
  const blocks: TreeBlock[] = [];
  const excluded: Span[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'page') text.page(sections.at(-1)?.heading.start);
    else if (piece.kind === 'heading') {
      text.part();
      const { title, level } = piece.mark;
      sections.push({ title, level, heading: text.write(piece.text) });
    } else {
      const block = text.block(piece, sections.length - 1);
      if (block === null) continue;
      blocks.push(block);
      if (piece.excluded === true) excluded.push({ start: block.start, end: block.end });
    }
  }
  return {
    format: 'pdf',
    text: text.text,
    title: about.title,
    sections: nested(sections, text.length),
    blocks,
    excluded,
    pages: text.pages,
    source_map: { unit: null, marks: [] },
    metadata: about.metadata,
    ...(about.unread_pages && about.unread_pages.length > 0 && { unread_pages: about.unread_pages }),
    warnings: about.warnings,
  };
}

class PageText {
  readonly #parts: string[] = [];
  readonly pages: number[] = [];
  length = 0;

  get text(): string {
    return this.#parts.join('');
  }

  write(text: string): Span {
    const start = this.length;
    this.#parts.push(text);
    this.length += text.length;
    return { start, end: this.length };
  }

  /** A blank line between what stands before and what comes, except at a page's very start. */
  part(): void {
    if (this.length === 0 || this.length === this.pages.at(-1)) return;
    const last = this.#parts.at(-1) ?? '';
    if (!last.endsWith('\n')) this.write('\n\n');
  }

  /** `lastHeading`: where the last section starts; if that is right here, it belongs to the page before. */
  page(lastHeading: number | undefined): void {
    if (this.pages.length > 0) {
      this.part();
      if (this.length === this.pages.at(-1) || this.length === lastHeading) this.write('\n');
    }
    this.pages.push(this.length);
  }

  block(piece: Extract<Piece, { kind: 'block' }>, section: number): TreeBlock | null {
    if (piece.parts.every((part) => part.text.trim() === '')) return null;
    this.part();
    const start = this.length;
    const cuts: number[] = [];
    let header: Span | undefined;
    for (const [at, part] of piece.parts.entries()) {
      if (at > 0) this.write(part.glue);
      // The part that a page turn falls before is where that page starts.
      if (part.page >= this.pages.length) this.pages.push(this.length);
      if (part.cut && at > 0) cuts.push(this.length);
      const span = this.write(part.text);
      if (at === 0 && piece.header === true && piece.parts.length > 2) header = span;
    }
    return {
      type: piece.type,
      start,
      end: this.length,
      section,
      ...(header === undefined ? {} : { header }),
      ...(cuts.length === 0 ? {} : { cuts }),
    };
  }
}

function nested(sections: readonly Omit<TreeSection, 'span' | 'parent'>[], end: number): TreeSection[] {
  const out: (TreeSection & { span: { start: number; end: number } })[] = [];
  const open: number[] = [];
  for (const section of sections) {
    while (open.length > 0 && out[open.at(-1)!]!.level >= section.level) {
      out[open.pop()!]!.span.end = section.heading.start;
    }
    out.push({ ...section, parent: open.at(-1) ?? -1, span: { start: section.heading.start, end } });
    open.push(out.length - 1);
  }
  return out;
}
