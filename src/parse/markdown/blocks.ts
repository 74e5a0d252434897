import { LineCursor } from './cursor.js';
import { htmlKind } from './html-blocks.js';
import { beginsText, INDENTED, Leaf, NONE, PARAGRAPH, TABLE } from './leaf.js';
import {
  afterFootnoteMark,
  atxContent,
  atxLevel,
  fenceLength,
  isBlankFrom,
  isThematicBreak,
  listMarkerLength,
  trimmedEnd,
} from './lines.js';
import type { Outline } from './outline.js';

/**
 * The block structure of Markdown (CommonMark + GFM tables and footnotes), read line by line with no inline parsing:
 * a chunker needs headings, code, tables, lists and where they may be cut, and the rest of a syntax tree costs ten
 * times as much as all of that. Tests compare every heading, code block and table with mdast-util-from-markdown.
 */
export function scanBlocks(text: string, from: number, outline: Outline): void {
  const scanner = new BlockScanner(text, outline);
  const { length } = text;
  for (let start = from; start < length; ) {
    if (text.charCodeAt(start) === 10 && scanner.takesBlankLine()) {
      start++;
      continue;
    }
    let end = text.indexOf('\n', start);
    if (end < 0) end = length;
    start = scanner.line(start, end);
  }
  scanner.finish();
}

/** Containers deeper than this are read as text: they hold no section headings, and each costs time on every line. */
const DEEPEST = 200;

const QUOTE = 0;
const ITEM = 1;
const FOOTNOTE = 2;
const OUTER_TYPES = ['quote', 'list', 'paragraph'] as const;

interface Container {
  readonly kind: typeof QUOTE | typeof ITEM | typeof FOOTNOTE;
  /** Columns of indentation that continue it. */
  readonly indent: number;
  /** An item that began with a blank line and has nothing yet. */
  empty: boolean;
  /** Where its text begins, if only items are around it; else -1. */
  readonly column: number;
}

/** What a line may begin: nothing, a leaf that takes the rest of the line, or a container with more inside. */
type Begun = 'nothing' | 'leaf' | 'container';

class BlockScanner {
  readonly #text: string;
  readonly #outline: Outline;
  readonly #leaf: Leaf;
  readonly #cursor: LineCursor;
  readonly #stack: Container[] = [];

  constructor(text: string, outline: Outline) {
    this.#text = text;
    this.#outline = outline;
    this.#leaf = new Leaf(text, outline);
    this.#cursor = new LineCursor(text);
  }

