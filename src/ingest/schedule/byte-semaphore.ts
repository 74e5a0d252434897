/** Limits how many documents, and how many bytes of them, are let in at a time; the first is let in whatever its size. */
export class ByteSemaphore {
  readonly #most: () => number;
  readonly #mostBytes: number;
  readonly #waiting: (() => void)[] = [];
  #count = 0;
  #bytes = 0;

  constructor(most: () => number, mostBytes = Number.POSITIVE_INFINITY) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  async enter(bytes = 0): Promise<void> {
    while (this.#count > 0 && (this.#count >= this.#most() || this.#bytes + bytes > this.#mostBytes)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#count++;
    this.#bytes += bytes;
  }

  leave(bytes = 0): void {
    this.#count--;
    this.#bytes -= bytes;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
