import { join } from 'node:path';
import type { Driver } from '../../store/driver.js';

const FOLDER = 'json';

export const jsonDriver: Driver = {
  name: 'json',
  usage: 'json:DIR',
  inside: FOLDER,
  open: async ({ place, location, reindex }) =>
    (await import('./backend.js')).jsonBackend({ path: place ?? join(location, FOLDER), reindex }),
};
