/**
 * Paths that changed, given out when they have settled: a path that is written again and again waits for a pause, but
 * not for ever; one that vanished waits longer, since editors delete files in order to write them anew.
 */
export class ChangeQueue {
  readonly #paths = new Map<string, Waiting>();
  readonly #missing = new Map<string, number>();
  #everything: Waiting | null = null;
  #closed = false;
  #wake: () => void = () => {};

  /** Editors write in bursts of a few tens of milliseconds. */
  static readonly pause_ms = 300;
  /** A log that never rests is read this often. */
  static readonly patience_ms = 2000;
  /** A folder that never rests is looked through this often. */
  static readonly most_ms = 5000;
  /** How long a file must be away to be gone. */
  static readonly grace_ms = 1000;

  changed(paths: readonly string[], after = ChangeQueue.pause_ms): void {
    const now = Date.now();
    for (const path of paths) {
      const since = this.#paths.get(path)?.since ?? now;
      this.#paths.set(path, {
        since,
        due: Math.min(now + after, Math.max(now, since + ChangeQueue.patience_ms)),
      });
    }
    this.#wake();
  }

  /** Look at the whole folder, when this (the last time it was asked for) is so long ago. */
  everything(after = ChangeQueue.pause_ms): void {
    const now = Date.now();
    const since = this.#everything?.since ?? now;
    const due = Math.max(this.#everything?.due ?? 0, now + after);
    this.#everything = { since, due: Math.min(due, Math.max(now, since + ChangeQueue.most_ms)) };
    this.#wake();
  }

  /** Called for a path that is not there: false the first time, and the path comes again after a while. */
  isGoneForGood(path: string): boolean {
    const since = this.#missing.get(path);
    if (since !== undefined && Date.now() - since >= ChangeQueue.grace_ms) {
      this.#missing.delete(path);
      return true;
    }
    if (since === undefined) this.#missing.set(path, Date.now());
    this.changed([path], ChangeQueue.grace_ms);
    return false;
  }

  /** The path is there (again). */
  isThere(path: string): void {
    this.#missing.delete(path);
  }

  /** What is due next, when it is; null when the queue is closed. */
  async next(): Promise<readonly string[] | 'everything' | null> {
    for (;;) {
      if (this.#closed) return null;
      const now = Date.now();
      if (this.#everything !== null && this.#everything.due <= now) {
        this.#everything = null;
        return 'everything';
      }
      const due = [...this.#paths].filter(([, waiting]) => waiting.due <= now).map(([path]) => path);
      for (const path of due) this.#paths.delete(path);
      if (due.length > 0) return due;
      const times = [...this.#paths.values()].map((waiting) => waiting.due);
      if (this.#everything !== null) times.push(this.#everything.due);
      await this.#sleepUntil(times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY));
    }
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #sleepUntil(time: number): Promise<void> {
    return new Promise((resolve) => {
      const timer =
        time === Number.POSITIVE_INFINITY ? undefined : setTimeout(done, Math.max(1, time - Date.now()));
      function done(): void {
        clearTimeout(timer);
        resolve();
      }
      this.#wake = done;
    });
  }
}

interface Waiting {
  readonly since: number;
  readonly due: number;
}
