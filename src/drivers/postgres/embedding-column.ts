import type { Sql } from 'postgres';
import { StrataError } from '../../model/errors.js';
import type { Pool } from './pool.js';

/**
 * `document_chunks.embedding` has a number of dimensions, so that the server can index it and other programs search it
 * without a word from us. It is that of the first model; another one can take its place while no other library of the
 * schema has vectors.
 */
export async function fitColumn(pool: Pool, sql: Sql, dimensions: number): Promise<void> {
  const [column] = await sql`SELECT atttypmod AS dimensions FROM pg_attribute
    WHERE attrelid = ${`${pool.address.schema}.document_chunks`}::regclass AND attname = 'embedding'`;
  if (Number(column!.dimensions) === dimensions) return;
  const [other] = await sql`SELECT library FROM ${pool.table('document_chunks')}
    WHERE library <> ${pool.address.library} AND embedding IS NOT NULL LIMIT 1`;
  if (other !== undefined) {
    const message = `${pool.address.shown}: libraries of this schema have vectors of ${column!.dimensions} dimensions, not ${dimensions}; keep this one in a schema of its own (?schema=NAME).`;
    throw new StrataError('INVALID_ARGUMENT', message);
  }
  await sql.unsafe(`DROP INDEX IF EXISTS ${pool.address.schema}.${INDEX}`);
  await sql.unsafe(`ALTER TABLE ${pool.address.schema}.document_chunks
    ALTER COLUMN embedding TYPE halfvec(${dimensions}) USING NULL`);
}

const INDEX = 'document_chunks_embedding';
/** With fewer vectors a scan of all is as fast, and exact. */
const WORTH_AN_INDEX = 10_000;
/** pgvector's limit for halfvec. */
const MOST_DIMENSIONS = 4000;

/**
 * The server's own index of vectors, made when all of a library have come: then it takes a fraction of the time, and
 * what comes later is entered one by one.
 */
export async function embeddingIndex(pool: Pool): Promise<void> {
  const { schema } = pool.address;
  const [state] = await pool.read(
    (sql) => sql`SELECT to_regclass(${`${schema}.${INDEX}`}) IS NOT NULL AS is_there,
      (SELECT atttypmod FROM pg_attribute WHERE attrelid = ${`${schema}.document_chunks`}::regclass AND attname = 'embedding') AS dimensions`,
  );
  const dimensions = Number(state!.dimensions);
  if (state!.is_there || dimensions < 1 || dimensions > MOST_DIMENSIONS) return;
  const [some] = await pool.read(
    (sql) => sql`SELECT count(*) AS vectors FROM (SELECT 1 FROM ${pool.table('document_chunks')}
      WHERE embedding IS NOT NULL LIMIT ${WORTH_AN_INDEX}) s`,
  );
  if (Number(some!.vectors) < WORTH_AN_INDEX) return;
  await pool.write(async (sql) => {
    // Of several processes one makes it; a role that does not own the table leaves it to one that does.
    const [may] = await sql`SELECT pg_try_advisory_xact_lock(hashtext(${`strata index ${schema}`}))
      AND pg_has_role(relowner, 'USAGE') AS may FROM pg_class WHERE oid = ${`${schema}.document_chunks`}::regclass`;
    if (!may!.may) return;
    await sql.unsafe(`SET LOCAL maintenance_work_mem = '512MB'`);
    await sql.unsafe(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ${schema}.document_chunks
      USING hnsw (embedding halfvec_cosine_ops)`);
  });
}
