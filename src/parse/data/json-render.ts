import { StrataError } from '../../model/errors.js';
import { escapeToken } from '../../model/json/pointer.js';
import type { TreeBuilder } from '../builder.js';
import { TracedText } from '../traced-text.js';
import type { JsonNode, JsonSource } from './json-read.js';

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
  readonly #source: JsonSource;
  readonly #most: number;
  /** The paragraph of lines that `#end` ends, and where its later lines begin. */
  #lines = new TracedText();
  #cuts: number[] = [];
  #hasLines = false;

  /** `most`: how many characters the builder's text may have, since keys are repeated in it. */
  constructor(builder: TreeBuilder, source: JsonSource, most: number) {
    this.#builder = builder;
    this.#source = source;
    this.#most = most;
  }

  /** Writes a value whose pointer is `pointer` below a section of `level - 1`. */
  value(node: JsonNode, pointer: string, level = 1): void {
    if (this.#source.kind(node) === 'string') this.#string(node, pointer);
    else if (!node.wide) {
      this.#nameless(node, '');
      this.#end(pointer);
    } else this.#members(node, pointer, level, '');
  }

  /** One of many values that stand one after the other (JSON Lines): like an item of an array. */
  record(index: number): void {
    const { root } = this.#source;
    if (!root.wide) {
      this.#nameless(root, `${index}/`);
      this.#end(`/${index}`);
    } else {
      this.#heading(1, String(index), root, nameOf(this.#source, root));
      this.value(root, `/${index}`, 2);
    }
  }

  /**
   * A section's own lines first, then the sections inside it: text after a heading would belong to that heading.
   * `above` is the path from the deepest section that could still have a level of its own.
   */
  #members(container: JsonNode, pointer: string, level: number, above: string): void {
    // An array's order means something: where one item needs a section, each gets one.
    const inOrder = this.#source.kind(container) === 'array' && container.items.some(({ wide }) => wide);
    if (!inOrder) this.#narrow(container, pointer, above);
    for (const node of container.items) {
      if (inOrder || node.wide) this.#section(node, pointer, level, above);
    }
  }

  /** What needs no section: a block for each container, one for the scalars between two of them. */
  #narrow(container: JsonNode, pointer: string, above: string): void {
    for (const node of container.items) {
      if (node.wide) continue;
      const kind = this.#source.kind(node);
      const isContainer = kind === 'object' || kind === 'array';
      if (isContainer) this.#end(pointer, true);
      this.#member(node, above);
      if (isContainer) this.#end(inside(pointer, node));
    }
    this.#end(pointer, true);
  }

  #section(node: JsonNode, pointer: string, level: number, above: string): void {
    const inner = inside(pointer, node);
    const path = `${above}${escapeToken(String(node.label))}`;
    // `0 Getting started`: an item's index says nothing by itself.
    const isItem = typeof node.label === 'number' && above === '';
    const name = isItem ? nameOf(this.#source, node) : undefined;
    this.#heading(Math.min(level, DEEPEST), above === '' ? String(node.label) : path, node, name);
    if (node.items.length === 0) this.#string(node, inner);
    else this.#members(node, inner, level + 1, level >= DEEPEST ? `${path}/` : '');
  }

  /** `name`: the member by which the node calls itself; the heading stands where that does. A bare index is our word. */
  #heading(level: number, label: string, node: JsonNode, name: JsonNode | undefined): void {
    const title = name === undefined ? label : `${label} ${this.#source.value(name).trim()}`;
    const says = name ?? (typeof node.label === 'string' ? node : undefined);
    this.#builder.heading(level, new TracedText().add(title, says && this.#source.line(says)));
    this.#limit();
  }

  /** The value itself has no name; `above` is that of its members. */
  #nameless(node: JsonNode, above: string): void {
    if (node.items.length > 0) for (const item of node.items) this.#member(item, above);
    else this.#line(above.replace(/\/$/, ': '), node);
  }

  /** The scalars at or inside `node` as lines `path: value`; an empty container is a line too. */
  #member(node: JsonNode, above: string): void {
    const path = `${above}${escapeToken(String(node.label)).replaceAll('\n', ' ')}`;
    if (node.items.length > 0) for (const item of node.items) this.#member(item, `${path}/`);
    else this.#line(`${path}: `, node);
  }

  /** A value of several lines stays one item: its lines are set in. */
  #line(name: string, node: JsonNode): void {
    const lines = this.#lines;
    if (this.#hasLines) {
      lines.add('\n');
      this.#cuts.push(lines.text.length);
    }
    this.#hasLines = true;
    const value = this.#source.value(node);
    const shown = value.includes('\n') ? value.trim().replace(/\n(?:[^\S\n]*\n)*/g, '\n  ') : value;
    lines.add(name + shown, this.#source.line(node));
    this.#limit();
  }

  /** May be cut between its lines where that is said. */
  #end(pointer: string, mayBeCut = false): void {
    if (!this.#hasLines) return;
    this.#builder.block('paragraph', this.#lines, { pointer, ...(mayBeCut ? { cuts: this.#cuts } : {}) });
    this.#lines = new TracedText();
    this.#cuts = [];
    this.#hasLines = false;
  }

  /** Paragraphs are cut apart first, as in any text. */
  #string(node: JsonNode, pointer: string): void {
    const line = this.#source.line(node);
    for (const paragraph of this.#source.value(node).split(/\n[^\S\n]*\n\s*/)) {
      const text = paragraph.replace(/^\n+/, '').trimEnd();
      this.#builder.block('paragraph', new TracedText().add(text, line), { pointer });
    }
    this.#limit();
  }

  #limit(): void {
    if (this.#builder.length + this.#lines.text.length <= this.#most) return;
    const most = `${Math.ceil(this.#most / 2 ** 20)} MB`;
    throw new StrataError('LIMIT', `its text would have more than the ${most} it may expand to`);
  }
}

const inside = (pointer: string, { label }: JsonNode): string => `${pointer}/${escapeToken(String(label))}`;

/** The member by which an object calls itself, if it does so in a short string. */
export function nameOf(
  source: JsonSource,
  object: JsonNode,
  names: readonly string[] = NAMES,
): JsonNode | undefined {
  if (source.kind(object) !== 'object') return undefined;
  let found: JsonNode | undefined;
  let rank = names.length;
  for (const node of object.items) {
    if (node.end - node.start > LONGEST_NAME || source.kind(node) !== 'string') continue;
    const place = names.indexOf(String(node.label));
    if (place < 0 || place >= rank) continue;
    if (source.value(node).trim() === '') continue;
    found = node;
    rank = place;
  }
  return found;
}
