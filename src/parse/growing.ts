/**
 * In characters. Joined while they are few, the pieces of a text are short-lived: kept to the end, each would be an object
 * of its own, several times as large as its characters. A joined piece is large enough for V8 not to move it about.
 */
const PIECE = 128 * 1024;

/** A text that is put together from many small strings. */
export class GrowingText {
  length = 0;
  #last = '';
  #lastButOne = '';
  readonly #pieces: string[] = [];
  #pending: string[] = [];
  #pendingLength = 0;

  push(text: string): void {
    if (text === '') return;
    this.#pending.push(text);
    this.length += text.length;
    this.#pendingLength += text.length;
    this.#lastButOne = this.#last;
    this.#last = text;
    if (this.#pendingLength >= PIECE) this.#join();
  }

  /** How many newlines it ends with, at most two. Asked for seldom: to look into a joined string is to copy it. */
  get newlines(): number {
    const end = this.#lastButOne.slice(-1) + this.#last.slice(-2);
    return end.endsWith('\n\n') ? 2 : end.endsWith('\n') ? 1 : 0;
  }

  /** The whole; what it was made of is gone with it. */
  take(): string {
    this.#join();
    return this.#pieces.splice(0).join('');
  }

  #join(): void {
    this.#pieces.push(this.#pending.join(''));
    this.#pending = [];
    this.#pendingLength = 0;
  }
}
