import { join } from 'node:path';
import type { Driver } from '../../store/driver.js';

const FILE = 'library.db';

export const sqliteDriver: Driver = {
  name: 'sqlite',
  usage: 'sqlite:FILE',
  inside: FILE,
  open: async ({ place, location, reindex }) =>
    (await import('./backend.js')).sqliteBackend({ path: place ?? join(location, FILE), reindex }),
  pack: async () => (await import('./records/packed-document.js')).packDocument,
};
