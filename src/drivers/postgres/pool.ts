import { setTimeout as sleep } from 'node:timers/promises';
import type postgresClient from 'postgres';
import type { Sql } from 'postgres';
import { isStrataError, StrataError } from '../../model/errors.js';
import { type Address, preparesStatements } from './address.js';
import { isConflict, isGone, isLocked, storeError } from './failure.js';
import type { Row } from './rows.js';

export interface Turn {
  /** Called once when another writer has been in the way for a second. */
  readonly onWait?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The arrays that statements here are given: of uuid, text and bigint, by PostgreSQL's own numbers. */
const ARRAYS = Object.fromEntries(
  [2951, 1009, 1016].map((to) => [
    `array${to}`,
    { to, from: [], serialize: (items: readonly string[]) => `{${items.map(quoted).join()}}`, parse: String },
  ]),
);
const quoted = (item: string): string => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A server that restarts is away for a few seconds. */
const RECONNECT_MS = [100, 300, 1000, 2000];
const LOCK_TIMEOUT_MS = 1000;
const CONNECT_TIMEOUT_S = 10;
const IDLE_S = 30;

/**
 * The connections of one process to one library: some for reads, each statement alone, and one for transactions.
 *
 * The client's own `begin` is not used: where the network drops a connection it still sends `rollback` to it, and that
 * ends the process. Here a transaction whose connection is gone sends nothing more.
 */
export class Pool {
  readonly address: Address;
  readonly #readers: Sql;
  readonly #writer: Sql;
  readonly #patience: number;
  /** Whatever uses the connection for transactions takes turns. */
  #turn: Promise<unknown> = Promise.resolve();
  /** How often the one connection for transactions was lost. */
  #losses = 0;
  /** How many reads the server was asked for: each is one round trip. */
  reads = 0;

  private constructor(address: Address, postgres: typeof postgresClient, patience: number) {
    this.address = address;
    this.#patience = patience;
    const options = {
      prepare: preparesStatements(address),
      connect_timeout: CONNECT_TIMEOUT_S,
      backoff: false,
      onnotice: () => {},
      connection: { application_name: 'strata' },
      // The client would ask each new connection for its types, and a connection that is lost just then ends the process.
      fetch_types: false,
      types: ARRAYS,
    } as const;
    this.#writer = postgres(address.url, { ...options, max: 1, onclose: () => void this.#losses++ });
    this.#readers =
      address.pool === 1
        ? this.#writer
        : postgres(address.url, { ...options, max: address.pool - 1, idle_timeout: IDLE_S });
  }

  static async open(address: Address, patience: number): Promise<Pool> {
    return new Pool(address, await client(), patience);
  }

  /** A table of ours, for a statement. */
  table(name: string): ReturnType<Sql> {
    return this.#readers(`${this.address.schema}.${name}`) as unknown as ReturnType<Sql>;
  }

  /** A read, tried again while the server is away for a moment. */
  async read<T>(run: (sql: Sql) => Promise<T>): Promise<T> {
    const ask = () =>
      this.#again(async () => {
        this.reads++;
        return run(this.#readers);
      });
    // With one connection for all, a read must not fall into somebody's transaction.
    return this.#readers === this.#writer ? this.#inTurn(ask) : ask();
  }

  /** All of `body`, or nothing of it. A change sets a state, so it may be applied again when the server went away. */
  async write<T>(body: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#again(() => this.#transaction(body)));
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Statements of `body` must follow each other: one that waits for another would be sent on a new connection. */
  async #transaction<T>(body: (sql: Sql) => Promise<T>): Promise<T> {
    const losses = this.#losses;
    const sql = guarded(this.#writer, () => {
      if (this.#losses !== losses)
        throw Object.assign(new Error('the connection is gone'), { code: 'CONNECTION_CLOSED' });
    });
    await this.#writer.unsafe('BEGIN');
    try {
      const result = await body(sql);
      await sql.unsafe('COMMIT');
      return result;
    } catch (error) {
      if (this.#losses === losses && !isGone(error)) await this.#writer.unsafe('ROLLBACK');
      throw error;
    }
  }

  /** The same while no other process or machine writes: `body` is given the library's row, which it holds locked. */
  async exclusively<T>(
    body: (sql: Sql, state: Row) => Promise<T>,
    { onWait, signal }: Turn = {},
  ): Promise<T> {
    const started = performance.now();
    for (let isTold = false; ; ) {
      if (signal?.aborted) throw new StrataError('ABORTED', 'Cancelled while waiting for another writer.');
      try {
        return await this.write(async (sql) => {
          await sql`SELECT set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`;
          const [state] =
            await sql`SELECT * FROM ${this.table('strata_libraries')} WHERE name = ${this.address.library} FOR UPDATE`;
          return body(sql, state!);
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
    await Promise.all([this.#readers.end({ timeout: 5 }), this.#writer.end({ timeout: 5 })]);
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

/** The client, asking before each statement whether it may still be sent. */
function guarded(sql: Sql, check: () => void): Sql {
  const call = (first: unknown, ...rest: unknown[]): unknown => {
    if (Array.isArray(first) && 'raw' in first) check();
    return (sql as unknown as (...all: unknown[]) => unknown)(first, ...rest);
  };
  const unsafe: Sql['unsafe'] = (...statement) => {
    check();
    return sql.unsafe(...statement);
  };
  return Object.assign(call, { unsafe }) as unknown as Sql;
}

async function client(): Promise<typeof postgresClient> {
  try {
    return (await import('postgres')).default;
  } catch (error) {
    const message = 'a library in PostgreSQL needs the package postgres: run `npm install postgres@3`';
    throw new StrataError('UNSUPPORTED', message, { cause: error });
  }
}
