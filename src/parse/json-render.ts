import { escapeToken } from '../model/pointer.js';
import type { TreeBuilder } from './builder.js';
import { type JsonTable, KIND, labelOf, stringValue } from './json-scan.js';

/**
 * JSON as text that can be read, cut and found: strings as they are meant (no escapes, real line breaks), and where
 * each stands. A small object or array is lines `path: value`, the path relative to the section; a large one is a
 * section named by its key, and a long string a section whose text it is. Each block carries the pointer of its node.
 */

/** What is longer than a chunk is a section; a string that fills a chunk by itself is one too (S4.3: 400–1200). */
const LARGE = 1_200;
const LONG = 400;
const DEEPEST = 6;
/** Members that name an array's item in its heading, the best first. */
const NAMES = ['title', 'name', 'heading', 'label', 'id', 'key'];

/** Writes the value at `node`, whose pointer is `pointer`, below a section of `level - 1`. */
export function renderJson(
  builder: TreeBuilder,
  table: JsonTable,
  node: number,
  pointer: string,
  level = 1,
): void {
  const kind = table.kind[node]!;
  if (kind === KIND.string) {
    writeString(builder, readValue(table, node), pointer);
  } else if (kind === KIND.other || isSmall(table, node)) {
    builder.block('paragraph', linesOf(table, node, false, '').join('\n'), { pointer });
  } else {
    renderMembers(builder, table, node, pointer, level, '');
  }
}

/** One of many values that stand one after the other (JSON Lines): like an item of an array. */
export function renderRecord(builder: TreeBuilder, table: JsonTable, index: number): void {
  const pointer = `/${index}`;
  if (!isLong(table, 0) && (table.kind[0]! > KIND.array || isSmall(table, 0))) {
    builder.block('paragraph', linesOf(table, 0, false, `${index}/`).join('\n'), { pointer });
  } else {
    const name = table.kind[0] === KIND.object ? nameOf(table, 0) : undefined;
    builder.heading(1, detached(name === undefined ? String(index) : `${index} ${name}`));
    renderJson(builder, table, 0, pointer, 2);
  }
}

/**
 * A section's own lines first, then the sections inside it: text after a heading would belong to that heading.
 * `above` is the path from the deepest section that could still have a level of its own.
 */
function renderMembers(
  builder: TreeBuilder,
  table: JsonTable,
  container: number,
  pointer: string,
  level: number,
  above: string,
): void {
  const large: number[] = [];
  // An array's order means something: where one item needs a section, each gets one.
  const inOrder = table.kind[container] === KIND.array && hasLarge(table, container);
  let scalars: string[] = [];
  const flush = (): void => {
    if (scalars.length > 0)
      builder.block('paragraph', scalars.join('\n'), { pointer, cuts: lineStarts(scalars) });
    scalars = [];
  };
  for (let node = container + 1; node < table.after[container]!; node = table.after[node]!) {
    const kind = table.kind[node]!;
    if (inOrder || needsSection(table, node)) large.push(node);
    else if (kind > KIND.array) scalars.push(...linesOf(table, node, true, above));
    else {
      flush();
      const lines = linesOf(table, node, true, above);
      builder.block('paragraph', lines.join('\n'), { pointer: childPointer(table, node, pointer) });
    }
  }
  flush();
  for (const node of large) {
    const inner = childPointer(table, node, pointer);
    const path = `${above}${escapeToken(labelOf(table, node))}`;
    builder.heading(Math.min(level, DEEPEST), detached(above === '' ? titleOf(table, node) : path));
    if (table.kind[node]! > KIND.array) writeString(builder, readValue(table, node), inner);
    else if (table.after[node] === node + 1)
      writeString(builder, table.kind[node] === KIND.object ? '{}' : '[]', inner);
    else renderMembers(builder, table, node, inner, level + 1, level >= DEEPEST ? `${path}/` : '');
  }
}

const lineStarts = (lines: readonly string[]): number[] => {
  let at = 0;
  return lines.slice(0, -1).map((line) => {
    at += line.length + 1;
    return at;
  });
};

