import { StrataError } from '../../model/errors.js';
import { parsePointer } from '../../model/json/pointer.js';

/**
 * JSON paths (RFC 9535) without filter expressions: names, `*`, indexes, slices, lists of them, and `..`. A path is run
 * as an automaton beside one walk of the document, so it costs one look per node and segment whatever it says, finds
 * no node twice, and evaluates nothing. The libraries that know filters evaluate expressions or take exponential time
 * for paths like `$..*..*`.
 */
export interface Segment {
  /** `..`: at any depth below. */
  readonly descends: boolean;
  readonly selectors: readonly Selector[];
}

type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step: number }
  /** Of a pointer: a name in an object, an index in an array. */
  | { readonly kind: 'token'; readonly token: string };

const LONGEST = 1_000;

export function parsePath(path: string): readonly Segment[] {
  if (path.length > LONGEST) throw invalid(path, `it has more than ${LONGEST} characters`);
  return new PathReader(path).segments();
}

/** A pointer as segments of a path: each token names one child. */
export const pointerSegments = (pointer: string): readonly Segment[] =>
  parsePointer(pointer).map((token) => ({ descends: false, selectors: [{ kind: 'token', token }] }));

/** Where in a path a node stands: the segments that may come next; `length` of them means that it is selected. */
export type Positions = readonly number[];

export const atRoot: Positions = [0];

/** The positions of a node's child. `key` is an index in an array, whose length negative indexes count from. */
export function step(
  segments: readonly Segment[],
  positions: Positions,
  key: string | number,
  length: number,
): Positions {
  const next = new Set<number>();
  for (const at of positions) {
    // What stands below a selected node is in scope with it.
    if (at === segments.length) next.add(at);
    else {
      const { descends, selectors } = segments[at]!;
      if (descends) next.add(at);
      if (selectors.some((selector) => selects(selector, key, length))) next.add(at + 1);
    }
  }
  return [...next];
}

export const isSelected = (segments: readonly Segment[], positions: Positions): boolean =>
  positions.includes(segments.length);

function selects(selector: Selector, key: string | number, length: number): boolean {
  switch (selector.kind) {
    case 'all':
      return true;
    case 'name':
      return key === selector.name;
    case 'token':
      return String(key) === selector.token;
    case 'index':
      return typeof key === 'number' && key === (selector.index < 0 ? length : 0) + selector.index;
    case 'slice':
      return typeof key === 'number' && isInSlice(selector, key, length);
  }
}

/** RFC 9535, 2.3.4.2.2 */
function isInSlice(
  { start, end, step }: { start?: number; end?: number; step: number },
  key: number,
  length: number,
): boolean {
  if (step === 0) return false;
  const from = (value: number): number => (value < 0 ? length + value : value);
  if (step > 0) {
    const lower = Math.min(Math.max(from(start ?? 0), 0), length);
    const upper = Math.min(Math.max(from(end ?? length), 0), length);
    return key >= lower && key < upper && (key - lower) % step === 0;
  }
  const upper = Math.min(Math.max(from(start ?? length - 1), -1), length - 1);
  const lower = end === undefined ? -1 : Math.min(Math.max(from(end), -1), length - 1);
  return key <= upper && key > lower && (upper - key) % -step === 0;
}

class PathReader {
  readonly #path: string;
  #at = 0;

  constructor(path: string) {
    this.#path = path;
  }

  segments(): readonly Segment[] {
    if (!this.#take('$')) throw this.#problem('it must start with "$"');
    const found: Segment[] = [];
    for (this.#blanks(); this.#at < this.#path.length; this.#blanks()) found.push(this.#segment());
    return found;
  }

  #segment(): Segment {
    const descends = this.#take('..');
    if (this.#take('[')) return { descends, selectors: this.#bracketed() };
    if (!descends && !this.#take('.')) throw this.#problem('expected "." or "["');
    if (this.#take('*')) return { descends, selectors: [{ kind: 'all' }] };
    const name = this.#match(/[\p{L}_\u0080-\u{10ffff}][\p{L}\p{N}_\u0080-\u{10ffff}]*/uy);
    if (name === null) throw this.#problem('expected a name, "*" or "["');
    return { descends, selectors: [{ kind: 'name', name }] };
  }

  #bracketed(): readonly Selector[] {
    const selectors: Selector[] = [];
    for (;;) {
      this.#blanks();
      selectors.push(this.#selector());
      this.#blanks();
      if (this.#take(']')) return selectors;
      if (!this.#take(',')) throw this.#problem('expected "," or "]"');
    }
  }

  #selector(): Selector {
    if (this.#take('*')) return { kind: 'all' };
    const quote = this.#path[this.#at];
    if (quote === '"' || quote === "'") return { kind: 'name', name: this.#quoted(quote) };
    if (quote === '?')
      throw this.#problem('filters ("?") are not supported; select by names, indexes, "*" and ".."');
    const start = this.#integer();
    this.#blanks();
    if (!this.#take(':')) {
      if (start === undefined) throw this.#problem('expected a quoted name, an index, a slice or "*"');
      return { kind: 'index', index: start };
    }
    this.#blanks();
    const end = this.#integer();
    this.#blanks();
    const step = this.#take(':') ? (this.#blanks(), this.#integer() ?? 1) : 1;
    return { kind: 'slice', step, ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  }

  /** The escapes of JSON, and `\'`. */
  #quoted(quote: string): string {
    const start = ++this.#at;
    for (; this.#path[this.#at] !== quote; this.#at++) {
      if (this.#at >= this.#path.length) throw this.#problem('a quote is not closed');
      if (this.#path[this.#at] === '\\') this.#at++;
    }
    const body = this.#path.slice(start, this.#at++);
    const json = quote === '"' ? body : body.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"');
    try {
      return JSON.parse(`"${json}"`) as string;
    } catch {
      throw this.#problem(`${quote}${body}${quote} has an escape that is none`);
    }
  }

  #integer(): number | undefined {
    const digits = this.#match(/-?(?:0|[1-9]\d*)/y);
    if (digits === null) return undefined;
    const value = Number(digits);
    if (digits === '-0' || !Number.isSafeInteger(value)) throw this.#problem(`${digits} is no index`);
    return value;
  }

  #blanks(): void {
    this.#match(/[ \t\n\r]*/y);
  }

  #take(text: string): boolean {
    if (!this.#path.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#path)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #problem(problem: string): StrataError {
    return invalid(this.#path, `at ${this.#at}: ${problem}`);
  }
}

const invalid = (path: string, problem: string): StrataError =>
  new StrataError('INVALID_ARGUMENT', `"${path.slice(0, 200)}" is no JSON path (RFC 9535): ${problem}`);
