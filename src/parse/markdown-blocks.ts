import type { Span } from '../model/tree.js';
import { LineCursor } from './markdown-cursor.js';
import { afterDefinitions } from './markdown-definitions.js';
import { HtmlEnds, type HtmlKind, htmlKind } from './markdown-html.js';
import {
  afterFootnoteMark,
  atxContent,
  atxLevel,
  closesFence,
  countCells,
  delimiterColumns,
  fenceLength,
  isBlankFrom,
  isThematicBreak,
  listMarkerLength,
  setextLevel,
  trimmedEnd,
} from './markdown-lines.js';
import { type BlockDetails, type MarkdownBlock, Outline } from './markdown-outline.js';

/**
 * The block structure of Markdown (CommonMark + GFM tables and footnotes), read line by line with no inline parsing:
 * a chunker needs headings, code, tables, lists and where they may be cut, and the rest of a syntax tree costs ten
 * times as much as all of that. Tests compare every heading, code block and table with mdast-util-from-markdown.
 */
export function scanBlocks(text: string, from = 0): MarkdownBlock[] {
  const scanner = new BlockScanner(text);
  const length = text.length;
  for (let start = from; start < length; ) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = length;
    scanner.line(start, end);
    start = end + 1;
  }
  return scanner.finish();
}

/** Containers deeper than this are read as text: they hold no section headings, and each costs time on every line. */
const DEEPEST = 200;

const NONE = 0;
const PARAGRAPH = 1;
const FENCE = 2;
const INDENTED = 3;
const HTML = 4;
const TABLE = 5;
const LEAF_TYPES = ['paragraph', 'paragraph', 'code', 'code', 'html', 'table'] as const;

const QUOTE = 0;
const ITEM = 1;
const FOOTNOTE = 2;
const OUTER_TYPES = ['quote', 'list', 'footnote'] as const;

interface Container {
  readonly kind: typeof QUOTE | typeof ITEM | typeof FOOTNOTE;
  /** Columns of indentation that continue it. */
  readonly indent: number;
  /** An item that began with a blank line and has nothing yet. */
  empty: boolean;
}

class BlockScanner {
  readonly #text: string;
  readonly #ends: HtmlEnds;
  readonly #outline = new Outline();
  readonly #stack: Container[] = [];

  readonly #cursor: LineCursor;

