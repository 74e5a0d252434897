import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeBackend } from '../../store/backend.suite.js';
import { describeProperty } from '../../store/property.suite.js';
import { jsonBackend } from './backend.js';

const create = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-json-'));
  return {
    open: () => jsonBackend({ path: join(folder, 'library') }),
    dispose: () => rm(folder, { recursive: true }),
  };
};

describeBackend('json', create);
describeProperty('json', create, { runs: 40, steps: 30 });
