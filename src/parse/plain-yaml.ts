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

const KEY = /^([A-Za-z_][\w./-]*):(?: +(.*))?$/;
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
      const pair = KEY.exec(line);
      if (pair === null) {
        if (Object.keys(fields).length === 0) giveUp();
        break;
      }
      const [, key, written] = pair as unknown as [string, string, string | undefined];
      if (Object.hasOwn(fields, key)) giveUp();
      this.#next();
      fields[key] = this.#value(written?.trimEnd() ?? '', indent);
    }
    return fields;
  }

  #value(written: string, indent: number): Json {
    if (written === '' || written.startsWith('#')) return this.#nested(indent);
    const block = /^([>|])(-?)$/.exec(written);
    if (block !== null) return this.#text(indent, block[1] === '>', block[2] === '-');
    // A deeper line would go on with this scalar.
    if (this.#indentHere() > indent) giveUp();
    return scalar(written);
  }

  #nested(indent: number): Json {
    const own = this.#indentHere();
    const list = own >= indent && /^ *-(?: |$)/.test(this.#lines[this.#at] ?? '');
    if (list) return this.#list(own);
    return own > indent ? this.mapping(own) : null;
  }

  #list(indent: number): Json[] {
    const items: Json[] = [];
    for (let line = this.#line(indent); line !== null && /^-(?: |$)/.test(line); line = this.#line(indent)) {
      const gap = /^- */.exec(line)![0].length;
      const written = line.slice(gap).trimEnd();
      if (KEY.test(written)) items.push(this.mapping(indent + gap, written));
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
  const written = source.includes(' #') ? withoutComment(source) : source;
  if (PLAIN.test(written)) {
    if (!CONSTANT.test(written)) return written;
    return /^n/i.test(written) ? null : /^t/i.test(written);
  }
  if (/^\d/.test(written) && !NUMBER.test(written) && PLAIN.test(`a${written}`)) return written;
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/.test(written) && written !== '-0') return Number(written);
  const quoted = /^"([^"\\]*)"$/.exec(written) ?? /^'([^']*)'$/.exec(written);
  if (quoted !== null) return quoted[1]!;
  if (/^\[[^[\]{}]*\]$/.test(written)) return flowList(written.slice(1, -1).trim());
  return giveUp();
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
