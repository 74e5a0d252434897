import { StrataError } from '../model/errors.js';
import { normaliseText } from './decode.js';

/**
 * JSON as a flat table of nodes in document order, read without recursion. Unlike `JSON.parse` it keeps numbers as they
 * are written, keys in their order, repeated keys, and where everything stands; it costs 17 bytes a node, and takes
 * the comments and trailing commas that configuration files have.
 */
export interface JsonTable {
  readonly text: string;
  readonly length: number;
  readonly kind: Uint8Array;
  /** Span of the value in the text. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Offset of a member's key (its opening quote), or -1 - the index of an array's item. */
  readonly key: Int32Array;
  /** The first node after this one and all inside it. */
  readonly after: Int32Array;
}

export const KIND = { object: 0, array: 1, string: 2, other: 3 } as const;

const SPACE = /[ \t\n\r\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const SCALAR =
  /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|true\b|false\b|null\b|NaN\b|-?Infinity\b/y;

/** Reads one value from `from`. Throws CORRUPT for what is no JSON, LIMIT past `nesting`. */
export function scanJson(
  text: string,
  from: number,
  nesting: number,
  nodes = new JsonNodes(),
): { table: JsonTable; end: number } {
  nodes.reset(text, from);
  const open: number[] = [];
  let at = skipSpace(text, from);
  /** What may come next. */
  let expects: 'value' | 'first' | 'key' | 'next' = 'value';
  let key = 0;

  const fail = (wanted: string): StrataError => {
    const line = text.slice(0, at).split('\n').length;
    const found = at >= text.length ? 'the end' : JSON.stringify(text[at]);
    return new StrataError('CORRUPT', `no valid JSON: line ${line} has ${found} where ${wanted} should be`);
  };
  const close = (end: number): void => {
    const node = open.pop()!;
    nodes.end[node] = end;
    nodes.after[node] = nodes.length;
  };
  /** Index of the item that comes next in the open array. */
  const counts: number[] = [];

  for (;;) {
    const container = open.at(-1);
    const inObject = container !== undefined && nodes.kind[container] === KIND.object;
    const code = text[at];
    if (container !== undefined && (code === '}' || code === ']')) {
      if ((code === '}') !== inObject || expects === 'value')
        throw fail(inObject ? 'a value or "}"' : 'a value');
      at += 1;
      close(at);
      counts.pop();
      expects = 'next';
    } else if (expects === 'next') {
      if (code !== ',') throw fail(`"," or "${inObject ? '}' : ']'}"`);
      at += 1;
      expects = inObject ? 'key' : 'first';
    } else if (expects === 'key') {
      const end = stringEnd(text, at);
      if (end < 0) throw fail('a key in double quotes');
      key = at;
      at = skipSpace(text, end);
      if (text[at] !== ':') throw fail('":"');
      at += 1;
      expects = 'value';
    } else {
      const label = container === undefined ? 0 : inObject ? key : -1 - counts[counts.length - 1]!++;
      const node = nodes.add(at, label);
      if (code === '{' || code === '[') {
        if (open.length >= nesting) throw new StrataError('LIMIT', `it nests deeper than ${nesting} levels`);
        nodes.kind[node] = code === '{' ? KIND.object : KIND.array;
        open.push(node);
        counts.push(0);
        at += 1;
        expects = code === '{' ? 'key' : 'first';
      } else {
        const end = code === '"' ? stringEnd(text, at) : match(SCALAR, text, at);
        if (end < 0) throw fail('a value');
        nodes.kind[node] = code === '"' ? KIND.string : KIND.other;
        at = end;
        nodes.end[node] = at;
        nodes.after[node] = nodes.length;
        expects = 'next';
      }
    }
    if (open.length === 0) return { table: nodes, end: skipSpace(text, at) };
    at = skipSpace(text, at);
  }
}

/** A string's value, from the span of its literal. */
export function stringValue(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  try {
    return normaliseText(JSON.parse(`"${raw.replace(/[\u0000-\u001f]/g, escapeControl)}"`) as string);
  } catch {
    return raw;
  }
}

/** A member's key or an item's index. */
export function labelOf(table: JsonTable, node: number): string {
  const key = table.key[node]!;
  if (key < 0) return String(-1 - key);
  return stringValue(table.text, key, stringEnd(table.text, key));
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 10 || code === 9 || code === 13) at += 1;
    else if (code === 0x2f || code === 0xfeff) {
      const end = match(SPACE, text, at);
      if (end < 0) return at;
      at = end;
    } else return at;
  }
}

/** After the closing quote of the literal at `from`; -1 where there is none. (A pattern would need a stack for it.) */
function stringEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== 0x22) return -1;
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return -1;
}

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const escapeControl = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The table as it grows. One that is given again is filled anew: nothing of the last text is left. */
export class JsonNodes implements JsonTable {
  text = '';
  length = 0;
  kind = new Uint8Array(0);
  start = new Int32Array(0);
  end = new Int32Array(0);
  key = new Int32Array(0);
  after = new Int32Array(0);

  /** Room for all there can be at once: arrays that grow leave their copies behind until the collector comes. */
  reset(text: string, from: number): void {
    this.text = text;
    this.length = 0;
    const most = Math.min(mostNodes(text, from), MOST_AT_ONCE);
    if (most > this.kind.length) this.#resize(most);
  }

  add(start: number, key: number): number {
    const node = this.length;
    if (node === this.kind.length) this.#resize(node * 2);
    this.start[node] = start;
    this.key[node] = key;
    this.length += 1;
    return node;
  }

  #resize(size: number): void {
    const kind = new Uint8Array(size);
    kind.set(this.kind);
    this.kind = kind;
    for (const name of ['start', 'end', 'key', 'after'] as const) {
      const grown = new Int32Array(size);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}

/** What is more grows: a file of nothing but commas is not worth its length. */
const MOST_AT_ONCE = 2 ** 20;

/** A value is the first, or stands behind a comma or an opening bracket (those inside strings are counted too). */
function mostNodes(text: string, from: number): number {
  let most = 1;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) most++;
  }
  return most;
}
