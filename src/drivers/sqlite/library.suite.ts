import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { onTestFinished } from 'vitest';
import type { Backend } from '../../store/backend.js';
import { sampleReindex } from '../../store/sample.js';
import { type SqliteOptions, sqliteBackend } from './backend.js';

/** A library in a folder of its own, for one test; everything is closed and removed after it. */
export function temporaryLibrary(): {
  readonly path: string;
  open(options?: Partial<SqliteOptions>): Promise<Backend>;
  /** The file as any other program sees it. */
  raw(): DatabaseSyncInstance;
} {
  const folder = mkdtempSync(join(tmpdir(), 'strata-sqlite-'));
  const path = join(folder, 'library.db');
  const closing: (() => unknown)[] = [];
  onTestFinished(async () => {
    for (const close of closing) await close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    path,
    open: async (options = {}) => {
      const backend = await sqliteBackend({ path, reindex: sampleReindex, ...options });
      closing.push(() => backend.close());
      return backend;
    },
    raw: () => {
      const database = new DatabaseSync(path);
      closing.push(() => database.isOpen && database.close());
      return database;
    },
  };
}
