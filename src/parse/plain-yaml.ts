import type { Json, JsonObject } from '../model/json.js';

/**
 * The YAML that front matter is written in, read in one pass: mappings, lists, plain and simply quoted scalars, folded
 * and literal text, by indentation. Anything else (anchors, tags, flow mappings, escapes, scalars over several lines)
 * makes it give up with null, and the YAML library reads the whole. Tests compare the two. The library alone takes
 * longer than all the rest of a page.
 */
export function plainYaml(source: string): JsonObject | null {
  if (source.includes('\t')) return null;
  const reader = new Reader(source.split('\n'));
  try {
    const value = reader.mapping(0);
    return reader.done ? value : null;
  } catch (error) {
    if (error === NOT_PLAIN) return null;
    throw error;
  }
}

const NOT_PLAIN = Symbol('not plain');

function giveUp(): never {
  throw NOT_PLAIN;
}

const LETTER = 1;
const KEY_INNER = 2;
const WORD_INNER = 4;
/** What ASCII characters may be: a letter, inside a key, inside a scalar that no rule of YAML looks at. */
const KINDS = new Uint8Array(128);
for (let code = 32; code < 127; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) KINDS[code]! |= LETTER;
  if (/[\w./-]/.test(character)) KINDS[code]! |= KEY_INNER;
  if (/[\w ./(),'-]/.test(character)) KINDS[code]! |= WORD_INNER;
}
const isKind = (code: number, kind: number): boolean => code < 128 && (KINDS[code]! & kind) !== 0;

/** The colon after a plain key at the line's beginning, or -1. By hand, since every line asks. */
function keyColon(line: string): number {
  const first = line.charCodeAt(0);
  if (!isKind(first, LETTER) && first !== 95) return -1;
  let at = 1;
  while (at < line.length && isKind(line.charCodeAt(at), KEY_INNER)) at++;
  const ends = at + 1 === line.length || line.charCodeAt(at + 1) === 32;
  return line.charCodeAt(at) === 58 && ends ? at : -1;
}

const BLANK = /^ *(?:#.*)?$/;

class Reader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#skip();
  }

  get done(): boolean {
    return this.#at >= this.#lines.length;
  }

  /** Keys at exactly `indent`, or at `indent` in lines that `- ` has opened. */
  mapping(indent: number, opened?: string): JsonObject {
    const fields: Record<string, Json> = {};
    for (let line = opened ?? this.#line(indent); line !== null; line = this.#line(indent)) {
      const colon = keyColon(line);
      if (colon < 0) {
        if (Object.keys(fields).length === 0) giveUp();
        break;
      }
      const key = line.slice(0, colon);
      if (fields[key] !== undefined && Object.hasOwn(fields, key)) giveUp();
      this.#next();
      fields[key] = this.#value(line.slice(colon + 1).trim(), indent);
    }
    return fields;
  }

  #value(written: string, indent: number): Json {
    if (written === '' || written.startsWith('#')) return this.#nested(indent);
    if (written === '>' || written === '|') return this.#text(indent, written === '>', false);
    if (written === '>-' || written === '|-') return this.#text(indent, written === '>-', true);
    // A deeper line would go on with this scalar.
    if (this.#indentHere() > indent) giveUp();
    return scalar(written);
  }

  #nested(indent: number): Json {
    const own = this.#indentHere();
    const list = own >= indent && own >= 0 && isItem(this.#lines[this.#at]!, own);
    if (list) return this.#list(own);
    return own > indent ? this.mapping(own) : null;
  }

  #list(indent: number): Json[] {
    const items: Json[] = [];
    for (let line = this.#line(indent); line !== null && isItem(line, 0); line = this.#line(indent)) {
      let gap = 1;
      while (line.charCodeAt(gap) === 32) gap++;
      const written = line.slice(gap).trimEnd();
      if (keyColon(written) >= 0) items.push(this.mapping(indent + gap, written));
      else {
        this.#next();
        if (written === '' || written.startsWith('- ') || this.#indentHere() > indent) giveUp();
        items.push(scalar(written));
      }
    }
    return items;
  }

  /** Lines deeper than `indent`, as folded (`>`) or literal (`|`) text. */
  #text(indent: number, folded: boolean, stripped: boolean): string {
    if (BLANK.test(this.#lines[this.#at - 1]!)) giveUp();
    const own = this.#indentHere();
    const lines: string[] = [];
    for (; !this.done; this.#at++) {
      const line = this.#lines[this.#at]!;
      const depth = indentOf(line);
      if (depth >= 0 && depth <= indent) break;
      // Blank lines and deeper lines have rules of their own.
      if (depth !== own || line.endsWith(' ')) {
        if (depth < 0 && this.#lines.slice(this.#at).every((rest) => BLANK.test(rest))) break;
        giveUp();
      }
      lines.push(line.slice(own));
    }
    this.#skip();
    return lines.length === 0 ? '' : lines.join(folded ? ' ' : '\n') + (stripped ? '' : '\n');
  }

  /** The current line without its indentation, where that is `indent`; null where the block has ended. */
  #line(indent: number): string | null {
    if (this.done) return null;
    const own = this.#indentHere();
    if (own > indent) giveUp();
    return own < indent ? null : this.#lines[this.#at]!.slice(indent);
  }

  #indentHere(): number {
    return this.done ? -1 : indentOf(this.#lines[this.#at]!);
  }

  #next(): void {
    this.#at++;
    this.#skip();
  }

  #skip(): void {
    while (!this.done) {
      const line = this.#lines[this.#at]!;
      const indent = indentOf(line);
      if (indent >= 0 && line.charCodeAt(indent) !== 35) return;
      this.#at++;
    }
  }
}

