import type { Backend } from '../../store/backend.js';
import { isSecretOf, prefixOf, readKey } from './key-secret.js';
import { stateOf } from './keys.js';
import { accessOfRole, type HeldGrant, type Principal } from './principal.js';
import { GRANTS, KEYS, type Key, USERS, type User } from './stored-access.js';
import { unknownUser } from './users.js';

/** Who is behind a key, or why nobody is. Only the holder of the right secret learns that it expired or was revoked. */
export type Identified = { readonly principal: Principal } | { readonly refused: string | null };

/** Says who calls, by what the library knows now: another process may have revoked a key a moment ago. */
export interface AccessBook {
  /** A library with users asks everybody for a key. */
  hasUsers(): Promise<boolean>;
  identify(key: string): Promise<Identified>;
  /** The user as such, without a key: `--as`. */
  principalNamed(name: string): Promise<Principal>;
}

interface Snapshot {
  readonly generation: number;
  readonly users: ReadonlyMap<string, User>;
  readonly keys: ReadonlyMap<string, Key>;
  /** By the user's id. */
  readonly grants: ReadonlyMap<string, readonly HeldGrant[]>;
}

export function accessBook(backend: Backend, now: () => number = Date.now): AccessBook {
  let last: Snapshot | null = null;
  const current = async (): Promise<Snapshot> => {
    const generation = await backend.generation();
    if (last?.generation !== generation) last = await read(backend, generation);
    return last;
  };
  return {
    hasUsers: async () => (await current()).users.size > 0,
    async identify(text) {
      const given = readKey(text);
      if (given === null) return { refused: null };
      const { users, keys, grants } = await current();
      const key = keys.get(given.id);
      if (key === undefined || !isSecretOf(given, key.digest)) return { refused: null };
      const user = users.get(key.user);
      // The user was removed while the key was made: it is nobody's, also when the name is given again.
      if (user === undefined || user.id !== key.user_id) return { refused: null };
      const state = stateOf(key, now());
      if (state !== 'active') {
        const ended = state === 'revoked' ? 'revoked' : `valid until ${key.expires_at}`;
        return { refused: `the key ${prefixOf(key)} was ${ended}; ask the library's owner for a new one` };
      }
      return { principal: principalOf(user, prefixOf(key), grants) };
    },
    async principalNamed(name) {
      const { users, grants } = await current();
      const user = users.get(name);
      if (user === undefined) throw unknownUser(name);
      return principalOf(user, `user:${user.name}`, grants);
    },
  };
}

async function read(backend: Backend, generation: number): Promise<Snapshot> {
  const [users, keys, grants] = await Promise.all([
    USERS.readAll(backend),
    KEYS.readAll(backend),
    GRANTS.readAll(backend),
  ]);
  const held = new Map<string, HeldGrant[]>();
  for (const { user_id, kind, id, role } of grants) {
    const theirs = held.get(user_id) ?? [];
    theirs.push({ kind, id, access: accessOfRole(role) });
    held.set(user_id, theirs);
  }
  return {
    generation,
    users: new Map(users.map((user) => [user.name, user])),
    keys: new Map(keys.map((key) => [key.id, key])),
    grants: held,
  };
}

const principalOf = (user: User, key: string, grants: Snapshot['grants']): Principal => ({
  kind: 'user',
  name: user.name,
  access: accessOfRole(user.role),
  grants: grants.get(user.id) ?? [],
  key,
});