  // The open leaf block.
  #leaf = NONE;
  #leafStart = 0;
  #leafLine = 0;
  #leafEnd = 0;
  // Of an open paragraph: its last line, and where the line before that ended.
  #lastText = 0;
  #lastLine = 0;
  #lastIndent = 0;
  #earlierEnd = 0;
  #mark = 0;
  #markLength = 0;
  #html: HtmlKind = 0;
  #htmlEnd = 0;
  #lang = '';
  #header: Span | null = null;
  #rows: number[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#ends = new HtmlEnds(text);
    this.#cursor = new LineCursor(text);
  }

  line(start: number, end: number): void {
    this.#cursor.reset(start, end);
    const matched = this.#stack.length === 0 ? 0 : this.#matchContainers();
    const whole = matched === this.#stack.length;
    if (this.#leaf > PARAGRAPH) {
      if (whole) {
        if (this.#continueLeaf()) return;
      } else this.#closeLeaf();
    }
    this.#startBlocks(matched, whole);
  }

  finish(): MarkdownBlock[] {
    this.#closeLeaf();
    return this.#outline.blocks;
  }

  #matchContainers(): number {
    let matched = 0;
    for (; matched < this.#stack.length; matched++) {
      const container = this.#stack[matched]!;
      this.#cursor.look();
      const blank = this.#cursor.next >= this.#cursor.end;
      if (container.kind === QUOTE) {
        if (this.#cursor.indent > 3 || blank || this.#text.charCodeAt(this.#cursor.next) !== 62) break;
        this.#enterQuote();
      } else if (blank) {
        if (container.empty) break;
      } else if (this.#cursor.indent >= container.indent) {
        this.#cursor.skip(container.indent);
        container.empty = false;
      } else break;
    }
    return matched;
  }

  #enterQuote(): void {
    this.#cursor.column += this.#cursor.indent + 1;
    this.#cursor.at = this.#cursor.next + 1;
    const code = this.#cursor.at < this.#cursor.end ? this.#text.charCodeAt(this.#cursor.at) : 0;
    if (code === 32 || code === 9) this.#cursor.skip(1);
  }

  /** Whether the line belongs to the open code, HTML or table block. Closes the block where it does not. */
  #continueLeaf(): boolean {
    this.#cursor.look();
    const blank = this.#cursor.next >= this.#cursor.end;
    switch (this.#leaf) {
      case FENCE:
        this.#extend();
        if (
          this.#cursor.indent <= 3 &&
          closesFence(this.#text, this.#cursor.next, this.#cursor.end, this.#mark, this.#markLength)
        ) {
          this.#leafEnd = trimmedEnd(this.#text, this.#cursor.next, this.#cursor.end);
          this.#closeLeaf();
        }
        return true;
      case INDENTED:
        if (blank) return true;
        if (this.#cursor.indent >= 4) {
          this.#extend();
          return true;
        }
        break;
      case HTML:
        if (this.#html < 6) {
          this.#extend();
          if (this.#htmlEnd < this.#cursor.end) this.#closeLeaf();
          return true;
        }
        if (!blank) {
          this.#extend();
          return true;
        }
        break;
      case TABLE:
        if (!blank && !this.#startsBlock()) {
          this.#rows.push(this.#cursor.start);
          this.#extend();
          return true;
        }
    }
    this.#closeLeaf();
    return false;
  }

  /** Whether the line, inside a table, starts some other block. */
  #startsBlock(): boolean {
    if (this.#cursor.indent >= 4) return true;
    const text = this.#text;
    const at = this.#cursor.next;
    const end = this.#cursor.end;
    switch (text.charCodeAt(at)) {
      case 62:
        return true;
      case 35:
        return atxLevel(text, at, end) > 0;
      case 96:
      case 126:
        return fenceLength(text, at, end) > 0;
      case 60:
        return htmlKind(text, at, end) > 0;
      case 91:
        return afterFootnoteMark(text, at, end) > 0;
      case 42:
      case 45:
      case 95:
        if (isThematicBreak(text, at, end)) return true;
    }
    return listMarkerLength(text, at, end) > 0;
  }

  #startBlocks(matchedBefore: number, wholeBefore: boolean): void {
    let matched = matchedBefore;
    let whole = wholeBefore;
    for (;;) {
      this.#cursor.look();
      if (this.#cursor.next >= this.#cursor.end) {
        this.#blank(matched);
        return;
      }
      if (this.#cursor.indent >= 4) {
        if (this.#leaf === PARAGRAPH) break;
        this.#leave(matched);
        this.#open(INDENTED, this.#cursor.at);
        return;
      }
      const opened = this.#startBlock(matched, whole);
      if (opened === 0) break;
      if (opened === 1) return;
      matched = this.#stack.length;
      whole = true;
    }
    this.#paragraphLine(matched);
  }

  /** 0: nothing starts here; 1: a leaf took the line; 2: a container began, look at what it holds. */
  #startBlock(matched: number, whole: boolean): 0 | 1 | 2 {
    const text = this.#text;
    const at = this.#cursor.next;
    const end = this.#cursor.end;
    switch (text.charCodeAt(at)) {
      case 62:
        if (this.#stack.length >= DEEPEST) return 0;
        this.#leave(matched);
        this.#openContainer({ kind: QUOTE, indent: 0, empty: false }, 62, at, at + 1);
        this.#enterQuote();
        return 2;
      case 35: {
        const level = atxLevel(text, at, end);
        if (level === 0) return 0;
        this.#leave(matched);
        const [from, to] = atxContent(text, at, level, end);
        this.#heading(level, at, trimmedEnd(text, at, end), { start: from, end: to });
        return 1;
      }
      case 96:
      case 126: {
        const length = fenceLength(text, at, end);
        if (length === 0) return 0;
        this.#leave(matched);
        this.#open(FENCE, at);
        this.#mark = text.charCodeAt(at);
        this.#markLength = length;
        this.#lang = firstWord(text, at + length, end);
        return 1;
      }
      case 60: {
        const kind = htmlKind(text, at, end);
        if (kind === 0 || (kind === 7 && this.#leaf === PARAGRAPH)) return 0;
        this.#leave(matched);
        this.#open(HTML, at);
        this.#html = kind;
        if (kind < 6) {
          this.#htmlEnd = this.#ends.after(kind, at + (kind === 2 ? 2 : 1));
          if (this.#htmlEnd < end) this.#closeLeaf();
        }
        return 1;
      }
      case 91: {
        const after = afterFootnoteMark(text, at, end);
        if (after < 0 || this.#stack.length >= DEEPEST) return 0;
        this.#leave(matched);
        this.#openContainer({ kind: FOOTNOTE, indent: 4, empty: false }, 91, at, after);
        this.#cursor.column += this.#cursor.indent + (after - at);
        this.#cursor.at = after;
        return 2;
      }
      case 61:
        return this.#leaf === PARAGRAPH && whole && this.#setext(at, end) ? 1 : 0;
      case 124:
      case 58:
        return this.#leaf === PARAGRAPH && whole && this.#table(at, end) ? 1 : 0;
      case 45:
        if (this.#leaf === PARAGRAPH && whole) {
          if (this.#setext(at, end)) return 1;
          if (listMarkerLength(text, at, end) === 0 && this.#table(at, end)) return 1;
        }
        return this.#breakOrItem(matched, whole);
      case 42:
      case 95:
      case 43:
        return this.#breakOrItem(matched, whole);
      default: {
        const code = text.charCodeAt(at);
        return code >= 48 && code <= 57 ? this.#item(matched, whole) : 0;
      }
    }
  }

  #breakOrItem(matched: number, whole: boolean): 0 | 1 | 2 {
    const at = this.#cursor.next;
    const mark = this.#text.charCodeAt(at);
    if (mark !== 43 && isThematicBreak(this.#text, at, this.#cursor.end)) {
      this.#leave(matched);
      this.#emit('break', at, trimmedEnd(this.#text, at, this.#cursor.end), this.#cursor.start);
      return 1;
    }
    return mark === 95 ? 0 : this.#item(matched, whole);
  }

  #item(matched: number, whole: boolean): 0 | 2 {
    const text = this.#text;
    const at = this.#cursor.next;
    const length = listMarkerLength(text, at, this.#cursor.end);
    if (length === 0 || this.#stack.length >= DEEPEST) return 0;
    const empty = isBlankFrom(text, at + length, this.#cursor.end);
    const bullet = length === 1;
    if (this.#leaf === PARAGRAPH && whole && (empty || (!bullet && text.slice(at, at + length - 1) !== '1')))
      return 0;
    this.#leave(matched);
    const before = this.#cursor.indent;
    this.#cursor.column += before + length;
    this.#cursor.at = at + length;
    this.#cursor.look();
    // Five columns or more after the marker begin indented code: only one belongs to the marker then.
    const gap = empty || this.#cursor.indent > 4 ? 1 : this.#cursor.indent;
    const mark = bullet ? text.charCodeAt(at) : text.charCodeAt(at + length - 1);
    this.#openContainer({ kind: ITEM, indent: before + length + gap, empty }, mark, at, at + length);
    if (!empty) this.#cursor.skip(gap);
    return 2;
  }

  /** Ends the open leaf and every container that this line does not continue. */
  #leave(matched: number): void {
    this.#closeLeaf();
    this.#stack.length = matched;
  }

  #openContainer(container: Container, mark: number, start: number, end: number): void {
    if (this.#stack.length === 0) this.#outline.enter(OUTER_TYPES[container.kind], mark, start, end);
    this.#outline.item(this.#cursor.start, end);
    this.#stack.push(container);
  }

  #open(leaf: number, start: number): void {
    this.#leaf = leaf;
    this.#leafStart = start;
    this.#leafLine = this.#cursor.start;
    this.#leafEnd = trimmedEnd(this.#text, start, this.#cursor.end);
  }

  #extend(): void {
    this.#leafEnd = trimmedEnd(this.#text, this.#cursor.at, this.#cursor.end);
  }

  #closeLeaf(): void {
    const leaf = this.#leaf;
    if (leaf === NONE) return;
    this.#leaf = NONE;
    let details: BlockDetails | undefined;
    if (leaf === FENCE && this.#lang !== '') details = { lang: this.#lang };
    else if (leaf === TABLE) details = { header: this.#header!, cuts: this.#rows };
    this.#emit(LEAF_TYPES[leaf]!, this.#leafStart, this.#leafEnd, this.#leafLine, details);
  }

  #emit(type: MarkdownBlock['type'], start: number, end: number, line: number, details?: BlockDetails): void {
    this.#outline.add(type, start, end, line, this.#stack.length > 0, details);
  }

  #heading(level: number, start: number, end: number, content: Span): void {
    this.#emit('heading', start, end, this.#cursor.start, { level, content });
  }

  #blank(matched: number): void {
    this.#leave(matched);
  }

  /** Text: it goes on with an open paragraph (lazily, too) or begins one. */
  #paragraphLine(matched: number): void {
    const { next, start, end, indent } = this.#cursor;
    if (this.#leaf === PARAGRAPH) {
      this.#earlierEnd = this.#leafEnd;
      this.#leafEnd = trimmedEnd(this.#text, next, end);
    } else {
      this.#leave(matched);
      this.#open(PARAGRAPH, next);
    }
    this.#lastText = next;
    this.#lastLine = start;
    this.#lastIndent = indent;
  }

  /** An underline makes the open paragraph a heading, except for link definitions at its start. */
  #setext(at: number, end: number): boolean {
    const level = setextLevel(this.#text, at, end);
    if (level === 0) return false;
    const from = afterDefinitions(this.#text, this.#leafStart, this.#leafEnd);
    if (from >= this.#leafEnd) return false;
    this.#leaf = NONE;
    const content = { start: from, end: this.#leafEnd };
    this.#emit('heading', this.#leafStart, trimmedEnd(this.#text, at, end), this.#leafLine, {
      level,
      content,
    });
    return true;
  }

  /** A delimiter row makes the paragraph's last line the head of a table. */
  #table(at: number, end: number): boolean {
    const columns = delimiterColumns(this.#text, at, end);
    if (columns === 0 || this.#lastIndent > 3) return false;
    if (headCells(this.#text, this.#lastText, this.#leafEnd) !== columns) return false;
    if (this.#lastText > this.#leafStart)
      this.#emit('paragraph', this.#leafStart, this.#earlierEnd, this.#leafLine);
    this.#leaf = TABLE;
    this.#leafStart = this.#lastText;
    this.#leafLine = this.#lastLine;
    this.#leafEnd = trimmedEnd(this.#text, at, end);
    this.#header = { start: this.#leafStart, end: this.#leafEnd };
    this.#rows = [];
    return true;
  }
}

/** Cells of a line as a table's head: a lone pipe or a tag is none. */
function headCells(text: string, at: number, end: number): number {
  if (end - at === 1 && text.charCodeAt(at) === 124) return 0;
  return text.charCodeAt(at) === 60 && htmlKind(text, at, end) > 0 ? 0 : countCells(text, at, end);
}

function firstWord(text: string, from: number, end: number): string {
  return /^[ \t]*([^ \t]*)/.exec(text.slice(from, end))![1]!;
}
