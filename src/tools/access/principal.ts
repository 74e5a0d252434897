/**
 * What a caller may do with a library. Each level includes the ones before it; `none` is somebody who is known but may
 * use only what was granted to them by name.
 */
const ACCESS_LEVELS = ['none', 'read', 'write', 'owner'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** What people call the levels. A user without a role has access to what was granted, and to nothing else. */
export const ROLES = ['none', 'reader', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const accessOfRole = (role: Role): AccessLevel => ACCESS_LEVELS[ROLES.indexOf(role)] ?? 'none';

/** What grants are about. Documents are not among them: they belong to the library's readers. */
export const RESOURCE_KINDS = ['table', 'tool', 'endpoint'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Owners are owners of the whole library. */
export const GRANT_ROLES = ['reader', 'editor'] as const;
export type GrantRole = (typeof GRANT_ROLES)[number];

/** What was granted to somebody for one resource, beyond their role in the library. */
export interface HeldGrant {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly access: AccessLevel;
}

/** Who calls. Over stdio and on the command line it is the person who started the program. */
export interface Principal {
  /** How the caller is known: as the person at this machine, by a key of the library, by a token file, or not at all. */
  readonly kind: 'local' | 'user' | 'token' | 'anonymous';
  readonly name: string;
  /** For the library as a whole. */
  readonly access: AccessLevel;
  /** For single tables, tools and endpoints, beyond `access`. */
  readonly grants?: readonly HeldGrant[];
  /** Tells two keys apart that have the same name: a digest or a public id, never the key itself. */
  readonly key: string;
}

export const LOCAL_PRINCIPAL: Principal = { kind: 'local', name: 'local', access: 'owner', key: 'local' };

export const includes = (held: AccessLevel, needed: AccessLevel): boolean =>
  ACCESS_LEVELS.indexOf(held) >= ACCESS_LEVELS.indexOf(needed);

/** The lower of two levels: a server that is read-only makes every caller a reader. */
export const atMost = (level: AccessLevel, limit: AccessLevel): AccessLevel =>
  includes(limit, level) ? level : limit;

/** The same caller where nobody may do more than `limit`, grants included. */
export const limitedTo = (principal: Principal, limit: AccessLevel): Principal => ({
  ...principal,
  access: atMost(principal.access, limit),
  ...(principal.grants !== undefined && {
    grants: principal.grants.map((grant) => ({ ...grant, access: atMost(grant.access, limit) })),
  }),
});
