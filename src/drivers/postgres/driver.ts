import type { Driver } from '../../store/driver.js';
import { addressOf, keptPlace, placeOfAddress } from './address.js';

export const postgresDriver: Driver = {
  name: 'postgres',
  usage: 'postgres://HOST/DATABASE',
  place: (written, { location }) => placeOfAddress(written, location),
  kept: keptPlace,
  open: async ({ place, location, isAsked, reindex, cache }) => {
    const address = addressOf(place, { location, isAsked });
    return (await import('./backend.js')).postgresBackend({ address, reindex, cache });
  },
};
