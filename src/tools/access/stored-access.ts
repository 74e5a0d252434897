import { isObject } from '../../model/json/json.js';
import { isText, isUuid } from '../../store/stored.js';
import { RecordKind } from '../record-kind.js';
import { isKeyId } from './key-secret.js';
import {
  GRANT_ROLES,
  type GrantRole,
  RESOURCE_KINDS,
  type ResourceKind,
  ROLES,
  type Role,
} from './principal.js';

/**
 * Users, keys and grants as records of the library. A library that was found brings its own: they are checked when they
 * are read, and say who may use that library, nothing else.
 */
export interface User {
  readonly name: string;
  /** Minted with the user: what an earlier user of the same name left behind is nothing to this one. */
  readonly id: string;
  readonly role: Role;
  readonly created_at: string;
}

export interface Key {
  /** The public part, which lists and logs show. */
  readonly id: string;
  readonly user: string;
  readonly user_id: string;
  /** What its holder calls it: the machine or program that uses it. */
  readonly label: string | null;
  /** See key-secret.ts. */
  readonly digest: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export interface Grant {
  readonly user: string;
  readonly user_id: string;
  readonly kind: ResourceKind;
  /** The name of the table, tool or endpoint. */
  readonly id: string;
  readonly role: GrantRole;
  readonly created_at: string;
}

/** The longest name of anything that grants speak of. */
const LONGEST_NAME = 200;
const DIGEST = /^[0-9a-f]{64}$/;
const USER_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@+-]{0,63}$/u;

export const isUserName = (value: unknown): value is string => isText(value) && USER_NAME.test(value);

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  (values as readonly unknown[]).includes(value);
const isMoment = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));
const isMomentOrNull = (value: unknown): boolean => value === null || isMoment(value);
const isName = (value: unknown): boolean => isText(value) && value.length > 0 && value.length <= LONGEST_NAME;

const isUser = (value: unknown): value is User =>
  isObject(value) &&
  isUserName(value.name) &&
  isUuid(value.id) &&
  isOneOf(ROLES, value.role) &&
  isMoment(value.created_at);

const isKey = (value: unknown): value is Key =>
  isObject(value) &&
  isKeyId(value.id) &&
  isUserName(value.user) &&
  isUuid(value.user_id) &&
  (value.label === null || isName(value.label)) &&
  isText(value.digest) &&
  DIGEST.test(value.digest) &&
  isMoment(value.created_at) &&
  isMomentOrNull(value.expires_at) &&
  isMomentOrNull(value.revoked_at);

const isGrant = (value: unknown): value is Grant =>
  isObject(value) &&
  isUserName(value.user) &&
  isUuid(value.user_id) &&
  isOneOf(RESOURCE_KINDS, value.kind) &&
  isName(value.id) &&
  isOneOf(GRANT_ROLES, value.role) &&
  isMoment(value.created_at);

export const grantId = ({ user, kind, id }: Pick<Grant, 'user' | 'kind' | 'id'>): string =>
  `${user} ${kind}:${id}`;

export const USERS = new RecordKind<User>('user', isUser, ({ name }) => name);
export const KEYS = new RecordKind<Key>('key', isKey, ({ id }) => id);
export const GRANTS = new RecordKind<Grant>('grant', isGrant, grantId);
