import { join, resolve } from 'node:path';
import type { Driver } from '../../store/driver.js';

const FOLDER = 'lancedb';
const isUrl = (place: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(place);

export const lancedbDriver: Driver = {
  name: 'lancedb',
  usage: 'lancedb:DIR',
  inside: FOLDER,
  place: (written, { cwd }) =>
    written === undefined ? undefined : isUrl(written) ? written : resolve(cwd, written),
  open: async ({ place, location, reindex, cache }) =>
    (await import('./backend.js')).lancedbBackend({ path: place ?? join(location, FOLDER), reindex, cache }),
};
