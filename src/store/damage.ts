import type { StrataError } from '../model/errors.js';
import type { Finding } from './backend.js';

/** So many damaged records are counted; the doctor finds them all. */
const MOST_NOTED = 100;

/** What was left out of lists since the library last changed: a search tells it, and a repair is a change. */
export class DamageNotes {
  readonly #messages = new Set<string>();
  #generation = -1;

  /** The library is of this generation as far as the reader knows. */
  note({ message }: StrataError, generation: number): void {
    if (this.#generation !== generation) this.#messages.clear();
    this.#generation = generation;
    // What to do about it is said once, by whoever tells it.
    if (this.#messages.size < MOST_NOTED) this.#messages.add(message.replace(/; run `strata [^`]*`\.?$/, ''));
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0;
  }

  /** Nothing of what was noted in an earlier generation. */
  at(generation: number): readonly Finding[] {
    if (this.#generation !== generation) return [];
    return [...this.#messages].map((message) => ({ area: 'record', message, fixed: false }));
  }
}
