import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeBackend } from '../../store/backend.suite.js';
import { describeProperty } from '../../store/property.suite.js';
import { sampleReindex } from '../../store/sample.js';
import { sqliteBackend } from './backend.js';

const create = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-sqlite-'));
  return {
    open: () => sqliteBackend({ path: join(folder, 'library.db'), reindex: sampleReindex }),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
};

describeBackend('sqlite', create);
describeProperty('sqlite', create, { runs: 50, steps: 30 });