const childPointer = (table: JsonTable, node: number, pointer: string): string =>
  detached(`${pointer}/${escapeToken(labelOf(table, node))}`);

/** A copy with no part in another string: a slice would keep the whole source, a joined string all it was joined from. */
export const detached = (text: string): string => Buffer.from(text).toString();

/** `0 Getting started`: an item's index says nothing by itself. */
export function titleOf(table: JsonTable, node: number): string {
  const label = labelOf(table, node);
  if (table.key[node]! >= 0 || table.kind[node] !== KIND.object) return label;
  const name = nameOf(table, node);
  return name === undefined ? label : `${label} ${name}`;
}

/** What an object calls itself, if it does so in a short string. */
export function nameOf(
  table: JsonTable,
  object: number,
  names: readonly string[] = NAMES,
): string | undefined {
  const found = new Map<string, string>();
  for (let node = object + 1; node < table.after[object]!; node = table.after[node]!) {
    if (table.kind[node] !== KIND.string || table.end[node]! - table.start[node]! > 120) continue;
    const label = labelOf(table, node);
    const value = readValue(table, node).trim();
    if (names.includes(label) && value !== '' && !found.has(label)) found.set(label, value);
  }
  return names.map((name) => found.get(name)).find((name) => name !== undefined);
}

/**
 * The scalars at or inside `node` as lines; an empty container is a line too. Each path is put together from its
 * parent's, once: paths are most of what is written.
 */
function linesOf(table: JsonTable, node: number, isMember: boolean, above: string): string[] {
  const lines: string[] = [];
  const open: { readonly after: number; readonly path: string }[] = [];
  for (let at = node; at < table.after[node]!; at += 1) {
    while (open.length > 0 && open.at(-1)!.after <= at) open.pop();
    const isContainer = table.kind[at]! <= KIND.array && table.after[at]! > at + 1;
    if (at === node && !isMember) {
      // The value itself has no name; `above` is that of its members.
      if (isContainer) open.push({ after: table.after[at]!, path: above });
      else lines.push(`${above.replace(/\/$/, ': ')}${indented(readValue(table, at))}`);
      continue;
    }
    const path = `${open.at(-1)?.path ?? above}${escapeToken(labelOf(table, at)).replaceAll('\n', ' ')}`;
    if (isContainer) open.push({ after: table.after[at]!, path: `${path}/` });
    else lines.push(`${path}: ${indented(readValue(table, at))}`);
  }
  return lines;
}

/** A value of several lines stays one item: its lines are set in. */
const indented = (value: string): string =>
  value.includes('\n') ? value.trim().replace(/\n(?:[^\S\n]*\n)*/g, '\n  ') : value;

function readValue(table: JsonTable, node: number): string {
  const kind = table.kind[node]!;
  if (kind === KIND.string) return stringValue(table.text, table.start[node]!, table.end[node]!);
  if (kind === KIND.other) return table.text.slice(table.start[node], table.end[node]);
  return kind === KIND.object ? '{}' : '[]';
}

const needsSection = (table: JsonTable, node: number): boolean =>
  isLong(table, node) || (table.kind[node]! <= KIND.array && !isSmall(table, node));

function hasLarge(table: JsonTable, container: number): boolean {
  for (let node = container + 1; node < table.after[container]!; node = table.after[node]!) {
    if (needsSection(table, node)) return true;
  }
  return false;
}

const isLong = (table: JsonTable, node: number): boolean =>
  table.kind[node] === KIND.string && table.end[node]! - table.start[node]! > LONG;

function isSmall(table: JsonTable, node: number): boolean {
  if (table.end[node]! - table.start[node]! > LARGE) return false;
  for (let at = node; at < table.after[node]!; at += 1) if (isLong(table, at)) return false;
  return true;
}

/** Paragraphs are cut apart first, as in any text. */
function writeString(builder: TreeBuilder, value: string, pointer: string): void {
  for (const paragraph of value.split(/\n[^\S\n]*\n\s*/)) {
    builder.block('paragraph', paragraph.replace(/^\n+|\s+$/g, ''), { pointer });
  }
}
