import type { Sql } from 'postgres';
import { StrataError } from '../../model/errors.js';
import type { Pool } from './pool.js';

/**
 * One step per schema version, applied in order in one transaction; steps are never edited once released.
 *
 * Every table has the library's name in front of its key: a database keeps many libraries, and row-level security can
 * tell them apart. `documents`, `document_sections` and `document_chunks` are for any SQL client; where a text holds a
 * NUL character, which PostgreSQL refuses, they show U+FFFD, and `record` has the text as it was. Tables called
 * `strata_*` are the index: blobs that other clients have no use for.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE $S.strata_libraries (
    name text PRIMARY KEY, generation bigint NOT NULL DEFAULT 0, index_version bigint NOT NULL DEFAULT 0,
    purged bigint NOT NULL DEFAULT 0, next_unit bigint NOT NULL DEFAULT 0, next_segment bigint NOT NULL DEFAULT 1,
    next_item bigint NOT NULL DEFAULT 1, vectors bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE $S.documents (
    library text NOT NULL REFERENCES $S.strata_libraries (name) ON DELETE CASCADE,
    id uuid NOT NULL, source text COLLATE "C" NOT NULL, source_path text NOT NULL, title text NOT NULL, summary text NOT NULL,
    hash text NOT NULL, updated_at text NOT NULL, chunk_count integer NOT NULL, metadata jsonb NOT NULL,
    record text NOT NULL, n bigint NOT NULL, unit bigint NOT NULL, words bigint NOT NULL,
    PRIMARY KEY (library, id),
    UNIQUE (library, source) DEFERRABLE INITIALLY DEFERRED
  );
  CREATE TABLE $S.document_texts (
    library text NOT NULL, document_id uuid NOT NULL, text bytea NOT NULL, structure bytea NOT NULL,
    PRIMARY KEY (library, document_id),
    FOREIGN KEY (library, document_id) REFERENCES $S.documents (library, id) ON DELETE CASCADE
  );
  CREATE TABLE $S.document_sections (
    library text NOT NULL, document_id uuid NOT NULL, id text NOT NULL, position integer NOT NULL, parent_id text NOT NULL,
    title text NOT NULL, title_path jsonb NOT NULL, level integer NOT NULL,
    start_position integer NOT NULL, end_position integer NOT NULL,
    PRIMARY KEY (library, document_id, id),
    FOREIGN KEY (library, document_id) REFERENCES $S.documents (library, id) ON DELETE CASCADE
  );
  CREATE TABLE $S.document_chunks (
    library text NOT NULL, id uuid NOT NULL, document_id uuid NOT NULL, section_id text, chunk_index integer NOT NULL,
    chunk_hash text NOT NULL, title text NOT NULL, content text NOT NULL, content_type text NOT NULL,
    content_types jsonb NOT NULL, metadata jsonb NOT NULL, embedding halfvec, record text NOT NULL, embed_key text NOT NULL,
    unit bigint NOT NULL, words bigint NOT NULL, crc bigint NOT NULL,
    PRIMARY KEY (library, id),
    UNIQUE (library, document_id, chunk_hash),
    FOREIGN KEY (library, document_id) REFERENCES $S.documents (library, id) ON DELETE CASCADE
  );
  CREATE INDEX document_chunks_by_place ON $S.document_chunks (library, document_id, chunk_index);
  CREATE INDEX document_chunks_by_embed_key ON $S.document_chunks (library, embed_key);
  CREATE INDEX document_chunks_by_unit ON $S.document_chunks (library, unit);
  CREATE TABLE $S.strata_records (
    library text NOT NULL REFERENCES $S.strata_libraries (name) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, value text NOT NULL, PRIMARY KEY (library, kind, id)
  );

  CREATE TABLE $S.strata_tombstones (library text NOT NULL, unit bigint NOT NULL, embed_key text, PRIMARY KEY (library, unit));
  CREATE FUNCTION $S.strata_bury_document() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
    INSERT INTO $S.strata_tombstones VALUES (OLD.library, OLD.unit, NULL) ON CONFLICT DO NOTHING; RETURN NULL;
  END $f$;
  CREATE FUNCTION $S.strata_bury_chunk() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
    INSERT INTO $S.strata_tombstones VALUES (OLD.library, OLD.unit, OLD.embed_key) ON CONFLICT DO NOTHING; RETURN NULL;
  END $f$;
  CREATE TRIGGER strata_document_deleted AFTER DELETE ON $S.documents
    FOR EACH ROW EXECUTE FUNCTION $S.strata_bury_document();
  CREATE TRIGGER strata_chunk_deleted AFTER DELETE ON $S.document_chunks
    FOR EACH ROW EXECUTE FUNCTION $S.strata_bury_chunk();

  CREATE TABLE $S.strata_pages (
    library text NOT NULL REFERENCES $S.strata_libraries (name) ON DELETE CASCADE,
    page bigint NOT NULL, generation bigint NOT NULL, data bytea NOT NULL, PRIMARY KEY (library, page)
  );
  CREATE INDEX strata_pages_by_generation ON $S.strata_pages (library, generation);
  CREATE TABLE $S.strata_segments (
    library text NOT NULL REFERENCES $S.strata_libraries (name) ON DELETE CASCADE,
    segment bigint NOT NULL, first_unit bigint NOT NULL, last_unit bigint NOT NULL, units bigint NOT NULL,
    dead bigint NOT NULL, bytes bigint NOT NULL, directory bytea NOT NULL, PRIMARY KEY (library, segment)
  );
  CREATE TABLE $S.strata_blocks (
    library text NOT NULL REFERENCES $S.strata_libraries (name) ON DELETE CASCADE,
    block bigint NOT NULL, data bytea NOT NULL, PRIMARY KEY (library, block)
  );
  ALTER TABLE $S.strata_blocks ALTER COLUMN data SET STORAGE EXTERNAL;

  CREATE TABLE $S.strata_vector_spaces (
    library text NOT NULL REFERENCES $S.strata_libraries (name) ON DELETE CASCADE,
    fingerprint text NOT NULL, dimensions integer NOT NULL, active boolean NOT NULL, PRIMARY KEY (library, fingerprint)
  );
  CREATE TABLE $S.strata_vectors (
    library text NOT NULL, fingerprint text NOT NULL, embed_key text NOT NULL, data bytea NOT NULL, parts bytea,
    PRIMARY KEY (library, embed_key, fingerprint),
    FOREIGN KEY (library, fingerprint) REFERENCES $S.strata_vector_spaces (library, fingerprint) ON DELETE CASCADE
  );
  ALTER TABLE $S.strata_vectors ALTER COLUMN data SET STORAGE EXTERNAL;
  ALTER TABLE $S.strata_vectors ALTER COLUMN parts SET STORAGE EXTERNAL;

  -- What LangChain's Supabase store calls. Without a library in the filter it searches all that the role may see.
  CREATE FUNCTION $S.match_documents(query_embedding vector, match_count integer DEFAULT 10, filter jsonb DEFAULT '{}')
  RETURNS TABLE (id uuid, content text, metadata jsonb, similarity double precision)
  LANGUAGE sql STABLE SET hnsw.ef_search = '200' AS $f$
    SELECT c.id, c.content, c.metadata, 1 - (c.embedding <=> query_embedding::halfvec) FROM $S.document_chunks c
    WHERE c.embedding IS NOT NULL AND c.metadata @> filter
    ORDER BY c.embedding <=> query_embedding::halfvec LIMIT match_count
  $f$;

  -- The nearest chunks of a library, with what a filter asks. Conditions are added only where there are some, so that
  -- the server plans for them.
  CREATE FUNCTION $S.strata_near(wanted text, query text, most bigint, documents uuid[], types text[])
  RETURNS TABLE (id uuid, embed_key text)
  LANGUAGE plpgsql STABLE SET hnsw.ef_search = '200' $I AS $f$
  BEGIN
    RETURN QUERY EXECUTE 'SELECT c.id, c.embed_key FROM $S.document_chunks c WHERE c.library = $1 AND c.embedding IS NOT NULL'
      || CASE WHEN documents IS NULL THEN '' ELSE ' AND c.document_id = ANY($3)' END
      || CASE WHEN types IS NULL THEN '' ELSE ' AND c.content_types ?| $4' END
      || ' ORDER BY c.embedding <=> $2::halfvec LIMIT $5'
      USING wanted, query, documents, types, most;
  END $f$;

  -- Row-level security, as an option: after strata_isolate() a role sees the libraries that strata_share() gave it.
  CREATE TABLE $S.strata_members (member name NOT NULL, library text NOT NULL, PRIMARY KEY (member, library));
  CREATE FUNCTION $S.strata_isolate() RETURNS void LANGUAGE plpgsql AS $f$
  DECLARE t text; DECLARE k text;
  BEGIN
    FOREACH t IN ARRAY ARRAY[$T] LOOP
      k := CASE t WHEN 'strata_libraries' THEN 'name' ELSE 'library' END;
      EXECUTE format('ALTER TABLE $S.%I ENABLE ROW LEVEL SECURITY', t);
      EXECUTE format('DROP POLICY IF EXISTS strata_tenant ON $S.%I', t);
      EXECUTE format('CREATE POLICY strata_tenant ON $S.%I USING (%I IN
        (SELECT m.library FROM $S.strata_members m WHERE m.member = current_user))', t, k);
    END LOOP;
  END $f$;
  CREATE FUNCTION $S.strata_share(wanted text, role name) RETURNS void LANGUAGE plpgsql AS $f$
  DECLARE t text;
  BEGIN
    INSERT INTO $S.strata_members VALUES (role, wanted) ON CONFLICT DO NOTHING;
    EXECUTE format('GRANT USAGE ON SCHEMA $S TO %I', role);
    EXECUTE format('GRANT SELECT ON $S.strata_members, $S.strata_schema TO %I', role);
    FOREACH t IN ARRAY ARRAY[$T] LOOP
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON $S.%I TO %I', t, role);
    END LOOP;
  END $f$;
  `,
  // What a process keeps of a library on its own disk (store/words/words-cache.ts) belongs to this one, not to its name.
  'ALTER TABLE $S.strata_libraries ADD COLUMN identity uuid NOT NULL DEFAULT gen_random_uuid();',
];

export const SCHEMA_VERSION = STEPS.length;

/** All tables with rows of libraries. */
const TABLES = [
  ...['strata_libraries', 'documents', 'document_texts', 'document_sections', 'document_chunks'],
  ...['strata_records', 'strata_tombstones', 'strata_pages', 'strata_segments', 'strata_blocks'],
  ...['strata_vector_spaces', 'strata_vectors'],
];

