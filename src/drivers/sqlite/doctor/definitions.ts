import { DatabaseSync } from '@photostructure/sqlite';
import { Connection } from '../connection.js';
import { createTables } from '../schema.js';
import { textOf } from '../values.js';

/** A row of SQLite's own table of tables. */
export interface Definition {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  /** null for an index that SQLite makes by itself. */
  readonly sql: string | null;
}

/**
 * Tables, indices, triggers and views that are not defined as we have defined them. A flipped bit there renames a column
 * or turns a constraint into another, and no checksum of SQLite's covers it. What somebody has added is theirs.
 */
export function damagedDefinitions(connection: Connection): readonly Definition[] {
  const found = new Map(definitionsIn(connection).map((definition) => [definition.name, definition]));
  return expected().filter((own) => {
    const there = found.get(own.name);
    return there?.sql !== own.sql || there.type !== own.type || there.tbl_name !== own.tbl_name;
  });
}

/** Writes them as they should be. Rows whose very name is damaged stay: then the library is made anew. */
export function restoreDefinitions(path: string, damaged: readonly Definition[]): void {
  const database = new DatabaseSync(path, { defensive: false });
  try {
    database.exec('PRAGMA writable_schema = ON; BEGIN IMMEDIATE');
    const write = database.prepare('UPDATE sqlite_schema SET type = ?, tbl_name = ?, sql = ? WHERE name = ?');
    for (const { type, tbl_name, sql, name } of damaged) write.run(type, tbl_name, sql, name);
    const { schema_version } = database.prepare('PRAGMA schema_version').get() as { schema_version: number };
    // Whoever has the file open reads the definitions again.
    database.exec(`PRAGMA schema_version = ${schema_version + 1}; COMMIT`);
  } finally {
    database.close();
  }
}

let known: readonly Definition[] | undefined;

/** As a new library has them. */
function expected(): readonly Definition[] {
  if (known === undefined) {
    const fresh = new Connection(':memory:', { patience: 0 });
    createTables(fresh);
    known = definitionsIn(fresh);
    fresh.close();
  }
  return known;
}

const definitionsIn = (connection: Connection): Definition[] =>
  connection
    .all('SELECT type, name, tbl_name, sql FROM sqlite_schema')
    .map(([type, name, tbl_name, sql]) => ({
      type: textOf(type),
      name: textOf(name),
      tbl_name: textOf(tbl_name),
      sql: sql === null ? null : textOf(sql),
    }));
