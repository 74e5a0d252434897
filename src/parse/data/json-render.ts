import { escapeToken } from '../../model/pointer.js';
import type { TreeBuilder } from '../builder.js';
import { literalEnd, MULTIBYTE, SPECIAL, unitsOf } from './json-bytes.js';
import { detached, givenPointer, InnerPointer, type NodePointer, pointerInside } from './json-pointers.js';
import { labelOf, readValue } from './json-scan.js';
import {
  afterNode,
  isContainer,
  isEmpty,
  isWide,
  type JsonTable,
  KIND,
  keyHolds,
  kindOf,
  valueHolds,
} from './json-table.js';
import type { Utf8Text } from './utf8-text.js';

const DEEPEST = 6;
/** Members that name an array's item in its heading, the best first. */
const NAMES = ['title', 'name', 'heading', 'label', 'id', 'key'];
/** A name is short; in characters of its literal. */
const LONGEST_NAME = 120;

/**
 * JSON as text that can be read, cut and found: strings as they are meant (no escapes, real line breaks), and where
 * each stands. A small object or array is lines `path: value`, the path relative to the section; a large one is a
 * section named by its key, and a long string a section whose text it is. Each block carries the pointer of its node.
 */
export class JsonRenderer {
  readonly #builder: TreeBuilder;
  /** The builder's. */
  readonly #text: Utf8Text;
  readonly #table: JsonTable;

  constructor(builder: TreeBuilder, text: Utf8Text, table: JsonTable) {
    this.#builder = builder;
    this.#text = text;
    this.#table = table;
  }

  /** Writes the value at `node`, whose pointer is `pointer`, below a section of `level - 1`. */
  value(node: number, pointer: NodePointer, level = 1): void {
    const kind = kindOf(this.#table, node);
    if (kind === KIND.string) this.#string(node, pointer);
    else if (kind === KIND.other || !isWide(this.#table, node)) {
      this.#nameless(node, '');
      this.#end(pointer);
    } else this.#members(node, pointer, level, '');
  }

  /** One of many values that stand one after the other (JSON Lines): like an item of an array. */
  record(index: number): void {
    const pointer = givenPointer(`/${index}`);
    if (!isWide(this.#table, 0)) {
      this.#nameless(0, `${index}/`);
      this.#end(pointer);
    } else {
      const name = kindOf(this.#table, 0) === KIND.object ? nameOf(this.#table, 0) : undefined;
      this.#builder.heading(1, detached(name === undefined ? String(index) : `${index} ${name}`));
      this.value(0, pointer, 2);
    }
  }

  /**
   * A section's own lines first, then the sections inside it: text after a heading would belong to that heading.
   * `above` is the path from the deepest section that could still have a level of its own.
   */
  #members(container: number, pointer: NodePointer, level: number, above: string): void {
    const table = this.#table;
    // An array's order means something: where one item needs a section, each gets one.
    const inOrder = kindOf(table, container) === KIND.array && hasWide(table, container);
    if (!inOrder) this.#lines(container, pointer, above);
    const after = table.until[container]!;
    for (let node = container + 1; node < after; node = afterNode(table, node)) {
      if (inOrder || isWide(table, node)) this.#section(node, pointer, level, above);
    }
  }

  /** What needs no section: a block for each container, one for the scalars between two of them. */
  #lines(container: number, pointer: NodePointer, above: string): void {
    const table = this.#table;
    const after = table.until[container]!;
    for (let node = container + 1; node < after; node = afterNode(table, node)) {
      if (isWide(table, node)) continue;
      if (!isContainer(table, node)) this.#member(node, above);
      else {
        this.#end(pointer, true);
        this.#member(node, above);
        this.#builder.endLines(pointerInside(table, node, pointer));
      }
    }
    this.#end(pointer, true);
  }

  #end(pointer: NodePointer, mayBeCut = false): void {
    if (this.#builder.hasLines) this.#builder.endLines(pointer.text(), mayBeCut);
  }

  #section(node: number, pointer: NodePointer, level: number, above: string): void {
    const table = this.#table;
    const inner = new InnerPointer(table, node, pointer);
    const path = `${above}${escapeToken(labelOf(table, node))}`;
    const title = above === '' ? titleOf(table, node) : path;
    this.#builder.heading(Math.min(level, DEEPEST), detached(title));
    if (!isContainer(table, node) || isEmpty(table, node)) this.#string(node, inner);
    else this.#members(node, inner, level + 1, level >= DEEPEST ? `${path}/` : '');
  }

  /** The value itself has no name; `above` is that of its members. */
  #nameless(node: number, above: string): void {
    const table = this.#table;
    if (isContainer(table, node) && !isEmpty(table, node)) this.#inside(node, above);
    else {
      this.#builder.beginLine();
      this.#text.push(above.replace(/\/$/, ': '));
      this.#scalar(node);
    }
  }