const isItem = (line: string, at: number): boolean =>
  line.charCodeAt(at) === 45 && (at + 1 === line.length || line.charCodeAt(at + 1) === 32);

/** -1 for a blank line. */
function indentOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32) at++;
  return at === line.length ? -1 : at;
}

const PLAIN = /^[A-Za-z\u00a1-\ud7ff\ue000-\ufefe\uff00-\ufffd/](?:[^:#\ufeff]|:(?=\S)|(?<=\S)#)*$/;
/** Every number of YAML's core schema; only the simplest are read here. */
const NUMBER = /^(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const CONSTANT = /^(?:null|Null|NULL|true|True|TRUE|false|False|FALSE)$/;

/** A scalar that YAML's core schema reads the same way. */
function scalar(source: string): Json {
  if (isWords(source)) return isConstant(source) ? constant(source) : source;
  if (isCount(source)) return Number(source);
  const written = source.includes(' #') ? withoutComment(source) : source;
  if (PLAIN.test(written)) {
    return isConstant(written) ? constant(written) : written;
  }
  if (/^\d/.test(written) && !NUMBER.test(written) && PLAIN.test(`a${written}`)) return written;
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/.test(written) && written !== '-0') return Number(written);
  const quoted = /^"([^"\\]*)"$/.exec(written) ?? /^'([^']*)'$/.exec(written);
  if (quoted !== null) return quoted[1]!;
  if (/^\[[^[\]{}]*\]$/.test(written)) return flowList(written.slice(1, -1).trim());
  return giveUp();
}

const isConstant = (written: string): boolean =>
  (written.length === 4 || written.length === 5) && CONSTANT.test(written);

/** A whole number without a sign: weights and dates' years, told without a pattern. */
function isCount(source: string): boolean {
  const { length } = source;
  const first = source.charCodeAt(0);
  if (length > 15 || first < 48 || first > 57 || (first === 48 && length > 1)) return false;
  for (let at = 1; at < length; at++) {
    const code = source.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

const constant = (written: string): boolean | null => (/^n/i.test(written) ? null : /^t/i.test(written));

/** Words of letters and digits with the plainest punctuation, the first a letter: most titles and names. */
function isWords(source: string): boolean {
  if (!isKind(source.charCodeAt(0), LETTER)) return false;
  for (let at = 1; at < source.length; at++) if (!isKind(source.charCodeAt(at), WORD_INNER)) return false;
  return true;
}

/** Without ` # …` after a plain scalar or a closing quote. */
function withoutComment(source: string): string {
  const match = /^(?:"[^"\\]*"|'[^']*'|\[[^\]]*\]|[^"'[].*?)(?= +#)/.exec(source);
  return match === null ? giveUp() : match[0];
}

function flowList(inside: string): Json[] {
  if (inside === '') return [];
  if (/["']/.test(inside) && !/^(?:"[^"\\]*"|'[^']*')(?: *, *(?:"[^"\\]*"|'[^']*'))*$/.test(inside)) giveUp();
  const items = /["']/.test(inside) ? inside.match(/"[^"]*"|'[^']*'/g)! : inside.split(',');
  return items.map((item) => (item.trim() === '' ? giveUp() : scalar(item.trim())));
}
