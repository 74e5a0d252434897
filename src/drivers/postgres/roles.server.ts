import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleWrite } from '../../store/sample.js';
import { addressOf } from './address.js';
import { postgresBackend } from './backend.js';
import { temporaryLibrary, withParameters } from './server.suite.js';

const url = process.env.STRATA_TEST_POSTGRES!;
const SECRET = 'pa55-word';
const SCHEMA = 'strata_roles';
let admin: Sql;
beforeAll(() => {
  admin = postgres(url, { max: 1, onnotice: () => {} });
});
afterAll(() => admin.end());

const open = (text: string, parameters: Record<string, string>) =>
  postgresBackend({
    address: addressOf(withParameters(text, parameters), { location: '', isAsked: true }, {}),
    patience_ms: 2000,
  });

const as = (role: string, password = SECRET): string => {
  const whole = new URL(url);
  whole.username = role;
  whole.password = password;
  return whole.href;
};

async function newRole(): Promise<string> {
  const role = `r${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD '${SECRET}'`);
  return role;
}

const doc = (source: string) =>
  sampleWrite({
    source: `file:${source}`,
    title: source,
    parts: [{ heading: 'One', body: `apple ${source}` }],
  });
const query = { terms: [{ term: 'apple', weight: 1 }], k: 10, kind: 'chunk', scorer: 'bm25' } as const;

/** The message says what to do, and no secret stands in it or in what it carries. */
async function refused(run: () => Promise<unknown>, next: RegExp): Promise<void> {
  const error = await run().then(
    () => null,
    (reason: Error) => reason,
  );
  expect(error).not.toBeNull();
  expect(error!.message).toMatch(next);
  const all = [error, error!.cause].map((one) => JSON.stringify(one, Object.getOwnPropertyNames(one ?? {})));
  expect(all.join()).not.toContain(SECRET);
}

describe('row-level security', () => {
  it('S4.5 keeps two tenants apart, for Strata and for any other client', async () => {
    const schema = `${SCHEMA}_tenants`;
    const [ours, theirs] = [temporaryLibrary(url, schema), temporaryLibrary(url, schema)];
    await (await ours.open()).close();
    const [a, b] = [await newRole(), await newRole()];
    await admin.unsafe(`SELECT ${schema}.strata_isolate()`);
    for (const [library, role] of [
      [ours.name, a],
      [theirs.name, b],
    ] as const)
      await admin`SELECT ${admin(`${schema}.strata_share`)}(${library}, ${role})`;
    const mine = await open(as(a), { library: ours.name, schema });
    const other = await open(as(b), { library: theirs.name, schema });
    await mine.commit({ put: [doc('mine')] });
    await other.commit({ put: [doc('other')] });
    expect(await mine.words.match(query)).toHaveLength(1);
    expect((await other.documents()).map(({ title }) => title)).toEqual(['other']);
    expect(await mine.check()).toEqual([]);
    const client = postgres(as(a), { max: 1 });
    const seen = await client`SELECT title FROM ${client(`${schema}.documents`)}`;
    expect(seen.map(({ title }) => title)).toEqual(['mine']);
    const touched =
      await client`UPDATE ${client(`${schema}.documents`)} SET title = 'x' WHERE library = ${theirs.name}`;
    expect(touched.count).toBe(0);
    await expect(
      client`INSERT INTO ${client(`${schema}.strata_records`)} VALUES (${theirs.name}, 'k', 'i', '1')`,
    ).rejects.toThrow(/row-level security/);
    await client.end();
    await refused(() => open(as(a), { library: theirs.name, schema }), /grant|security|may not/);
    await Promise.all([mine.close(), other.close()]);
  });
});

