import { StrataError } from '../../model/errors.js';
import type { Connection } from './connection.js';
import { createState } from './state.js';

/** "STRA": lets `file` and us tell a library from any other SQLite file. */
const APPLICATION_ID = 0x53545241;

/**
 * One step a schema version; a library is brought up step by step, in one transaction. Steps are never edited once
 * released: a change of the schema is a new step.
 *
 * `knowledge_items` and `knowledge_chunks` are the seed's tables in its own words (heading for our title, item_id
 * for our doc_id); the views `documents` and `chunks` give them in ours. Whatever deletes a row of them, be it a
 * person with the sqlite3 shell, leaves a tombstone, so that words and vectors follow.
 */
export const STEPS: readonly string[] = [
  `
  CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    generation INTEGER NOT NULL, index_version INTEGER NOT NULL,
    next_unit INTEGER NOT NULL, next_segment INTEGER NOT NULL, purged INTEGER NOT NULL,
    merger TEXT NOT NULL, merger_until INTEGER NOT NULL, crc INTEGER NOT NULL
  );

  CREATE TABLE knowledge_items (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL UNIQUE,
    source_path TEXT NOT NULL,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    hash TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    chunk_count INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    unit INTEGER NOT NULL,
    words INTEGER NOT NULL,
    crc INTEGER NOT NULL
  );
  CREATE TABLE knowledge_chunks (
    unit INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_id TEXT NOT NULL REFERENCES knowledge_items (id) ON DELETE CASCADE,
    chunk_index INTEGER NOT NULL,
    content TEXT NOT NULL,
    heading TEXT NOT NULL,
    start_position INTEGER NOT NULL,
    end_position INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    content_type TEXT NOT NULL,
    details TEXT NOT NULL,
    embed_key NOT NULL,
    words INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    UNIQUE (item_id, chunk_index)
  );
  CREATE INDEX chunks_by_embed_key ON knowledge_chunks (embed_key);
  CREATE TABLE item_texts (
    n INTEGER PRIMARY KEY REFERENCES knowledge_items (n) ON DELETE CASCADE,
    text BLOB NOT NULL,
    structure BLOB NOT NULL
  );
  CREATE TABLE records (
    kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;

  CREATE TABLE tombstones (unit INTEGER PRIMARY KEY, embed_key);
  CREATE TRIGGER item_deleted AFTER DELETE ON knowledge_items BEGIN
    INSERT OR REPLACE INTO tombstones VALUES (OLD.unit, NULL);
  END;
  CREATE TRIGGER chunk_deleted AFTER DELETE ON knowledge_chunks BEGIN
    INSERT OR REPLACE INTO tombstones VALUES (OLD.unit, OLD.embed_key);
  END;

  CREATE TABLE unit_pages (page INTEGER PRIMARY KEY, generation INTEGER NOT NULL, data BLOB NOT NULL);
  CREATE INDEX unit_pages_by_generation ON unit_pages (generation);
  CREATE TABLE segments (
    segment INTEGER PRIMARY KEY,
    stage INTEGER NOT NULL,
    first_unit INTEGER NOT NULL, last_unit INTEGER NOT NULL,
    units INTEGER NOT NULL, dead INTEGER NOT NULL, bytes INTEGER NOT NULL,
    directory BLOB NOT NULL,
    crc INTEGER NOT NULL
  );
  CREATE TABLE segment_blocks (block INTEGER PRIMARY KEY, data BLOB NOT NULL);

  CREATE TABLE vector_spaces (
    space INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL, active INTEGER NOT NULL,
    epoch INTEGER NOT NULL
  );
  CREATE TABLE vectors (
    slot INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL REFERENCES vector_spaces (space) ON DELETE CASCADE,
    embed_key NOT NULL, data BLOB NOT NULL,
    UNIQUE (embed_key, space)
  );
  CREATE TABLE vector_sketches (
    segment INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL REFERENCES vector_spaces (space) ON DELETE CASCADE,
    last_slot INTEGER NOT NULL, count INTEGER NOT NULL, data BLOB NOT NULL
  );
  CREATE INDEX sketches_by_slot ON vector_sketches (space, last_slot);
  CREATE TABLE vectors_gone (n INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, slot INTEGER NOT NULL);
  CREATE TRIGGER vector_deleted AFTER DELETE ON vectors
    WHEN EXISTS (SELECT 1 FROM vector_spaces WHERE space = OLD.space) BEGIN
    INSERT INTO vectors_gone (space, slot) VALUES (OLD.space, OLD.slot);
  END;

  CREATE VIEW documents AS SELECT
    id, source, source_path, title, summary, hash, updated_at, chunk_count, metadata FROM knowledge_items;
  CREATE VIEW chunks AS SELECT
    id, item_id AS doc_id, chunk_index, heading AS title, content, content_type, start_position, end_position,
    json_extract(details, '$.title_path') AS title_path, json_extract(details, '$.hash') AS hash, metadata
    FROM knowledge_chunks;
  CREATE VIEW chunk_index AS SELECT id AS chunk_id, item_id, chunk_index, heading, content FROM knowledge_chunks;
  `,
  // Beside the vectors, not in their rows: every question reads a thousand of those, and parts of a hundred.
  `
  CREATE TABLE vector_parts (
    slot INTEGER PRIMARY KEY REFERENCES vectors (slot) ON DELETE CASCADE,
    data BLOB NOT NULL
  );
  `,
  // All types that a chunk holds. Rows of earlier versions name the main one only.
  `
  DROP VIEW chunks;
  CREATE VIEW chunks AS SELECT
    id, item_id AS doc_id, chunk_index, heading AS title, content, content_type,
    coalesce(json_extract(details, '$.content_types'), json_array(content_type)) AS content_types,
    start_position, end_position, json_extract(details, '$.title_path') AS title_path,
    json_extract(details, '$.hash') AS hash, metadata
    FROM knowledge_chunks;
  `,
];

export const SCHEMA_VERSION = STEPS.length;

/** The version of the file; 0 for a new one. Throws for a file that is no library or a newer one. */
export function schemaVersion(connection: Connection): number {
  const version = Number(connection.get('PRAGMA user_version')![0]);
  const application = Number(connection.get('PRAGMA application_id')![0]);
  if (version > SCHEMA_VERSION) {
    const message = `${connection.path} was written by a newer Strata (schema ${version}, this one knows ${SCHEMA_VERSION}); update Strata to open it.`;
    throw new StrataError('STORE_VERSION', message);
  }
  const [tables] = connection.get('SELECT count(*) FROM sqlite_schema')!;
  if (application !== APPLICATION_ID && (version !== 0 || Number(tables) > 0)) {
    throw new StrataError('STORE_VERSION', `${connection.path} is an SQLite file, but not a Strata library.`);
  }
  return version;
}

/** All of a version, in an empty file. */
export function createTables(connection: Connection, version = SCHEMA_VERSION): void {
  for (const step of STEPS.slice(0, version)) connection.exec(step);
}

/** Brings the file to this version, in one transaction that other processes wait for. */
export async function migrate(connection: Connection): Promise<void> {
  if (schemaVersion(connection) === SCHEMA_VERSION) return;
  await connection.write(() => {
    // Another process may have done it while this one waited.
    const steps = STEPS.slice(schemaVersion(connection));
    for (const step of steps) connection.exec(step);
    if (steps.length === STEPS.length) createState(connection);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}