  /** The scalars at or inside `node` as lines `path: value`; an empty container is a line too. */
  #member(node: number, above: string): void {
    const table = this.#table;
    if (isContainer(table, node) && !isEmpty(table, node)) {
      this.#inside(node, `${above}${pathLabel(table, node)}/`);
    } else {
      this.#builder.beginLine();
      this.#text.push(above);
      this.#label(node);
      this.#text.push(': ');
      this.#scalar(node);
    }
  }

  /** Each path is put together from its parent's, once: paths are most of what is written. */
  #inside(container: number, above: string): void {
    const after = this.#table.until[container]!;
    for (let node = container + 1; node < after; node = afterNode(this.#table, node))
      this.#member(node, above);
  }

  #label(node: number): void {
    const { bytes, key } = this.#table;
    const start = key[node]!;
    const holds = keyHolds(this.#table, node);
    if (start < 0 || (holds & SPECIAL) !== 0) this.#text.push(pathLabel(this.#table, node));
    else this.#text.pushBytes(bytes, start + 1, literalEnd(bytes, start, false) - 1, holds === 0);
  }

  /** A value of several lines stays one item: its lines are set in. */
  #scalar(node: number): void {
    const table = this.#table;
    if (kindOf(table, node) === KIND.other) {
      this.#text.pushBytes(table.bytes, table.start[node]!, table.until[node]!, true);
    } else if (kindOf(table, node) === KIND.string && (valueHolds(table, node) & SPECIAL) === 0) {
      this.#plainString(node);
    } else {
      const value = readValue(table, node);
      this.#text.push(value.includes('\n') ? value.trim().replace(/\n(?:[^\S\n]*\n)*/g, '\n  ') : value);
    }
  }

  #plainString(node: number): void {
    const { bytes, start, until } = this.#table;
    const isAscii = (valueHolds(this.#table, node) & MULTIBYTE) === 0;
    this.#text.pushBytes(bytes, start[node]! + 1, until[node]! - 1, isAscii);
  }

  /** Paragraphs are cut apart first, as in any text. */
  #string(node: number, pointer: NodePointer): void {
    const table = this.#table;
    const isPlain = kindOf(table, node) === KIND.string && (valueHolds(table, node) & SPECIAL) === 0;
    if (isPlain && endsWithText(table.bytes, table.until[node]! - 1)) {
      this.#builder.beginLine();
      this.#plainString(node);
      this.#end(pointer);
      return;
    }
    const named = { pointer: pointer.text() };
    for (const paragraph of readValue(table, node).split(/\n[^\S\n]*\n\s*/)) {
      this.#builder.block('paragraph', paragraph.replace(/^\n+/, '').trimEnd(), named);
    }
  }
}

/** Whether the last character before `end` is surely no white space: no quote, which begins an empty literal, either. */
function endsWithText(bytes: Buffer, end: number): boolean {
  const last = bytes[end - 1]!;
  return last < 0x80 ? last > 0x22 : /\S$/.test(bytes.toString('utf8', Math.max(0, end - 4), end));
}

const pathLabel = (table: JsonTable, node: number): string =>
  escapeToken(labelOf(table, node)).replaceAll('\n', ' ');

/** `0 Getting started`: an item's index says nothing by itself. */
function titleOf(table: JsonTable, node: number): string {
  const label = labelOf(table, node);
  if (table.key[node]! >= 0 || kindOf(table, node) !== KIND.object) return label;
  const name = nameOf(table, node);
  return name === undefined ? label : `${label} ${name}`;
}

/** What an object calls itself, if it does so in a short string. */
export function nameOf(
  table: JsonTable,
  object: number,
  names: readonly string[] = NAMES,
): string | undefined {
  let found: string | undefined;
  let rank = names.length;
  const after = table.until[object]!;
  for (let node = object + 1; node < after; node = afterNode(table, node)) {
    if (kindOf(table, node) !== KIND.string) continue;
    const place = names.indexOf(labelOf(table, node));
    if (place < 0 || place >= rank) continue;
    if (unitsOf(table.bytes, table.start[node]!, table.until[node]!) > LONGEST_NAME) continue;
    const value = readValue(table, node).trim();
    if (value === '') continue;
    found = value;
    rank = place;
  }
  return found;
}

function hasWide(table: JsonTable, container: number): boolean {
  const after = table.until[container]!;
  for (let node = container + 1; node < after; node = afterNode(table, node)) {
    if (isWide(table, node)) return true;
  }
  return false;
}
