import { StrataError } from '../../model/errors.js';
import { LineIndex } from '../../text/line-index.js';
import { normaliseText } from '../decode.js';

/**
 * One value of JSON and where it stands. Unlike what `JSON.parse` gives, numbers stay as they are written, keys keep their
 * order and may repeat.
 */
export interface JsonNode {
  /** A member's key or an item's index; '' for the outermost value. */
  readonly label: string | number;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly items: readonly JsonNode[];
  /** A long string, or a container that is large or holds one: it is a section of its own. */
  readonly wide: boolean;
}

/** What is longer than a chunk, or holds a string that fills one by itself. */
const LARGE = 1_200;
const LONG = 400;

/** A JSON value with its source. */
export class JsonSource {
  readonly root: JsonNode;
  readonly #text: string;
  readonly #lines: LineIndex;
  readonly #firstLine: number;

  /** Takes the comments and trailing commas that configuration files have. Throws CORRUPT, or LIMIT past `nesting`. */
  constructor(text: string, nesting: number, firstLine = 1) {
    this.#text = text;
    this.#firstLine = firstLine;
    this.root = new Reader(text, nesting).document();
    this.#lines = new LineIndex(text);
  }

  /** The line of the file on which a value begins, from 1. */
  line(node: JsonNode): number {
    return this.#lines.line(node.start) + this.#firstLine - 1;
  }

  kind({ start }: JsonNode): 'object' | 'array' | 'string' | 'other' {
    const first = this.#text[start];
    return first === '{' ? 'object' : first === '[' ? 'array' : first === '"' ? 'string' : 'other';
  }

  /** A scalar as it is meant, and a container as if it were empty. */
  value(node: JsonNode): string {
    const kind = this.kind(node);
    if (kind === 'object' || kind === 'array') return kind === 'object' ? '{}' : '[]';
    return kind === 'string'
      ? stringAt(this.#text, node.start, node.end)
      : this.#text.slice(node.start, node.end);
  }

  /** The last member of that name, as `JSON.parse` takes it. */
  member(node: JsonNode | undefined, name: string): JsonNode | undefined {
    return node !== undefined && this.kind(node) === 'object'
      ? node.items.findLast(({ label }) => label === name)
      : undefined;
  }
}

type Open = { -readonly [K in keyof JsonNode]: JsonNode[K] } & { items: JsonNode[] };
const NONE: readonly JsonNode[] = [];

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|NaN|-?Infinity)(?![\w.])/y;

/** Without recursion: how deep a file nests is its author's choice. */
class Reader {
  readonly #text: string;
  readonly #nesting: number;
  readonly #open: Open[] = [];
  /** One string per key, not one for each time it is met. */
  readonly #keys = new Map<string, string>();
  #at = 0;

  constructor(text: string, nesting: number) {
    this.#text = text;
    this.#nesting = nesting;
  }

  document(): JsonNode {
    this.#space();
    const root = this.#value('');
    while (this.#open.length > 0) this.#next();
    if (this.#at < this.#text.length)
      throw new StrataError('CORRUPT', 'no valid JSON: there is more after its end');
    return root;
  }

  /** The next member, item or end of the innermost container. */
  #next(): void {
    const container = this.#open.at(-1)!;
    const inObject = this.#text[container.start] === '{';
    const closing = inObject ? '}' : ']';
    if (container.items.length > 0 && this.#text[this.#at] !== closing) {
      if (this.#text[this.#at] !== ',') throw this.#unexpected(`"," or "${closing}"`);
      this.#at += 1;
      this.#space();
    }
    if (this.#text[this.#at] === closing) this.#close();
    else container.items.push(this.#value(inObject ? this.#key() : container.items.length));
  }

  #close(): void {
    const container = this.#open.pop()!;
    this.#at += 1;
    container.end = this.#at;
    container.wide = container.end - container.start > LARGE || container.items.some(({ wide }) => wide);
    this.#space();
  }

  #key(): string {
    const start = this.#at;
    if (!this.#string()) throw this.#unexpected('a key in double quotes');
    const key = stringAt(this.#text, start, this.#at);
    this.#space();
    if (this.#text[this.#at] !== ':') throw this.#unexpected('":"');
    this.#at += 1;
    this.#space();
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    // A copy: a slice would keep the whole text alive.
    const own = Buffer.from(key).toString();
    this.#keys.set(own, own);
    return own;
  }

  #value(label: string | number): JsonNode {
    const start = this.#at;
    const first = this.#text[start];
    if (first === '{' || first === '[') {
      if (this.#open.length >= this.#nesting)
        throw new StrataError('LIMIT', `it nests deeper than ${this.#nesting} levels`);
      const container: Open = { label, start, end: start, items: [], wide: false };
      this.#open.push(container);
      this.#at += 1;
      this.#space();
      return container;
    }
    if (!(first === '"' ? this.#string() : this.#scalar()))
      throw this.#unexpected(
        this.#text[this.#open.at(-1)?.start ?? -1] === '{' ? 'a value or "}"' : 'a value',
      );
    const end = this.#at;
    this.#space();
    return { label, start, end, items: NONE, wide: first === '"' && end - start > LONG };
  }

  /** A literal with its quotes; false where there is none, or it has no end. */
  #string(): boolean {
    const text = this.#text;
    if (text[this.#at] !== '"') return false;
    let end = this.#at;
    do end = text.indexOf('"', end + 1);
    while (end >= 0 && this.#isEscaped(end));
    if (end < 0) return false;
    this.#at = end + 1;
    return true;
  }

  #isEscaped(quote: number): boolean {
    let from = quote;
    while (this.#text[from - 1] === '\\') from -= 1;
    return (quote - from) % 2 === 1;
  }

  #scalar(): boolean {
    SCALAR.lastIndex = this.#at;
    if (!SCALAR.test(this.#text)) return false;
    this.#at = SCALAR.lastIndex;
    return true;
  }

  /** White space and comments. */
  #space(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === 32 || code === 10 || code === 9 || code === 13 || code === 0xfeff) this.#at += 1;
      else if (code !== 47 || !this.#comment()) return;
    }
  }

  #comment(): boolean {
    const text = this.#text;
    const kind = text[this.#at + 1];
    if (kind !== '/' && kind !== '*') return false;
    const end = kind === '/' ? text.indexOf('\n', this.#at) : text.indexOf('*/', this.#at + 2);
    if (end < 0 && kind === '*') return false;
    this.#at = end < 0 ? text.length : kind === '/' ? end : end + 2;
    return true;
  }

  #unexpected(wanted: string): StrataError {
    const text = this.#text;
    const line = new LineIndex(text).line(this.#at);
    const found = this.#at >= text.length ? 'the end' : JSON.stringify(text[this.#at]);
    return new StrataError('CORRUPT', `no valid JSON: line ${line} has ${found} where ${wanted} should be`);
  }
}

function stringAt(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  try {
    return normaliseText(JSON.parse(`"${raw.replace(/[\u0000-\u001f]/g, escapeControl)}"`) as string);
  } catch {
    return raw;
  }
}

const escapeControl = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
