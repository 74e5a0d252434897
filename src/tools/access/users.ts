import { randomUUID } from 'node:crypto';
import { StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';
import type { Role } from './principal.js';
import { GRANTS, grantId, isUserName, KEYS, USERS, type User } from './stored-access.js';

/** A user with what belongs to them, as lists show it. */
export interface UserDetails extends Omit<User, 'id'> {
  readonly keys: number;
  readonly grants: number;
}

export const unknownUser = (name: string): StrataError =>
  new StrataError('NOT_FOUND', `user ${name}: there is none; \`strata user list\` shows who there is`);

export async function userNamed(backend: Backend, name: string): Promise<User> {
  const user = await USERS.read(backend, name);
  if (user === null) throw unknownUser(name);
  return user;
}

export async function addUser(backend: Backend, name: string, role: Role): Promise<UserDetails> {
  if (!isUserName(name)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      'name: a user’s name has 1 to 64 letters, digits and . _ @ + -, and starts with a letter or digit',
    );
  }
  if ((await USERS.read(backend, name)) !== null) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `user ${name}: there is one already; \`strata user set ${name} --role ${role}\` changes the role`,
    );
  }
  const user: User = { name, id: randomUUID(), role, created_at: new Date().toISOString() };
  await backend.commit({ records: [USERS.put(user)] });
  return detailsOf(user, 0, 0);
}

export async function setRole(backend: Backend, name: string, role: Role): Promise<UserDetails> {
  const user = { ...(await userNamed(backend, name)), role };
  await backend.commit({ records: [USERS.put(user)] });
  return (await listUsers(backend)).find((one) => one.name === name) ?? detailsOf(user, 0, 0);
}

export async function listUsers(backend: Backend): Promise<readonly UserDetails[]> {
  const [users, keys, grants] = await Promise.all([
    USERS.readAll(backend),
    KEYS.readAll(backend),
    GRANTS.readAll(backend),
  ]);
  return users.map((user) => {
    const isTheirs = ({ user_id }: { user_id: string }): boolean => user_id === user.id;
    const usable = keys.filter((key) => isTheirs(key) && key.revoked_at === null);
    return detailsOf(user, usable.length, grants.filter(isTheirs).length);
  });
}

/** With all keys and grants, in one step: nobody is left who could still call. */
export async function removeUser(backend: Backend, name: string): Promise<UserDetails> {
  const user = await userNamed(backend, name);
  const keys = (await KEYS.readAll(backend)).filter((key) => key.user === name);
  const grants = (await GRANTS.readAll(backend)).filter((grant) => grant.user === name);
  await backend.commit({
    records: [
      USERS.remove(name),
      ...keys.map(({ id }) => KEYS.remove(id)),
      ...grants.map((grant) => GRANTS.remove(grantId(grant))),
    ],
  });
  return detailsOf(user, keys.length, grants.length);
}

const detailsOf = ({ name, role, created_at }: User, keys: number, grants: number): UserDetails => ({
  name,
  role,
  created_at,
  keys,
  grants,
});
