import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { StrataError } from '../../model/errors.js';
import { isBusy, storeError } from './failure.js';
import { bindable, type Row, type Value } from './values.js';

export interface Turn {
  /** Called once when another writer has been in the way for a second. */
  readonly onWait?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A writer blocks the event loop this long at most before it gives way and tries again. */
const BUSY_TIMEOUT_MS = 20;
const NOTICE_AFTER_MS = 1000;

/**
 * One connection to the file. Transactions are synchronous inside, so nothing of this process comes between; other
 * processes are kept apart by SQLite's own locks. Rows are arrays.
 */
export class Connection {
  readonly path: string;
  readonly #patience: number;
  #database: DatabaseSyncInstance;
  readonly #open: () => DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();
  #distrusted: StrataError | undefined;
  readonly #options: { patience: number; readOnly?: boolean; uri?: string };
  /** Grows with each write transaction of this connection; `data_version` tells of the others'. */
  writes = 0;

  constructor(path: string, options: { patience: number; readOnly?: boolean; uri?: string }) {
    this.path = path;
    this.#options = options;
    this.#patience = options.patience;
    this.#open = () =>
      new DatabaseSync(options.uri ?? path, {
        timeout: BUSY_TIMEOUT_MS,
        readOnly: options.readOnly ?? false,
        enableForeignKeyConstraints: true,
        defensive: true,
      });
    this.#database = this.#open();
  }

  /** From now on every question is answered by this error: the file is not what it should be. */
  distrust(error: StrataError): void {
    this.#distrusted = error;
  }

  /** Another connection to the same file, opened the same way, for reading alone. */
  forReading(): Connection {
    return new Connection(this.path, { ...this.#options, patience: 0, readOnly: true });
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  all(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#guard(() => this.#statement(sql).all(...values.map(bindable)) as Row[]);
  }

  get(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#guard(() => this.#statement(sql).get(...values.map(bindable)) as Row | undefined);
  }

  run(sql: string, ...values: readonly Value[]): { changes: number; rowid: number } {
    const { changes, lastInsertRowid } = this.#guard(() => this.#statement(sql).run(...values.map(bindable)));
    return { changes, rowid: Number(lastInsertRowid) };
  }

  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql));
  }

  /** Everything read inside is of one moment. */
  read<T>(body: () => T): T {
    if (this.#database.isTransaction) return body();
    this.exec('BEGIN');
    try {
      return body();
    } finally {
      if (this.#database.isTransaction) this.exec('COMMIT');
    }
  }

  /** Waits for its turn without blocking the process; all of `body`, or nothing of it, is written. */
  async write<T>(body: () => T, { onWait, signal }: Turn = {}): Promise<T> {
    const started = performance.now();
    let noticed = false;
    while (!this.#tryBegin()) {
      const waited = performance.now() - started;
      if (signal?.aborted) throw new StrataError('ABORTED', 'Cancelled while waiting for another writer.');
      if (waited >= this.#patience) {
        const seconds = Math.round(waited / 1000);
        const message = `${this.path}: another process has been writing for ${seconds} s; try again when it is done.`;
        throw new StrataError('STORE_BUSY', message);
      }
      if (!noticed && waited >= NOTICE_AFTER_MS) {
        noticed = true;
        onWait?.();
      }
      // Writers that wait for the same moment would meet again and again: let chance part them.
      await sleep(1 + Math.random() * 15);
    }
    return this.#finish(body);
  }

  /** A write that would rather not happen than wait: undefined when another process is writing. */
  tryWrite<T>(body: () => T): T | undefined {
    return this.#tryBegin() ? this.#finish(body) : undefined;
  }

  /** After `close`, when the file has been put in order or replaced. */
  reopen(): void {
    this.#distrusted = undefined;
    this.#database = this.#open();
    this.writes++;
  }

  close(): void {
    if (!this.#database.isOpen) return;
    // A connection that waits for the collector would go on reading of its moment, and keep the log from being emptied.
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#emptyLog();
    this.#statements.clear();
    this.#database.close();
  }

  /**
   * SQLite moves the log into the file when the last connection closes, but the binding leaves statements, and with
   * them the connection, to the garbage collector: so it is asked for. In vain, and no matter, while others read.
   */
  #emptyLog(): void {
    try {
      // A transaction left open would go on, in what the binding leaves behind, and keep others from emptying the log.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Read-only, or a full disk: the log is as good.
    }
  }

  #finish<T>(body: () => T): T {
    try {
      const result = body();
      this.exec('COMMIT');
      this.writes++;
      return result;
    } catch (error) {
      // A failed COMMIT or a full disk may have rolled back already.
      if (this.#database.isTransaction) this.exec('ROLLBACK');
      this.writes++;
      throw error;
    }
  }

  #tryBegin(): boolean {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw storeError(error, this.path);
    }
  }

  #statement(sql: string): StatementSyncInstance {
    if (this.#distrusted !== undefined) throw this.#distrusted;
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw storeError(error, this.path);
    }
  }
}
