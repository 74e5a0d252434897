import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describeBackend } from '../../store/backend.suite.js';
import { describeProperty } from '../../store/property.suite.js';
import { sampleReindex } from '../../store/sample.js';
import { sqliteBackend } from './backend.js';

const create = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-sqlite-'));
  return {
    open: () => sqliteBackend({ path: join(folder, 'library.db'), reindex: sampleReindex }),
    spoil: async (id: string) => {
      const database = new DatabaseSync(join(folder, 'library.db'));
      database.prepare('UPDATE knowledge_chunks SET content = ? WHERE id = ?').run('spoilt', id);
      database.close();
    },
    dispose: async () => rmSync(folder, { recursive: true }),
  };
};

describeBackend('sqlite', create);
describeProperty('sqlite', create, { runs: 50, steps: 30 });
