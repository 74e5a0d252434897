import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { isStrataError } from '../../../model/errors.js';
import { countLive, liveUnits, mergeInto } from '../../../store/words/merge.js';
import { bytesOf, planMerge } from '../../../store/words/merge-plan.js';
import { type Segment, STAGE } from '../../../store/words/segment.js';
import { PAGE_UNITS } from '../../../store/words/unit-page.js';
import type { Connection } from '../connection.js';
import { readState, takeSegment, updateState } from '../state.js';
import { dropSegment, liveSegments, SegmentWriter, segmentSource } from './segments.js';
import { pageRows } from './unit-pages.js';

/** Up to this size a merge takes some milliseconds and happens inside the commit that made it due. */
const INLINE_BYTES = 512 * 1024;
/** A process that comes and goes leaves merges undone; with this many segments the next commit does them first. */
const MOST_SEGMENTS = 40;
/** How long a slice of a big merge may keep the event loop, and how long its claim holds without a sign of life. */
const SLICE_MS = 8;
const CLAIM_MS = 30_000;

/**
 * Keeps segments few. Small merges are part of a commit. A big one runs in slices between other work: its sources
 * stay searchable, its blocks are written where nobody looks, and one last transaction puts them in the sources'
 * place. A killed merge leaves blocks that the next merger, in whatever process, sweeps away.
 */
export class Merger {
  readonly #connection: Connection;
  readonly #name = randomUUID();
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Inside a commit's transaction. */
  inline(): void {
    for (;;) {
      const sources = planMerge(liveSegments(this.#connection));
      if (sources === null || bytesOf(sources) > INLINE_BYTES || !this.#mergeAtOnce(sources)) return;
    }
  }

  #mergeAtOnce(sources: readonly Segment[]): boolean {
    const [first, last] = [sources[0]!.first_unit, sources.at(-1)!.last_unit];
    const segment = takeSegment(this.#connection);
    try {
      const live = liveNow(this.#connection, first, last);
      const units = countLive(live);
      if (units > 0) {
        const writer = new SegmentWriter(this.#connection, segment, first);
        const steps = mergeInto(writer.encoder, segmentSource(this.#connection), sources, live);
        while (!steps.next().done);
        writer.finish({ first_unit: first, last_unit: last, units, dead: 0 });
      }
    } catch (error) {
      // A damaged block must not keep documents from being added: searches and `check` report it.
      if (!isStrataError(error, 'STORE_DAMAGED')) throw error;
      dropSegment(this.#connection, segment);
      return false;
    }
    for (const source of sources) dropSegment(this.#connection, source.segment);
    return true;
  }

  /** After a commit: starts what is due, and waits for it when too much is. */
  async afterCommit(): Promise<void> {
    const segments = liveSegments(this.#connection);
    if (planMerge(segments) === null) return;
    // Nobody waits for a merge behind: what it meets is met again, and told, by searches, `tidy` and `check`.
    const merging = this.#start(false).catch(() => {});
    if (segments.length > MOST_SEGMENTS) await merging;
  }

  /** Everything that is due, and small neighbours too. */
  async tidy(): Promise<void> {
    await this.#running?.catch(() => {});
    await this.#start(true);
    await this.#connection.write(() => this.#purge());
  }

  /** Emptied pages are kept to be noticed by other processes; those that have not looked by now read all of them. */
  #purge(): void {
    const { changes } = this.#connection.run("DELETE FROM unit_pages WHERE data = x''");
    if (changes === 0) return;
    const { generation, index_version } = readState(this.#connection);
    updateState(this.#connection, { purged: generation, index_version: index_version + 1 });
  }

  /** A merge that is under way stops after its slice; what it wrote is swept by the next. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => {});
  }

  #start(thorough: boolean): Promise<void> {
    this.#running ??= this.#run(thorough).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(thorough: boolean): Promise<void> {
    while (!this.#stopped) {
      const sources = await this.#connection.write(() => this.#claim(thorough));
      if (sources === null) return;
      await this.#merge(sources);
    }
  }

  /** Null when nothing is due or another process is at it. */
  #claim(thorough: boolean): readonly Segment[] | null {
    const { merger, merger_until } = readState(this.#connection);
    if (merger !== '' && merger !== this.#name && merger_until > Date.now()) return null;
    this.#release();
    const sources = planMerge(liveSegments(this.#connection), thorough);
    if (sources === null) return null;
    for (const { segment } of sources) {
      this.#connection.run('UPDATE segments SET stage = ? WHERE segment = ?', STAGE.merging, segment);
    }
    updateState(this.#connection, { merger: this.#name, merger_until: Date.now() + CLAIM_MS });
    return sources;
  }

  /** Forgets an unfinished merge, of whomever. */
  #release(): void {
    const unfinished = this.#connection.all('SELECT segment FROM segments WHERE stage = ?', STAGE.building);
    for (const [segment] of unfinished) dropSegment(this.#connection, Number(segment));
    this.#connection.run('UPDATE segments SET stage = ? WHERE stage = ?', STAGE.live, STAGE.merging);
    updateState(this.#connection, { merger: '', merger_until: 0 });
  }

  async #merge(sources: readonly Segment[]): Promise<void> {
    const connection = this.#connection;
    const [first, last] = [sources[0]!.first_unit, sources.at(-1)!.last_unit];
    const writer = await connection.write(() => {
      const segment = takeSegment(connection);
      connection.run(
        'INSERT INTO segments VALUES (?, ?, ?, ?, 0, 0, 0, ?, 0)',
        ...[segment, STAGE.building, first, last, new Uint8Array()],
      );
      return new SegmentWriter(connection, segment, first);
    });
    const live = liveNow(connection, first, last);
    const steps = connection.read(() => mergeInto(writer.encoder, segmentSource(connection), sources, live));
    for (let done = false; !done; ) {
      const until = performance.now() + SLICE_MS;
      connection.read(() => {
        while (!done && performance.now() < until) done = steps.next().done === true;
      });
      if (this.#stopped) {
        await connection.write(() => this.#isMine() && this.#release());
        return;
      }
      const mine = await connection.write(() => this.#keep(writer));
      if (!mine) return;
      await turn();
    }
    await connection.write(() => {
      if (!this.#isMine()) return;
      const units = countLive(live);
      const dead = units - countLive(liveNow(connection, first, last));
      if (units > 0) writer.finish({ first_unit: first, last_unit: last, units, dead });
      else dropSegment(connection, writer.encoder.segment);
      for (const { segment } of sources) dropSegment(connection, segment);
      const { index_version } = readState(connection);
      updateState(connection, { index_version: index_version + 1, merger: '', merger_until: 0 });
    });
  }

  /** Writes the blocks that are ready and shows a sign of life. */
  #keep(writer: SegmentWriter): boolean {
    if (!this.#isMine()) return false;
    writer.writeReady();
    updateState(this.#connection, { merger_until: Date.now() + CLAIM_MS });
    return true;
  }

  #isMine(): boolean {
    return readState(this.#connection).merger === this.#name;
  }
}

const liveNow = (connection: Connection, first: number, last: number): Uint8Array => {
  const pages = [first, last].map((unit) => Math.floor(unit / PAGE_UNITS));
  return liveUnits(pageRows(connection, 'page >= ? AND page <= ?', ...pages), first, last);
};
