import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import type { LibraryFixture } from '../../store/backend.suite.js';
import { sampleReindex } from '../../store/sample.js';
import { addressOf } from './address.js';
import { postgresBackend } from './backend.js';

/**
 * A server for tests: the one that STRATA_TEST_POSTGRES names, else PGlite (PostgreSQL as WebAssembly) behind a socket.
 * PGlite has one session for all connections, so what needs several is tested against a real server only.
 */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function testServer(): Promise<TestServer> {
  const given = process.env.STRATA_TEST_POSTGRES;
  if (given !== undefined && given !== '') return { url: given, stop: async () => {} };
  return embeddedServer(true);
}

/** PGlite, with pgvector or without. */
export async function embeddedServer(hasVector: boolean): Promise<TestServer> {
  const [{ PGlite }, { vector }, { PGLiteSocketServer }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite-pgvector'),
    import('@electric-sql/pglite-socket'),
  ]);
  const db = await PGlite.create({ extensions: hasVector ? { vector } : {} });
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 20 });
  await server.start();
  const [, port] = server.getServerConn().split(':');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable&pool=1`,
    stop: async () => {
      await server.stop();
      await db.close();
    },
  };
}

export const withParameters = (url: string, parameters: Record<string, string>): string => {
  const whole = new URL(url);
  for (const [name, value] of Object.entries(parameters)) whole.searchParams.set(name, value);
  return whole.href;
};

/** A library of its own for one test; its rows go with it. */
export function temporaryLibrary(
  url: string,
  schema = 'strata_test',
): LibraryFixture & { readonly name: string } {
  const name = randomUUID();
  const address = addressOf(
    withParameters(url, { library: name, schema }),
    { location: '', isAsked: true },
    {},
  );
  const run = async (change: (sql: Sql) => Promise<unknown>): Promise<void> => {
    const { default: postgres } = await import('postgres');
    const sql = postgres(address.url, { max: 1 });
    await change(sql);
    await sql.end();
  };
  return {
    name,
    open: () => postgresBackend({ address, reindex: sampleReindex }),
    spoil: (id) =>
      run(
        (sql) => sql`UPDATE ${sql(`${schema}.document_chunks`)} SET content = 'spoilt'
        WHERE library = ${name} AND id = ${id}`,
      ),
    dispose: () => run((sql) => sql`DELETE FROM ${sql(`${schema}.strata_libraries`)} WHERE name = ${name}`),
  };
}