/** Least of pgvector that knows halfvec. */
const PGVECTOR = [0, 7];

/** Brings the schema to this version, under a lock that other processes wait for, and enters the library. */
export async function migrate(pool: Pool): Promise<void> {
  const { version, isEntered } = await found(pool);
  if (version !== SCHEMA_VERSION) await pool.write((sql) => build(pool, sql));
  if (isEntered) return;
  const { library } = pool.address;
  await pool.write(async (sql) => {
    // A library of this name may have been deleted by hand.
    await sql`DELETE FROM ${pool.table('strata_tombstones')} WHERE library = ${library}`;
    await sql`INSERT INTO ${pool.table('strata_libraries')} (name) VALUES (${library}) ON CONFLICT DO NOTHING`;
  });
}

/** Asked at once, since every command waits for it; version 0 where there is no schema. */
async function found(pool: Pool): Promise<{ readonly version: number; readonly isEntered: boolean }> {
  const { library } = pool.address;
  const rows = await pool.read((sql) =>
    sql`SELECT version, EXISTS (SELECT 1 FROM ${pool.table('strata_libraries')} WHERE name = ${library}) AS is_entered
      FROM ${pool.table('strata_schema')}`.catch((error: { readonly code?: unknown }) => {
      if (NO_TABLE.has(String(error.code))) return [];
      throw error;
    }),
  );
  return { version: checked(pool, Number(rows[0]?.version ?? 0)), isEntered: rows[0]?.is_entered === true };
}

