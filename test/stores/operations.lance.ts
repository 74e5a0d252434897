import { join } from 'node:path';
import { describeOperations } from './operations.suite.js';

describeOperations('lancedb', () => ({ spec: 'lancedb' }));
describeOperations('lancedb elsewhere', (folder) => ({ spec: `lancedb:${join(folder, 'lance')}` }));
describeOperations('json', () => ({ spec: 'json' }));
describeOperations('sqlite', () => ({ spec: 'sqlite' }));
