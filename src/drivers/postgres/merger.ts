import { bytesOf, planMerge } from '../../store/words/merge-plan.js';
import { mergeSegments, type SegmentRow } from '../../store/words/words-change.js';
import type { Pool } from './pool.js';
import { wordsStore, writeWords } from './word-rows.js';

/** A merge holds its sources in memory; segments that are larger together stay apart. */
const MOST_BYTES = 192 * 2 ** 20;

/**
 * Keeps segments few. Small merges are part of a commit (see words-change.ts). A larger one is a transaction of its own
 * behind it: some seconds for the largest, in which other writers wait and readers do not. A killed merge leaves nothing.
 */
export class Merger {
  readonly #pool: Pool;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** After a commit: nobody waits for it, and what it meets is met again, and told, by searches and `check`. */
  start(): void {
    void this.run(false).catch(() => {});
  }

  /** Everything that is due; `thorough`, small neighbours too. */
  async run(thorough: boolean): Promise<void> {
    while (this.#running !== null) await this.#running.catch(() => {});
    this.#running = this.#merge(thorough).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running?.catch(() => {});
  }

  async #merge(thorough: boolean): Promise<void> {
    while (!this.#isStopped) {
      const segments = await this.#pool.read((sql) => wordsStore(this.#pool, sql).segments());
      const sources = planMerge(segments, thorough) as readonly SegmentRow[] | null;
      if (sources === null || bytesOf(sources) > MOST_BYTES) return;
      if (!(await this.#replace(sources))) return;
    }
  }

  /** False where another process was faster, or a segment is damaged. */
  async #replace(sources: readonly SegmentRow[]): Promise<boolean> {
    return this.#pool.exclusively(async (sql, state) => {
      const store = wordsStore(this.#pool, sql);
      const live = new Set((await store.segments()).map(({ segment }) => segment));
      if (!sources.every(({ segment }) => live.has(segment))) return false;
      const number = Number(state.next_segment);
      const merged = await mergeSegments(sources, number, store);
      if (merged === undefined) return false;
      const write = {
        pages: [],
        segments: merged === null ? [] : [merged],
        dropped: sources.map(({ segment }) => segment),
        dead: new Map(),
        next_unit: Number(state.next_unit),
        next_segment: number + 1,
      };
      await writeWords(this.#pool, sql, write, Number(state.generation));
      await sql`UPDATE ${this.#pool.table('strata_libraries')}
          SET index_version = index_version + 1, next_segment = ${number + 1} WHERE name = ${this.#pool.address.library}`;
      return true;
    });
  }
}
