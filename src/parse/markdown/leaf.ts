import type { BlockType, Span, TreeBlock } from '../../model/tree.js';
import { afterDefinitions } from './definitions.js';
import { type HtmlKind, htmlKind } from './html-blocks.js';
import { closesFence, countCells, delimiterColumns, setextLevel, trimmedEnd } from './lines.js';
import type { Outline } from './outline.js';

export const NONE = 0;
export const PARAGRAPH = 1;
export const FENCE = 2;
export const INDENTED = 3;
export const HTML = 4;
export const TABLE = 5;
const TYPES = ['paragraph', 'paragraph', 'code', 'code', 'html', 'table'] as const;

/** ASCII characters that begin no block of any kind: a line that starts with one is text. */
const TEXT_ONLY = new Uint8Array(128);
for (let code = 33; code < 127; code++) {
  if (!'#*+-0123456789:<=>[_`|~'.includes(String.fromCharCode(code))) TEXT_ONLY[code] = 1;
}

/** Whether a line that starts with this character can be nothing but text. */
export const beginsText = (code: number): boolean => code >= 128 || TEXT_ONLY[code] === 1;

/** The block of text that is open while lines are read, if any: it grows, turns into something else, and is closed. */
export class Leaf {
  kind = NONE;
  /** Whether containers are open around it. */
  nested = false;
  readonly #text: string;
  readonly #outline: Outline;
  #start = 0;
  /** The start of its first line, and the end of its last. */
  #line = 0;
  #end = 0;
  // Of a paragraph: its last line, and where the line before that ended.
  #lastText = 0;
  #lastLine = 0;
  #lastIndent = 0;
  #earlierEnd = 0;
  // Of a fence: its character and length. Of HTML: its kind and where that ends. Of a table: its head and rows.
  #mark = 0;
  #markLength = 0;
  #lang = '';
  #html: HtmlKind = 0;
  #htmlEnd = 0;
  #header: Span = { start: 0, end: 0 };
  #rows: number[] = [];

  constructor(text: string, outline: Outline) {
    this.#text = text;
    this.#outline = outline;
  }

  open(kind: number, start: number, line: number, end: number): void {
    this.kind = kind;
    this.#start = start;
    this.#line = line;
    this.#end = end;
  }

  openFence(start: number, line: number, end: number, length: number): void {
    this.open(FENCE, start, line, end);
    this.#mark = this.#text.charCodeAt(start);
    this.#markLength = length;
    this.#lang = firstWord(this.#text, start + length, end);
  }

