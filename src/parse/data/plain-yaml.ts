import type { Json, JsonObject } from '../../model/json.js';

/**
 * The YAML that front matter is written in, read in one pass: mappings, lists, plain and simply quoted scalars, folded
 * and literal text, by indentation. Anything else (anchors, tags, flow mappings, escapes, scalars over several lines)
 * makes it give up with null, and the YAML library reads the whole. Tests compare the two. The library alone takes
 * longer than all the rest of a page.
 */
export function plainYaml(source: string): JsonObject | null {
  if (source.includes('\t')) return null;
  // Every line ends with a newline then, and no search or look ahead leaves the text.
  const reader = new Reader(source.endsWith('\n') ? source : `${source}\n`);
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

// Patterns, not loops over characters: a library reads few pages before it is done, and patterns are fast from the start.
/** A plain key, and what stands after it in its line. */
const FIELD = /([A-Za-z_][\w./-]*):(?=[ \n]) *((?:[^\n]*[^\n ])?) *\n/y;
const ITEM = /-(?=[ \n])( *)((?:[^\n]*[^\n ])?) *\n/y;
const TEXT = /^[>|]-?$/;

class Reader {
  readonly #source: string;
  /** Where the text of the current line begins, and in which column; -1 after the last line. */
  #at = 0;
  #indent = -1;

  constructor(source: string) {
    this.#source = source;
    this.#settle(0);
  }

  get done(): boolean {
    return this.#indent < 0;
  }

  /** Keys at exactly `indent`. */
  mapping(indent: number): JsonObject {
    const fields: Record<string, Json> = {};
    let count = 0;
    while (this.#indent === indent) {
      FIELD.lastIndex = this.#at;
      const found = FIELD.exec(this.#source);
      if (found === null) break;
      fields[found[1]!] = this.#value(found[2]!, FIELD.lastIndex, indent);
      count++;
    }
    if (this.#indent > indent || (count === 0 && !this.done)) giveUp();
    // A key twice, or one that is no field of its own.
    if (Object.keys(fields).length !== count) giveUp();
    return fields;
  }

  /** `next`: the offset after the key's line. */
  #value(written: string, next: number, indent: number): Json {
    if (written.length < 3 && TEXT.test(written)) return this.#text(written, next, indent);
    this.#settle(next);
    if (written === '' || written.startsWith('#')) return this.#nested(indent);
    // A deeper line would go on with this scalar.
    if (this.#indent > indent) giveUp();
    return scalar(written);
  }

  #nested(indent: number): Json {
    const own = this.#indent;
    if (own >= indent && this.#isItem()) return this.#list(own);
    return own > indent ? this.mapping(own) : null;
  }

  #list(indent: number): Json[] {
    const items: Json[] = [];
    while (this.#indent === indent && this.#isItem()) {
      ITEM.lastIndex = this.#at;
      const [, gap, written] = ITEM.exec(this.#source)!;
      const next = ITEM.lastIndex;
      FIELD.lastIndex = this.#at + 1 + gap!.length;
      if (FIELD.test(this.#source)) {
        this.#at += 1 + gap!.length;
        this.#indent += 1 + gap!.length;
        items.push(this.mapping(this.#indent));
      } else {
        this.#settle(next);
        if (written === '' || written!.startsWith('- ') || this.#indent > indent) giveUp();
        items.push(scalar(written!));
      }
    }
    if (this.#indent > indent) giveUp();
    return items;
  }

  #isItem(): boolean {
    const after = this.#source.charCodeAt(this.#at + 1);
    return this.#source.charCodeAt(this.#at) === 45 && (after === 32 || after === 10);
  }

  /** The lines deeper than `indent` from `from` on, as folded (`>`) or literal (`|`) text. */
  #text(header: string, from: number, indent: number): string {
    const source = this.#source;
    const folded = header.startsWith('>');
    let text = '';
    let own = -1;
    let blanks = 0;
    let at = from;
    while (at < source.length) {
      const end = source.indexOf('\n', at);
      const depth = indentAt(source, at);
      // Blank lines before the text, and deeper lines, have rules of their own.
      if (own >= 0 && depth > own) giveUp();
      if (at + depth === end) blanks++;
      else if (depth <= indent) break;
      else {
        if (own < 0 ? blanks > 0 : depth < own) giveUp();
        if (own >= 0) text += folded && blanks === 0 ? ' ' : '\n'.repeat(folded ? blanks : blanks + 1);
        text += source.slice(at + depth, end);
        own = depth;
        blanks = 0;
      }
      at = end + 1;
    }
    this.#settle(at);
    return text === '' || header.endsWith('-') ? text : `${text}\n`;
  }

  /** From a line's beginning to the text of the first line that says something. */
  #settle(line: number): void {
    const source = this.#source;
    for (let at = line; at < source.length; at = source.indexOf('\n', at) + 1) {
      const indent = indentAt(source, at);
      const code = source.charCodeAt(at + indent);
      if (code === 10 || code === 35) continue;
      this.#at = at + indent;
      this.#indent = indent;
      return;
    }
    this.#indent = -1;
  }
}

function indentAt(source: string, line: number): number {
  let at = line;
  while (source.charCodeAt(at) === 32) at++;
  return at - line;
}

/** Most scalars: no colon, no number sign. */
const WORDS = /^[A-Za-z$(\u00a1-\ud7ff\ue000-\ufefe\uff00-\ufffd/][^:#\ufeff]*$/;
const PLAIN = /^[A-Za-z$(\u00a1-\ud7ff\ue000-\ufefe\uff00-\ufffd/](?:[^:#\ufeff]|:(?=\S)|(?<=\S)#)*$/;
const COUNT = /^(?:0|[1-9]\d{0,14})$/;
/** Every number of YAML's core schema; only the simplest are read here. */
const NUMBER = /^(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const CONSTANT = /^(?:null|Null|NULL|true|True|TRUE|false|False|FALSE)$/;

/** A scalar that YAML's core schema reads the same way. */
function scalar(source: string): Json {
  if (WORDS.test(source)) return isConstant(source) ? constant(source) : source;
  if (COUNT.test(source)) return Number(source);
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

const constant = (written: string): boolean | null => (/^n/i.test(written) ? null : /^t/i.test(written));

/** Without ` # …` after a plain scalar or a closing quote. */
function withoutComment(source: string): string {
  const match = /^(?:"[^"\\]*"|'[^']*'|\[[^\]]*\]|[^"'[].*?)(?<! )(?= +#)/.exec(source);
  return match === null ? giveUp() : match[0];
}

function flowList(inside: string): Json[] {
  if (inside === '') return [];
  if (/["']/.test(inside) && !/^(?:"[^"\\]*"|'[^']*')(?: *, *(?:"[^"\\]*"|'[^']*'))*$/.test(inside)) giveUp();
  const items = /["']/.test(inside) ? inside.match(/"[^"]*"|'[^']*'/g)! : inside.split(',');
  return items.map((item) => (item.trim() === '' ? giveUp() : scalar(item.trim())));
}