describe('what goes wrong with a server', () => {
  it('B8 a wrong password, no server, no database: the message says what to do', async () => {
    const role = await newRole();
    await refused(
      () => open(as(role, `${SECRET}-wrong`), { schema: SCHEMA }),
      /password.*STRATA_POSTGRES_URL/,
    );
    const nobody = new URL(as(role));
    nobody.port = '1';
    await refused(() => open(nobody.href, { schema: SCHEMA }), /no PostgreSQL server answers/);
    const missing = new URL(url);
    missing.pathname = '/no_such_database';
    await refused(() => open(missing.href, { schema: SCHEMA }), /create the database/);
  });

  it('B8 a database without the extension, and a role that may not create it', async () => {
    const [role, name] = [await newRole(), `d${randomUUID().replaceAll('-', '')}`];
    await admin.unsafe(`CREATE DATABASE ${name} OWNER ${role}`);
    const there = new URL(as(role));
    there.pathname = `/${name}`;
    await refused(() => open(there.href, { schema: SCHEMA }), /CREATE EXTENSION vector/);
    await admin.unsafe(`DROP DATABASE ${name}`);
  });

  it('B8 a role that may only read can search, and hears of every write', async () => {
    const library = temporaryLibrary(url, SCHEMA);
    const owner = await library.open();
    await owner.commit({ put: [doc('kept')] });
    const role = await newRole();
    await admin.unsafe(
      `GRANT USAGE ON SCHEMA ${SCHEMA} TO ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${role}`,
    );
    const reader = await open(as(role), { library: library.name, schema: SCHEMA });
    expect(await reader.words.match(query)).toHaveLength(1);
    await refused(() => reader.commit({ put: [doc('more')] }), /may not do that.*grant/s);
    expect(await owner.counts()).toEqual({ documents: 1, chunks: 1 });
    await Promise.all([reader.close(), owner.close()]);
    await library.dispose();
  });

  it('B8 a newer schema is refused, an old one brought up to date', async () => {
    const schema = `${SCHEMA}_versions`;
    await admin.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema};
      CREATE TABLE ${schema}.strata_schema (version integer NOT NULL)`);
    const library = temporaryLibrary(url, schema);
    const made = await library.open();
    await made.commit({ put: [doc('kept')] });
    await made.close();
    const versionNow = async () =>
      Number((await admin`SELECT version FROM ${admin(`${schema}.strata_schema`)}`)[0]!.version);
    const newest = await versionNow();
    expect(newest).toBeGreaterThan(1);
    // As the first version left it.
    await admin.unsafe(`ALTER TABLE ${schema}.strata_libraries DROP COLUMN identity;
      UPDATE ${schema}.strata_schema SET version = 1`);
    const old = await library.open();
    expect([await versionNow(), await old.counts()]).toEqual([newest, { documents: 1, chunks: 1 }]);
    expect(await old.words.match(query)).toHaveLength(1);
    await old.close();
    await admin`UPDATE ${admin(`${schema}.strata_schema`)} SET version = 99`;
    await refused(() => library.open(), /newer Strata/);
  });

  it('B8 tables that are not ours are left alone', async () => {
    const schema = `${SCHEMA}_others`;
    await admin.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema};
      CREATE TABLE ${schema}.documents (id bigint)`);
    await refused(() => temporaryLibrary(url, schema).open(), /not Strata's.*schema=/);
  });

  it('B8 a server that goes away in the middle of a search', async () => {
    const library = temporaryLibrary(url, SCHEMA);
    const backend = await library.open();
    await backend.commit({ put: [doc('kept')] });
    await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'strata'`;
    const [found] = await Promise.all([
      backend.words.match(query),
      admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'strata'`,
    ]);
    expect(found).toHaveLength(1);
    await backend.close();
    await refused(() => backend.words.match(query), /went away/);
    await library.dispose();
  });
});

describe('the indexes', () => {
  it('B8 are used at 100,000 rows', async () => {
    const schema = `${SCHEMA}_plans`;
    await admin.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    const library = temporaryLibrary(url, schema);
    const backend = await library.open();
    const write = doc('first');
    await backend.commit({ put: [write] });
    await backend.vectors.put({
      fingerprint: 'm',
      dimensions: 8,
      entries: [{ embed_key: write.chunks[0]!.embed_key, vector: new Float32Array(8).fill(0.5) }],
    });
    await admin.unsafe(`INSERT INTO ${schema}.document_chunks (library, id, document_id, chunk_index, chunk_hash, title, content,
        content_type, content_types, metadata, embedding, record, embed_key, unit, words, crc)
      SELECT library, gen_random_uuid(), document_id, i, 'h' || i, title, content, content_type, content_types, metadata,
        ARRAY(SELECT random() FROM generate_series(1, 8) WHERE i > 0)::real[]::vector::halfvec, record, 'k' || i, 1000 + i, 0, 0
      FROM ${schema}.document_chunks, generate_series(1, 100000) i; ANALYZE ${schema}.document_chunks`);
    await backend.tidy();
    const plan = async (sql: string): Promise<string> =>
      (await admin.unsafe(`EXPLAIN ${sql}`)).map((row) => Object.values(row)[0]).join('\n');
    const where = `FROM ${schema}.document_chunks c WHERE c.library = '${library.name}'`;
    const near = await plan(
      `SELECT c.id ${where} AND c.embedding IS NOT NULL ORDER BY c.embedding <=> '[1,0,0,0,0,0,0,0]'::halfvec LIMIT 140`,
    );
    expect(near).toContain('document_chunks_embedding');
    expect(
      await plan(`SELECT c.record ${where} AND c.id = ANY('{${write.chunks[0]!.chunk.id}}'::uuid[])`),
    ).toContain('document_chunks_pkey');
    expect(await plan(`SELECT 1 ${where} AND c.embed_key = 'k5'`)).toContain('document_chunks_by_embed_key');
    const sampled = await plan(`SELECT c.id FROM unnest('{${randomUUID()},${randomUUID()}}'::uuid[]) place,
      LATERAL (SELECT id FROM ${schema}.document_chunks WHERE library = '${library.name}'
        AND id >= place ORDER BY id LIMIT 1) c`);
    expect(sampled).toContain('document_chunks_pkey');
    const started = performance.now();
    expect((await backend.vectors.sample(500)).length).toBeGreaterThan(400);
    // Without the index this takes minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
    const placed = await plan(
      `SELECT c.record ${where} AND c.document_id = '${randomUUID()}' AND c.chunk_index BETWEEN 1 AND 3`,
    );
    expect(placed).toMatch(/document_chunks_by_place|document_chunks_library_document_id/);
    await backend.close();
    await admin.unsafe(`DROP SCHEMA ${schema} CASCADE`);
  });
});
