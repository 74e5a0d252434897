import { setTimeout as sleep } from 'node:timers/promises';
import type postgresClient from 'postgres';
import type { Sql, TransactionSql } from 'postgres';
import { isStrataError, StrataError } from '../../model/errors.js';
import { type Address, preparesStatements } from './address.js';
import { isConflict, isGone, isLocked, storeError } from './failure.js';

/** Statements of a read (each alone) or of a transaction. */
export type Query = Sql | TransactionSql;

export interface Turn {
  /** Called once when another writer has been in the way for a second. */
  readonly onWait?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A server that restarts is away for a few seconds. */
const RECONNECT_MS = [100, 300, 1000, 2000];
const LOCK_TIMEOUT_MS = 1000;
const CONNECT_TIMEOUT_S = 10;
const IDLE_S = 30;

/** The connections of one process to one library. */
export class Pool {
  readonly address: Address;
  readonly #sql: Sql;
  readonly #patience: number;
  /** How often the server was asked: `strata` says what a search costs where the network is slow. */
  roundTrips = 0;

  private constructor(address: Address, sql: Sql, patience: number) {
    this.address = address;
    this.#sql = sql;
    this.#patience = patience;
  }

  static async open(address: Address, patience: number): Promise<Pool> {
    const postgres = await client();
    const sql = postgres(address.url, {
      max: address.pool,
      prepare: preparesStatements(address),
      connect_timeout: CONNECT_TIMEOUT_S,
      idle_timeout: IDLE_S,
      backoff: false,
      onnotice: () => {},
      connection: { application_name: 'strata' },
      // Our numbers stay far below 2^53.
      types: { count: { to: 20, from: [20], parse: Number, serialize: String } },
    });
    return new Pool(address, sql as unknown as Sql, patience);
  }

  /** A table of ours, for a statement. */
  table(name: string): ReturnType<Sql> {
    return this.#sql(`${this.address.schema}.${name}`) as unknown as ReturnType<Sql>;
  }

  get sql(): Sql {
    return this.#sql;
  }

  /** A read, tried again while the server is away for a moment. */
  async read<T>(run: (sql: Query) => Promise<T>): Promise<T> {
    return this.#again(async () => {
      this.roundTrips++;
      return run(this.#sql);
    });
  }

  /** Several reads of one moment. */
  async snapshot<T>(run: (sql: TransactionSql) => Promise<T>): Promise<T> {
    return this.#again(async () => {
      this.roundTrips++;
      return (await this.#sql.begin('isolation level repeatable read read only', run)) as T;
    });
  }

  /** All of `body`, or nothing of it. A change sets a state, so it may be applied again when the server went away. */
  async write<T>(body: (sql: TransactionSql) => Promise<T>): Promise<T> {
    return this.#again(async () => (await this.#sql.begin(body)) as T);
  }

  /** The same with the library to oneself: `lock` waits for other writers of any process or machine. */
  async exclusively<T>(
    lock: (sql: TransactionSql) => Promise<void>,
    body: (sql: TransactionSql) => Promise<T>,
    { onWait, signal }: Turn = {},
  ): Promise<T> {
    const started = performance.now();
    for (let isTold = false; ; ) {
      if (signal?.aborted) throw new StrataError('ABORTED', 'Cancelled while waiting for another writer.');
      try {
        return await this.write(async (sql) => {
          await sql`SELECT set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`;
          await lock(sql);
          return body(sql);
        });
      } catch (error) {
        const cause = isStrataError(error) ? error.cause : error;
        if (!isLocked(cause) && !isConflict(cause)) throw error;
        const waited = performance.now() - started;
        if (waited >= this.#patience) throw this.#busy(waited);
        if (!isTold) onWait?.();
        isTold = true;
      }
    }
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }

  async #again<T>(run: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        const pause = RECONNECT_MS[attempt];
        const hasEnded = (error as { code?: string }).code === 'CONNECTION_ENDED';
        if (!isGone(error) || pause === undefined || hasEnded) throw storeError(error, this.address.shown);
        await sleep(pause);
      }
    }
  }

  #busy(waited: number): StrataError {
    const seconds = Math.round(waited / 1000);
    const message = `${this.address.shown}: another process has been writing for ${seconds} s; try again when it is done.`;
    return new StrataError('STORE_BUSY', message);
  }
}

async function client(): Promise<typeof postgresClient> {
  try {
    return (await import('postgres')).default;
  } catch (error) {
    const message = 'a library in PostgreSQL needs the package postgres: run `npm install postgres@3`';
    throw new StrataError('UNSUPPORTED', message, { cause: error });
  }
}
