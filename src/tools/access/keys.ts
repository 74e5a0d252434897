import { StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import { keyIdIn, makeKey, prefixOf } from './key-secret.js';
import { KEYS, type Key } from './stored-access.js';
import { userNamed } from './users.js';

/** A key as lists show it: nothing of the secret, nor of its digest. */
export interface KeyDetails {
  readonly prefix: string;
  readonly user: string;
  readonly label: string | null;
  readonly state: KeyState;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export interface KeyRequest {
  readonly user: string;
  readonly label?: string | undefined;
  /** `30d`, `12h`, `2026-12-31`, `never`. */
  readonly expires: string;
}

export const stateOf = ({ revoked_at, expires_at }: Key, now: number): KeyState => {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
};

/** The answer holds the key itself: the only time that anybody sees it. */
export async function createKey(
  backend: Backend,
  { user: name, label, expires }: KeyRequest,
  now = Date.now(),
): Promise<KeyDetails & { readonly key: string }> {
  const expires_at = expiryOf(expires, now);
  if (label !== undefined && (label === '' || label.length > 200)) {
    throw new StrataError('INVALID_ARGUMENT', 'label: 1 to 200 characters');
  }
  const user = await userNamed(backend, name);
  const { id, digest, key } = makeKey();
  const made: Key = {
    id,
    user: name,
    user_id: user.id,
    label: label ?? null,
    digest,
    created_at: new Date(now).toISOString(),
    expires_at,
    revoked_at: null,
  };
  await backend.commit({ records: [KEYS.put(made)] });
  return { ...detailsOf(made, now), key };
}

export async function listKeys(
  backend: Backend,
  user?: string,
  now = Date.now(),
): Promise<readonly KeyDetails[]> {
  if (user !== undefined) await userNamed(backend, user);
  const keys = (await KEYS.readAll(backend)).filter((key) => user === undefined || key.user === user);
  return keys
    .toSorted((a, b) => a.user.localeCompare(b.user) || a.created_at.localeCompare(b.created_at))
    .map((key) => detailsOf(key, now));
}

/** By its prefix, or by the whole key; no message repeats more of it than the prefix. Revoking twice changes nothing. */
export async function revokeKey(backend: Backend, text: string, now = Date.now()): Promise<KeyDetails> {
  const id = keyIdIn(text);
  const key = id === null ? null : await KEYS.read(backend, id);
  if (key === null) {
    const which = id === null ? 'key' : `key ${prefixOf({ id })}`;
    throw new StrataError('NOT_FOUND', `${which}: there is none; \`strata key list\` shows the prefixes`);
  }
  const revoked: Key = { ...key, revoked_at: key.revoked_at ?? new Date(now).toISOString() };
  await backend.commit({ records: [KEYS.put(revoked)] });
  return detailsOf(revoked, now);
}

const detailsOf = (key: Key, now: number): KeyDetails => ({
  prefix: prefixOf(key),
  user: key.user,
  label: key.label,
  state: stateOf(key, now),
  created_at: key.created_at,
  expires_at: key.expires_at,
  revoked_at: key.revoked_at,
});

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = {
  h: HOUR,
  d: 24 * HOUR,
  w: 7 * 24 * HOUR,
  y: 365 * 24 * HOUR,
};
/** Longer than that is `never`, and should be called so. */
const LONGEST_YEARS = 100;

function expiryOf(text: string, now: number): string | null {
  if (text === 'never') return null;
  const [, count, unit] = /^([1-9]\d{0,5})([hdwy])$/.exec(text) ?? [];
  const moment =
    unit === undefined
      ? Date.parse(/^\d{4}-\d\d-\d\d/.test(text) ? text : '')
      : now + Number(count) * UNITS[unit]!;
  if (Number.isNaN(moment) || moment > now + LONGEST_YEARS * UNITS.y!) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `expires: "${text}" is no end of a key; write 12h, 30d, 8w, 1y, a date (2026-12-31) or never`,
    );
  }
  if (moment <= now)
    throw new StrataError('INVALID_ARGUMENT', `expires: ${text} has passed already; name a later day`);
  return new Date(moment).toISOString();
}
