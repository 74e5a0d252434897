/**
 * A text on its way into a tree that knows where in the source each part of it stands: a line of the file, or whatever
 * else the format counts. White space may be folded and marks put before lines; what is left keeps its number.
 */
export class TracedText {
  text = '';
  /** Pairs, ascending: from this offset on, the text stands at that number in the source. */
  readonly marks: number[] = [];

  static of(text: string | TracedText): TracedText {
    return text instanceof TracedText ? text : new TracedText().add(text);
  }

  get isBlank(): boolean {
    return this.text.trim() === '';
  }

  /** `number`: where it stands in the source; undefined for what is written there by us. */
  add(text: string, number?: number): this {
    if (number !== undefined && text !== '') this.#mark(this.text.length, number);
    this.text += text;
    return this;
  }

  /** Text whose own line breaks are those of the file, which it enters at `line`. */
  addLines(text: string, line: number | undefined): this {
    if (line === undefined || !text.includes('\n')) return this.add(text, line);
    for (const [at, piece] of text.split('\n').entries()) {
      if (at > 0) this.text += '\n';
      this.add(piece, line + at);
    }
    return this;
  }

  append(other: string | TracedText): this {
    if (typeof other === 'string') return this.add(other);
    const { marks } = other;
    // What we wrote before the first of them (a list's mark, a heading's) belongs to it.
    for (let at = 0; at < marks.length; at += 2)
      this.#mark(this.marks.length === 0 ? 0 : this.text.length + marks[at]!, marks[at + 1]!);
    this.text += other.text;
    return this;
  }

  /** `pattern` must be global. What stood inside a match stands after its replacement. */
  replace(pattern: RegExp, replacement: string | ((match: string) => string)): TracedText {
    const { marks } = this;
    if (marks.length === 0) return new TracedText().add(this.text.replace(pattern, replacement as string));
    const result = new TracedText();
    let from = 0;
    let next = 0;
    const keepUntil = (to: number): void => {
      for (; next < marks.length && marks[next]! <= to; next += 2)
        result.#mark(result.text.length + marks[next]! - from, marks[next + 1]!);
      result.text += this.text.slice(from, to);
    };
    for (const match of this.text.matchAll(pattern)) {
      const [whole] = match;
      const instead = typeof replacement === 'string' ? replacement : replacement(whole);
      // Most white space is a single space already.
      if (whole.length === 1 && whole === instead) continue;
      keepUntil(match.index);
      from = match.index + whole.length;
      result.text += instead;
      for (; next < marks.length && marks[next]! < from; next += 2)
        result.#mark(result.text.length, marks[next + 1]!);
    }
    keepUntil(this.text.length);
    return result;
  }

  slice(start: number, end: number): TracedText {
    if (start === 0 && end >= this.text.length) return this;
    const { marks } = this;
    const result = new TracedText();
    for (let at = 0; at < marks.length && marks[at]! < end; at += 2)
      result.#mark(Math.max(0, marks[at]! - start), marks[at + 1]!);
    result.text = this.text.slice(start, end);
    return result;
  }

  trim(): TracedText {
    return this.slice(this.text.length - this.text.trimStart().length, this.text.trimEnd().length);
  }

  trimEnd(): TracedText {
    return this.slice(0, this.text.trimEnd().length);
  }

  #mark(at: number, number: number): void {
    const { marks } = this;
    if (marks.at(-2) === at) marks[marks.length - 1] = number;
    else if (marks.at(-1) !== number) marks.push(at, number);
  }
}

/** The pieces with `glue` between them. */
export function joinTraced(pieces: readonly (string | TracedText)[], glue: string): TracedText {
  const joined = new TracedText();
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) joined.add(glue);
    joined.append(piece);
  }
  return joined;
}
