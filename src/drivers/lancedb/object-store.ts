import { StrataError } from '../../model/errors.js';

/** A place as LanceDB is given it. */
export interface LancePlace {
  readonly uri: string;
  /** LanceDB's own options of an object store: `region`, `endpoint`, `allow_http`, … */
  readonly options?: Readonly<Record<string, string>>;
}

/** Whatever is a secret comes from the environment: places are written down, and shown. */
const SECRET = /secret|password|token|credential|access_key|account_key/i;

/** The options of an object store stand in its URL, so that whoever is asked to trust the place sees them, too. */
export function lancePlace(place: string): LancePlace {
  const at = place.includes('://') ? place.indexOf('?') : -1;
  if (at < 0) return { uri: place };
  const options = Object.fromEntries(new URLSearchParams(place.slice(at + 1)));
  const secret = Object.keys(options).find((name) => SECRET.test(name));
  if (secret !== undefined) {
    const message = `the store's address has "${secret}" in it; give that by the environment (${secret.toUpperCase()})`;
    throw new StrataError('INVALID_ARGUMENT', message);
  }
  return { uri: place.slice(0, at), options };
}
