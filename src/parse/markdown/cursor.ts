/** A place in one line of Markdown, by offset and by column: tabs stop at every fourth column and may be taken in part. */
export class LineCursor {
  readonly #text: string;
  start = 0;
  end = 0;
  at = 0;
  column = 0;
  /** After `look`: the next character that is neither space nor tab, and how many columns away it is. */
  next = 0;
  indent = 0;

  constructor(text: string) {
    this.#text = text;
  }

  reset(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.at = start;
    this.column = 0;
  }

  look(): void {
    let at = this.at;
    let column = this.column;
    for (; at < this.end; at++) {
      const code = this.#text.charCodeAt(at);
      if (code !== 32 && code !== 9) break;
      // To the next multiple of 4 or of 1.
      const stop = code === 9 ? 4 : 1;
      column = (column & -stop) + stop;
    }
    this.next = at;
    this.indent = column - this.column;
  }

  /** Moves to `at`, past marks that follow the white space `look` found. */
  pass(at: number): void {
    this.column += this.indent + (at - this.next);
    this.at = at;
  }

  /** Moves over at most `columns` columns of white space. */
  skip(columns: number): void {
    let left = columns;
    while (left > 0 && this.at < this.end) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 32 && code !== 9) return;
      const width = code === 9 ? 4 - (this.column % 4) : 1;
      if (width > left) {
        this.column += left;
        return;
      }
      this.at++;
      this.column += width;
      left -= width;
    }
  }
}