  /** A blank line ends a paragraph and no more, in most places. */
  takesBlankLine(): boolean {
    const leaf = this.#leaf;
    if (leaf.kind > PARAGRAPH || (this.#stack.length > 0 && !this.#inPlainItem())) return false;
    if (leaf.kind === PARAGRAPH) leaf.close();
    return true;
  }

  /** Whether the innermost container is an item that has text, with nothing but items around it. */
  #inPlainItem(): boolean {
    const { column, empty } = this.#stack[this.#stack.length - 1]!;
    return column >= 0 && !empty;
  }

  /** Reads a line. The answer is where the next line begins that needs a look. */
  line(start: number, end: number): number {
    const leaf = this.#leaf;
    if (this.#stack.length === 0 ? leaf.takesPlainLine(start, end) : this.#takesItemLine(start, end))
      return end + 1;
    this.#cursor.reset(start, end);
    const matched = this.#stack.length === 0 ? 0 : this.#matchContainers();
    const whole = matched === this.#stack.length;
    if (leaf.kind > PARAGRAPH) {
      if (whole && this.#continuesLeaf()) return end + 1;
      leaf.close();
    }
    this.#beginBlocks(matched, whole);
    return this.#stack.length === 0 && leaf.kind > PARAGRAPH ? leaf.readAhead(end) : end + 1;
  }

  /** Most lines of lists are text, indented as their item wants it with spaces: told by their first character. */
  #takesItemLine(start: number, end: number): boolean {
    const leaf = this.#leaf;
    if (leaf.kind > PARAGRAPH || !this.#inPlainItem()) return false;
    const text = this.#text;
    let at = start;
    while (at < end && text.charCodeAt(at) === 32) at++;
    const indent = at - start - this.#stack[this.#stack.length - 1]!.column;
    if (indent < 0 || indent > 3 || at >= end || !beginsText(text.charCodeAt(at))) return false;
    leaf.addText(at, start, end, indent);
    return true;
  }

  finish(): void {
    this.#leaf.close();
  }

  /** How many of the open containers go on in this line; the cursor moves over their marks. */
  #matchContainers(): number {
    const cursor = this.#cursor;
    let matched = 0;
    for (; matched < this.#stack.length; matched++) {
      const container = this.#stack[matched]!;
      cursor.look();
      const blank = cursor.next >= cursor.end;
      if (container.kind === QUOTE) {
        if (cursor.indent > 3 || blank || this.#text.charCodeAt(cursor.next) !== 62) break;
        this.#passQuoteMark();
      } else if (blank) {
        if (container.empty) break;
      } else if (cursor.indent >= container.indent) {
        cursor.skip(container.indent);
        container.empty = false;
      } else break;
    }
    return matched;
  }

  #passQuoteMark(): void {
    const cursor = this.#cursor;
    cursor.pass(cursor.next + 1);
    cursor.skip(1);
  }

  #continuesLeaf(): boolean {
    const { start, end } = this.#cursor;
    this.#cursor.look();
    const { next, indent } = this.#cursor;
    if (this.#leaf.kind !== TABLE) return this.#leaf.takes(next, end, indent);
    if (next >= end || this.#interruptsTable()) return false;
    this.#leaf.addRow(start, end);
    return true;
  }

  #interruptsTable(): boolean {
    const text = this.#text;
    const { next: at, end, indent } = this.#cursor;
    if (indent >= 4) return true;
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

  #beginBlocks(matchedBefore: number, wholeBefore: boolean): void {
    const cursor = this.#cursor;
    const leaf = this.#leaf;
    let matched = matchedBefore;
    let whole = wholeBefore;
    for (;;) {
      cursor.look();
      if (cursor.next >= cursor.end) {
        this.#leave(matched);
        return;
      }
      if (cursor.indent >= 4) {
        if (leaf.kind === PARAGRAPH) break;
        this.#leave(matched);
        leaf.open(INDENTED, cursor.at, cursor.start, cursor.end);
        return;
      }
      const begun = this.#beginBlock(matched, whole);
      if (begun === 'leaf') return;
      if (begun === 'nothing') break;
      matched = this.#stack.length;
      whole = true;
    }
    // Text goes on with an open paragraph even where its containers do not: a lazy line.
    if (leaf.kind === NONE) this.#leave(matched);
    leaf.addText(cursor.next, cursor.start, cursor.end, cursor.indent);
  }

  #beginBlock(matched: number, whole: boolean): Begun {
    const text = this.#text;
    const leaf = this.#leaf;
    const { start, next: at, end } = this.#cursor;
    const under = leaf.kind === PARAGRAPH && whole;
    const code = text.charCodeAt(at);
    switch (code) {
      case 62:
        return this.#beginQuote(matched);
      case 35: {
        const level = atxLevel(text, at, end);
        if (level === 0) return 'nothing';
        this.#leave(matched);
        const last = trimmedEnd(text, at, end);
        if (leaf.nested) this.#outline.hold('paragraph', at, last, start);
        else this.#outline.heading(level, at, last, atxContent(text, at, level, last));
        return 'leaf';
      }
      case 96:
      case 126: {
        const length = fenceLength(text, at, end);
        if (length === 0) return 'nothing';
        this.#leave(matched);
        leaf.openFence(at, start, end, length);
        return 'leaf';
      }
      case 60: {
        const kind = htmlKind(text, at, end);
        if (kind === 0 || (kind === 7 && leaf.kind === PARAGRAPH)) return 'nothing';
        this.#leave(matched);
        leaf.openHtml(at, start, end, kind);
        return 'leaf';
      }
      case 91:
        return this.#beginFootnote(matched);
      case 61:
        return under && leaf.turnsToHeading(at, end) ? 'leaf' : 'nothing';
      case 124:
      case 58:
        return under && leaf.turnsToTable(at, end) ? 'leaf' : 'nothing';
      case 45:
        if (under && leaf.turnsToHeading(at, end)) return 'leaf';
        if (under && listMarkerLength(text, at, end) === 0 && leaf.turnsToTable(at, end)) return 'leaf';
        return this.#beginBreak(matched) ? 'leaf' : this.#beginItem(matched, whole);
      case 42:
        return this.#beginBreak(matched) ? 'leaf' : this.#beginItem(matched, whole);
      case 95:
        return this.#beginBreak(matched) ? 'leaf' : 'nothing';
      default:
        return code === 43 || (code >= 48 && code <= 57) ? this.#beginItem(matched, whole) : 'nothing';
    }
  }

  #beginBreak(matched: number): boolean {
    const { start, next: at, end } = this.#cursor;
    if (!isThematicBreak(this.#text, at, end)) return false;
    this.#leave(matched);
    const last = trimmedEnd(this.#text, at, end);
    const section = this.#outline.sections.current;
    if (this.#leaf.nested) this.#outline.hold('paragraph', at, last, start);
    else this.#outline.add({ type: 'paragraph', section, start: at, end: last });
    return true;
  }

  #beginQuote(matched: number): Begun {
    const { next: at } = this.#cursor;
    if (this.#stack.length >= DEEPEST) return 'nothing';
    this.#leave(matched);
    this.#enter({ kind: QUOTE, indent: 0, empty: false, column: -1 }, 62, at, at + 1);
    this.#passQuoteMark();
    return 'container';
  }

  #beginFootnote(matched: number): Begun {
    const { next: at, end } = this.#cursor;
    const after = afterFootnoteMark(this.#text, at, end);
    if (after < 0 || this.#stack.length >= DEEPEST) return 'nothing';
    this.#leave(matched);
    this.#enter({ kind: FOOTNOTE, indent: 4, empty: false, column: -1 }, 91, at, after);
    this.#cursor.pass(after);
    return 'container';
  }

  #beginItem(matched: number, whole: boolean): Begun {
    const text = this.#text;
    const cursor = this.#cursor;
    const { next: at, end, indent: before } = cursor;
    const length = listMarkerLength(text, at, end);
    if (length === 0 || this.#stack.length >= DEEPEST) return 'nothing';
    const empty = isBlankFrom(text, at + length, end);
    const bullet = length === 1;
    if (this.#leaf.kind === PARAGRAPH && whole) {
      // Only an item with text, and a list that starts at 1, may interrupt a paragraph.
      if (empty || (!bullet && text.slice(at, at + length - 1) !== '1')) return 'nothing';
    }
    this.#leave(matched);
    cursor.pass(at + length);
    cursor.look();
    // Five columns or more after the marker begin indented code: only one belongs to the marker then.
    const gap = empty || cursor.indent > 4 ? 1 : cursor.indent;
    const mark = text.charCodeAt(bullet ? at : at + length - 1);
    const outer = this.#stack.length === 0 ? 0 : this.#stack[this.#stack.length - 1]!.column;
    const indent = before + length + gap;
    const column = outer < 0 ? -1 : outer + indent;
    this.#enter({ kind: ITEM, indent, empty, column }, mark, at, at + length);
    if (!empty) cursor.skip(gap);
    return 'container';
  }

  #enter(container: Container, mark: number, start: number, end: number): void {
    if (this.#stack.length === 0) this.#outline.enter(OUTER_TYPES[container.kind], mark, start, end);
    this.#outline.item(this.#cursor.start, end);
    this.#stack.push(container);
    this.#leaf.nested = true;
  }

  /** Ends the open leaf and every container that this line does not continue. */
  #leave(matched: number): void {
    if (this.#leaf.kind !== NONE) this.#leaf.close();
    while (this.#stack.length > matched) this.#stack.pop();
    this.#leaf.nested = matched > 0;
  }
}
