import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/**
 * A key is `strata_<id>_<secret>`. The id is public and names the key in lists and logs; the secret is 256 random bits,
 * shown once and kept as a digest.
 *
 * The digest is HMAC-SHA-256 with the id as its key, and fast on purpose: slow ones (scrypt, argon2) protect passwords,
 * which people choose and others can guess. Nobody guesses 256 random bits at any speed, and a slow digest would let
 * strangers keep a server busy with wrong keys. The id in it makes the digest worth nothing under another id.
 */
const PREFIX = 'strata_';
const KEY = /^strata_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/;
const KEY_ID = /^[a-z0-9]{12}$/;
const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 12;
const SECRET_BYTES = 32;

export const isKeyId = (value: unknown): value is string => typeof value === 'string' && KEY_ID.test(value);

export interface NewKey {
  readonly id: string;
  readonly digest: string;
  /** The whole key: for its holder's eyes, once. */
  readonly key: string;
}

const digestOf = (id: string, secret: string): Buffer => createHmac('sha256', id).update(secret).digest();

export function makeKey(): NewKey {
  const id = Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join('');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { id, digest: digestOf(id, secret).toString('hex'), key: `${PREFIX}${id}_${secret}` };
}

/** What lists, logs and messages show of a key. */
export const prefixOf = ({ id }: { readonly id: string }): string => `${PREFIX}${id}`;

/** The id in a key, a prefix or an id; null where there is none. The secret, if it is there, is left behind. */
export function keyIdIn(text: string): string | null {
  const id = KEY.exec(text)?.[1] ?? (text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);
  return isKeyId(id) ? id : null;
}

export function readKey(text: string): { readonly id: string; readonly secret: string } | null {
  const [, id, secret] = KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

export const isSecretOf = ({ id, secret }: { id: string; secret: string }, digest: string): boolean =>
  timingSafeEqual(digestOf(id, secret), Buffer.from(digest, 'hex'));
