import { DatabaseSync } from '@photostructure/sqlite';
import { StrataError } from '../../model/errors.js';
import { Connection } from './connection.js';
import { createTables, schemaVersion } from './schema.js';
import { textOf } from './values.js';

/** A row of SQLite's own table of tables. */
export interface Definition {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  /** null for an index that SQLite makes by itself. */
  readonly sql: string | null;
  /** It is not one of ours at all. */
  readonly isForeign: boolean;
}

/**
 * Tables, indices, triggers and views that are not exactly those of a library of this version. A flipped bit renames a
 * column or turns a constraint into another, and no checksum of SQLite's covers it; a library of somebody else's may have
 * a view that never ends in the place of a table, or triggers that do anything when a row is written.
 */
export function wrongDefinitions(connection: Connection): readonly Definition[] {
  return connection.read(() => compare(expected(schemaVersion(connection)), definitionsIn(connection)));
}

function compare(own: readonly Definition[], there: readonly Definition[]): readonly Definition[] {
  const names = new Set(own.map(({ name }) => name));
  const byName = new Map(there.map((definition) => [definition.name, definition]));
  const damaged = own.filter((definition) => {
    const found = byName.get(definition.name);
    return (
      found?.sql !== definition.sql ||
      found.type !== definition.type ||
      found.tbl_name !== definition.tbl_name
    );
  });
  const foreign = there.filter(
    ({ name, type }) => !names.has(name) && !(type === 'table' && STATISTICS.test(name)),
  );
  return [...damaged, ...foreign.map((definition) => ({ ...definition, isForeign: true }))];
}

/** What `ANALYZE` leaves: numbers for the planner. */
const STATISTICS = /^sqlite_stat[1-4]$/;

/** Nothing is asked of a file whose definitions are wrong: `check` opens it by itself. True where all is as it should be. */
export function trustDefinitions(connection: Connection): boolean {
  const [wrong] = wrongDefinitions(connection);
  if (wrong === undefined) return true;
  const problem = wrong.isForeign ? 'is not one of Strata’s' : 'is damaged';
  connection.distrust(
    new StrataError(
      'STORE_DAMAGED',
      `${connection.path}: its ${wrong.type} ${wrong.name.slice(0, 100)} ${problem}; nothing in it is used. Run \`strata doctor --fix\`, or remove the library if it is not yours`,
    ),
  );
  return false;
}

/**
 * Writes them as they should be and takes out foreign views and triggers, which hold no data. What else is foreign, and
 * rows whose very name is damaged, stay: then the library is made anew.
 */
export function restoreDefinitions(path: string, wrong: readonly Definition[]): void {
  const database = new DatabaseSync(path, { defensive: false });
  try {
    database.exec('PRAGMA writable_schema = ON; BEGIN IMMEDIATE');
    const write = database.prepare('UPDATE sqlite_schema SET type = ?, tbl_name = ?, sql = ? WHERE name = ?');
    const remove = database.prepare('DELETE FROM sqlite_schema WHERE name = ? AND rootpage = 0');
    for (const { type, tbl_name, sql, name, isForeign } of wrong) {
      if (isForeign) remove.run(name);
      else write.run(type, tbl_name, sql, name);
    }
    const { schema_version } = database.prepare('PRAGMA schema_version').get() as { schema_version: number };
    // Whoever has the file open reads the definitions again.
    database.exec(`PRAGMA schema_version = ${schema_version + 1}; COMMIT`);
  } finally {
    database.close();
  }
}

const known = new Map<number, readonly Definition[]>();

/** As a library of this version has them. */
function expected(version: number): readonly Definition[] {
  let definitions = known.get(version);
  if (definitions === undefined) {
    const fresh = new Connection(':memory:', { patience: 0 });
    createTables(fresh, version);
    definitions = definitionsIn(fresh);
    known.set(version, definitions);
    fresh.close();
  }
  return definitions;
}

/** Longer than any of ours, and more of them: whatever is beyond is wrong anyway. */
const MOST_CHARACTERS = 10_000;
const MOST_DEFINITIONS = 1_000;

const definitionsIn = (connection: Connection): Definition[] =>
  connection
    .all(
      `SELECT type, name, tbl_name, substr(sql, 1, ${MOST_CHARACTERS}) FROM sqlite_schema LIMIT ${MOST_DEFINITIONS}`,
    )
    .map(([type, name, tbl_name, sql]) => ({
      type: textOf(type),
      name: textOf(name),
      tbl_name: textOf(tbl_name),
      sql: sql === null ? null : textOf(sql),
      isForeign: false,
    }));