/** Neither table, or not even the schema. */
const NO_TABLE = new Set(['42P01', '3F000']);

function checked(pool: Pool, version: number): number {
  if (version <= SCHEMA_VERSION) return version;
  const message = `${pool.address.shown}: was written by a newer Strata (schema ${version}, this one knows ${SCHEMA_VERSION}); update Strata to open it.`;
  throw new StrataError('STORE_VERSION', message);
}

async function build(pool: Pool, sql: Sql): Promise<void> {
  const { schema } = pool.address;
  await sql`SELECT pg_advisory_xact_lock(hashtext(${`strata ${schema}`}))`;
  const iterates = await needExtension(pool, sql);
  await sql.unsafe(
    `CREATE SCHEMA IF NOT EXISTS ${schema}; CREATE TABLE IF NOT EXISTS ${schema}.strata_schema (version integer NOT NULL)`,
  );
  const [row] = await sql`SELECT version FROM ${pool.table('strata_schema')}`;
  // Another process may have done it while this one waited.
  const version = checked(pool, Number(row?.version ?? 0));
  for (const step of STEPS.slice(version)) {
    const names = TABLES.map((name) => `'${name}'`).join(', ');
    const text = step.replaceAll('$S', schema).replaceAll('$T', names);
    await sql.unsafe(text.replaceAll('$I', iterates ? "SET hnsw.iterative_scan = 'strict_order'" : ''));
  }
  await sql`DELETE FROM ${pool.table('strata_schema')}`;
  await sql`INSERT INTO ${pool.table('strata_schema')} VALUES (${SCHEMA_VERSION})`;
}