  openHtml(start: number, line: number, end: number, kind: HtmlKind): void {
    this.open(HTML, start, line, end);
    this.#html = kind;
    if (kind >= 6) return;
    this.#htmlEnd = this.#outline.htmlEnds.after(kind, start + (kind === 2 ? 2 : 1));
    if (this.#htmlEnd < end) this.close();
  }

  /** A line of text: it goes on with an open paragraph or begins one. */
  addText(start: number, line: number, end: number, indent: number): void {
    if (this.kind === PARAGRAPH) this.#earlierEnd = this.#end;
    else this.open(PARAGRAPH, start, line, end);
    this.#end = end;
    this.#lastText = start;
    this.#lastLine = line;
    this.#lastIndent = indent;
  }

  /** Most lines outside lists and quotes are plain text: told by their first character. */
  takesPlainLine(start: number, end: number): boolean {
    if (this.kind > PARAGRAPH || start === end || !beginsText(this.#text.charCodeAt(start))) return false;
    this.addText(start, start, end, 0);
    return true;
  }

  /** Whether a line belongs to the open code or HTML. `at`: its first character that is no space, `end` where blank. */
  takes(at: number, end: number, indent: number): boolean {
    const blank = at >= end;
    if (this.kind === FENCE) {
      this.#end = end;
      if (indent <= 3 && closesFence(this.#text, at, end, this.#mark, this.#markLength)) this.close();
      return true;
    }
    if (this.kind === INDENTED) {
      if (!blank && indent < 4) return false;
      if (!blank) this.#end = end;
      return true;
    }
    if (this.kind !== HTML || (this.#html >= 6 && blank)) return false;
    this.#end = end;
    if (this.#html < 6 && this.#htmlEnd < end) this.close();
    return true;
  }

  /**
   * Outside containers, the end of code and of some HTML can be searched for: the lines before it need no look. `end` is
   * that of the first line; the answer is where the next line begins that is still to be read.
   */
  readAhead(end: number): number {
    let last: number;
    if (this.kind === FENCE) last = this.#fenceEnd(end);
    else if (this.kind === HTML && this.#html < 6) last = this.#htmlEnd;
    else return end + 1;
    const closes = last !== Infinity;
    const lineEnd = closes ? this.#text.indexOf('\n', last) : -1;
    this.#end = lineEnd < 0 ? this.#text.length : lineEnd;
    // What nothing closes is closed with the text.
    if (closes) this.close();
    return this.#end + 1;
  }

  /** The end of the marks that close the fence, searched from the end of a line; Infinity where there are none. */
  #fenceEnd(end: number): number {
    const text = this.#text;
    const run = this.#mark === 96 ? '```' : '~~~';
    for (let at = text.indexOf(run, end); at >= 0; ) {
      let after = at + 3;
      while (after < text.length && text.charCodeAt(after) === this.#mark) after++;
      // Nothing but spaces before the run, at most three, and nothing but white space after it.
      let line = at;
      while (at - line < 3 && text.charCodeAt(line - 1) === 32) line--;
      if (after - at >= this.#markLength && text.charCodeAt(line - 1) === 10 && endsLine(text, after))
        return after;
      at = text.indexOf(run, after);
    }
    return Infinity;
  }

  addRow(line: number, end: number): void {
    this.#rows.push(line);
    this.#end = end;
  }

  /** An underline makes the open paragraph a heading, except for link definitions at its start. */
  turnsToHeading(at: number, end: number): boolean {
    const level = setextLevel(this.#text, at, end);
    if (level === 0) return false;
    const from = afterDefinitions(this.#text, this.#start, this.#end);
    const to = trimmedEnd(this.#text, from, this.#end);
    if (from >= to) return false;
    this.kind = NONE;
    const last = trimmedEnd(this.#text, at, end);
    if (this.nested) this.#outline.hold('paragraph', this.#start, last, this.#line);
    else this.#outline.heading(level, this.#start, last, { start: from, end: to });
    return true;
  }

  /** A delimiter row makes the paragraph's last line the head of a table. */
  turnsToTable(at: number, end: number): boolean {
    const columns = delimiterColumns(this.#text, at, end);
    if (columns === 0 || this.#lastIndent > 3) return false;
    if (headCells(this.#text, this.#lastText, this.#end) !== columns) return false;
    if (this.#lastText > this.#start) this.#emit('paragraph', this.#earlierEnd);
    this.open(TABLE, this.#lastText, this.#lastLine, end);
    this.#header = { start: this.#start, end: trimmedEnd(this.#text, at, end) };
    this.#rows = [];
    return true;
  }

  close(): void {
    const { kind } = this;
    if (kind === NONE) return;
    this.kind = NONE;
    this.#emit(TYPES[kind]!, this.#end, kind);
  }

  #emit(type: BlockType, lineEnd: number, kind = PARAGRAPH): void {
    const start = this.#start;
    const end = trimmedEnd(this.#text, start, lineEnd);
    if (this.nested) {
      this.#outline.hold(type, start, end, this.#line);
      return;
    }
    const section = this.#outline.sections.current;
    const block: TreeBlock =
      kind === TABLE
        ? { type, section, start, end, header: this.#header, cuts: this.#rows }
        : kind === FENCE && this.#lang !== ''
          ? { type, section, start, end, lang: this.#lang }
          : { type, section, start, end };
    this.#outline.add(block);
  }
}

function endsLine(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at++;
  return at >= text.length || text.charCodeAt(at) === 10;
}

function firstWord(text: string, start: number, end: number): string {
  let from = start;
  while (from < end && (text.charCodeAt(from) === 32 || text.charCodeAt(from) === 9)) from++;
  let to = from;
  while (to < end && text.charCodeAt(to) !== 32 && text.charCodeAt(to) !== 9) to++;
  return text.slice(from, to);
}

/** Cells of a line as a table's head: a lone pipe or a tag is none. */
function headCells(text: string, at: number, lineEnd: number): number {
  const end = trimmedEnd(text, at, lineEnd);
  if (end - at === 1 && text.charCodeAt(at) === 124) return 0;
  return text.charCodeAt(at) === 60 && htmlKind(text, at, end) > 0 ? 0 : countCells(text, at, end);
}
