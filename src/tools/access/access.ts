import type { Library } from '../../engine/library.js';
import { partsOf } from '../../engine/open-library.js';
import { type AccessBook, accessBook } from './access-book.js';
import { addGrant, type GrantDetails, listGrants, removeGrant } from './grants.js';
import { createKey, type KeyDetails, type KeyRequest, listKeys, revokeKey } from './keys.js';
import type { GrantRole, Role } from './principal.js';
import { addUser, listUsers, removeUser, setRole, type UserDetails } from './users.js';

/** The users of a library, what they call with and what they may use. Who may manage them is the caller's question. */
export interface Access extends AccessBook {
  addUser(name: string, role: Role): Promise<UserDetails>;
  setRole(name: string, role: Role): Promise<UserDetails>;
  listUsers(): Promise<readonly UserDetails[]>;
  removeUser(name: string): Promise<UserDetails>;
  createKey(request: KeyRequest): Promise<KeyDetails & { readonly key: string }>;
  listKeys(user?: string): Promise<readonly KeyDetails[]>;
  revokeKey(key: string): Promise<KeyDetails>;
  addGrant(grant: GrantRequest & { readonly role: GrantRole }): Promise<GrantDetails>;
  listGrants(user?: string): Promise<readonly GrantDetails[]>;
  removeGrant(grant: GrantRequest): Promise<GrantDetails>;
}

export interface GrantRequest {
  readonly user: string;
  /** `table:laws` */
  readonly resource: string;
}

export function accessOf(library: Library): Access {
  const { backend } = partsOf(library);
  return {
    ...accessBook(backend),
    addUser: (name, role) => addUser(backend, name, role),
    setRole: (name, role) => setRole(backend, name, role),
    listUsers: () => listUsers(backend),
    removeUser: (name) => removeUser(backend, name),
    createKey: (request) => createKey(backend, request),
    listKeys: (user) => listKeys(backend, user),
    revokeKey: (key) => revokeKey(backend, key),
    addGrant: (grant) => addGrant(backend, grant),
    listGrants: (user) => listGrants(backend, user),
    removeGrant: (grant) => removeGrant(backend, grant),
  };
}