/** Says whether its index goes on searching while a filter leaves too few (from 0.8 on). */
async function needExtension(pool: Pool, sql: Sql): Promise<boolean> {
  const [known] = await sql`SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'`;
  const place = pool.address.shown;
  if (known === undefined) {
    const [offered] = await sql`SELECT 1 FROM pg_available_extensions WHERE name = 'vector'`;
    if (offered === undefined) {
      const message = `${place}: the server has no pgvector; install it there (Debian: postgresql-NN-pgvector), or take a server that has it`;
      throw new StrataError('UNSUPPORTED', message);
    }
    const [may] = await sql`SELECT rolsuper OR (SELECT trusted FROM pg_available_extension_versions
      WHERE name = 'vector' ORDER BY version DESC LIMIT 1) AS may FROM pg_roles WHERE rolname = current_user`;
    if (!may!.may) {
      const message = `${place}: the database has no extension "vector", and the role may not create it; let an administrator run CREATE EXTENSION vector there`;
      throw new StrataError('UNSUPPORTED', message);
    }
    await sql`CREATE EXTENSION IF NOT EXISTS vector`;
    return needExtension(pool, sql);
  }
  const [major = 0, minor = 0] = String(known.version).split('.').map(Number);
  if (major > PGVECTOR[0]! || (major === PGVECTOR[0] && minor >= PGVECTOR[1]!))
    return major > 0 || minor >= 8;
  const message = `${place}: the server has pgvector ${known.version}, and 0.7 is needed; run ALTER EXTENSION vector UPDATE`;
  throw new StrataError('UNSUPPORTED', message);
}
