import { call } from '../api.js';

/** A document's text, fetched in pages as they come into sight, and kept. */
const PAGE = 40_000;

export class TextPages {
  readonly #document: string;
  readonly #onPage: () => void;
  readonly #pages = new Map<number, string | null>();
  readonly #stop = new AbortController();

  constructor(document: string, onPage: () => void) {
    this.#document = document;
    this.#onPage = onPage;
  }

  /** The text from `start` to `end`, or null while it is on its way. */
  slice(start: number, end: number): string | null {
    let text = '';
    for (let page = Math.floor(start / PAGE); page * PAGE < end; page++) {
      const known = this.#pages.get(page);
      if (known === undefined) this.#fetch(page);
      if (known === undefined || known === null) return null;
      text += known.slice(Math.max(0, start - page * PAGE), end - page * PAGE);
    }
    return text;
  }

  close(): void {
    this.#stop.abort();
  }

  #fetch(page: number): void {
    this.#pages.set(page, null);
    const input = { document: this.#document, from: page * PAGE, length: PAGE };
    call<{ text: string }>('text', input, { signal: this.#stop.signal }).then(
      ({ text }) => {
        this.#pages.set(page, text);
        this.#onPage();
      },
      () => {
        // Asked for again when it is next in sight.
        if (!this.#stop.signal.aborted) setTimeout(() => this.#pages.delete(page), 1000);
      },
    );
  }
}
