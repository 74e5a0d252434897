import { randomUUID } from 'node:crypto';
import { StrataError } from '../../model/errors.js';
import type { Backend, Change } from '../../store/backend.js';
import type { Role } from './principal.js';
import {
  grantId,
  isUserName,
  KINDS,
  storedGrants,
  storedKeys,
  storedUsers,
  type User,
} from './stored-access.js';

/** A user with what belongs to them, as lists show it. */
export interface UserDetails extends Omit<User, 'id'> {
  readonly keys: number;
  readonly grants: number;
}

type Records = NonNullable<Change['records']>;

const unknown = (name: string): StrataError =>
  new StrataError('NOT_FOUND', `user ${name}: there is none; \`strata user list\` shows who there is`);

export async function userNamed(backend: Backend, name: string): Promise<User> {
  const user = (await storedUsers(backend)).find((one) => one.name === name);
  if (user === undefined) throw unknown(name);
  return user;
}

export async function addUser(backend: Backend, name: string, role: Role): Promise<UserDetails> {
  if (!isUserName(name)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      'name: a user’s name has 1 to 64 letters, digits and . _ @ + -, and starts with a letter or digit',
    );
  }
  if ((await storedUsers(backend)).some((one) => one.name === name)) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `user ${name}: there is one already; \`strata user set ${name} --role ${role}\` changes the role`,
    );
  }
  const user: User = { name, id: randomUUID(), role, created_at: new Date().toISOString() };
  await backend.commit({ records: [{ kind: KINDS.user, id: name, value: { ...user } }] });
  return detailsOf(user, 0, 0);
}

export async function setRole(backend: Backend, name: string, role: Role): Promise<UserDetails> {
  const user = { ...(await userNamed(backend, name)), role };
  await backend.commit({ records: [{ kind: KINDS.user, id: name, value: user }] });
  const [found] = (await listUsers(backend)).filter((one) => one.name === name);
  return found ?? detailsOf(user, 0, 0);
}

export async function listUsers(backend: Backend): Promise<readonly UserDetails[]> {
  const [users, keys, grants] = await Promise.all([
    storedUsers(backend),
    storedKeys(backend),
    storedGrants(backend),
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
  const keys = (await storedKeys(backend)).filter((key) => key.user === name);
  const grants = (await storedGrants(backend)).filter((grant) => grant.user === name);
  const records: Records = [
    { kind: KINDS.user, id: name, value: null },
    ...keys.map(({ id }) => ({ kind: KINDS.key, id, value: null })),
    ...grants.map((grant) => ({ kind: KINDS.grant, id: grantId(grant), value: null })),
  ];
  await backend.commit({ records });
  return detailsOf(user, keys.length, grants.length);
}

const detailsOf = ({ name, role, created_at }: User, keys: number, grants: number): UserDetails => ({
  name,
  role,
  created_at,
  keys,
  grants,
});
