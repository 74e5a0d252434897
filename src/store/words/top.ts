import type { UnitTable } from './unit-table.js';

/** The best k of what is offered: a heap with the worst on top. Equal scores are ordered by id. */
export class Top {
  readonly #k: number;
  readonly #table: UnitTable;
  readonly #slots: number[] = [];
  readonly #scores: number[] = [];

  constructor(k: number, table: UnitTable) {
    this.#k = k;
    this.#table = table;
  }

  /** What a newcomer must reach; -Infinity while there is room. */
  get threshold(): number {
    return this.#slots.length < this.#k ? Number.NEGATIVE_INFINITY : this.#scores[0]!;
  }

  offer(slot: number, score: number): void {
    const { length } = this.#slots;
    if (length < this.#k) {
      this.#slots.push(slot);
      this.#scores.push(score);
      this.#rise(length);
    } else if (length > 0 && this.#compare(slot, score, this.#slots[0]!, this.#scores[0]!) < 0) {
      this.#slots[0] = slot;
      this.#scores[0] = score;
      this.#sink();
    }
  }

  /** Best first. */
  ranked(): { slot: number; score: number }[] {
    return this.#slots
      .map((slot, i) => ({ slot, score: this.#scores[i]! }))
      .sort((a, b) => this.#compare(a.slot, a.score, b.slot, b.score));
  }

  /** Negative when a is better than b. */
  #compare(slotA: number, a: number, slotB: number, b: number): number {
    return a === b ? this.#table.compareIds(slotA, slotB) : b - a;
  }

  #isWorse(i: number, j: number): boolean {
    return this.#compare(this.#slots[i]!, this.#scores[i]!, this.#slots[j]!, this.#scores[j]!) > 0;
  }

  #swap(i: number, j: number): void {
    [this.#slots[i], this.#slots[j]] = [this.#slots[j]!, this.#slots[i]!];
    [this.#scores[i], this.#scores[j]] = [this.#scores[j]!, this.#scores[i]!];
  }

  #rise(from: number): void {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.#isWorse(i, parent)) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #sink(): void {
    const { length } = this.#slots;
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      const right = left + 1;
      let worst = i;
      if (left < length && this.#isWorse(left, worst)) worst = left;
      if (right < length && this.#isWorse(right, worst)) worst = right;
      if (worst === i) return;
      this.#swap(i, worst);
      i = worst;
    }
  }
}
