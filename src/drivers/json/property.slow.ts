import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProperty } from '../../store/property.suite.js';
import { jsonBackend } from './backend.js';

const create = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-json-'));
  return {
    open: () => jsonBackend({ path: join(folder, 'library') }),
    dispose: () => rm(folder, { recursive: true }),
  };
};

describeProperty('json, at length', create, { runs: 150, steps: 60 });
