import { StrataError } from '../../model/errors.js';
import { type AccessLevel, includes, type Principal, type ResourceKind } from './principal.js';

/** `see`: know that it exists and what it is. `use`: call a tool, read a table. `change`: write, re-index, remove. */
export type Action = 'see' | 'use' | 'change';

/** `id` is null where none is named: may tables be made at all? */
export interface Resource {
  readonly kind: ResourceKind;
  readonly id: string | null;
}

const NEEDED: Readonly<Record<Action, AccessLevel>> = { see: 'read', use: 'read', change: 'write' };

/**
 * The one place that decides about tables, tools and endpoints: what the role in the library allows, or a grant for
 * exactly this resource. Grants only ever add, and a principal brings its own.
 *
 * A grant for a tool lets its holder call the tool without seeing the table behind it, and a grant for an endpoint lets
 * its holder call the tools that are bound to it: whoever binds a tool shares it.
 */
export function may(principal: Principal, action: Action, resource: Resource): boolean {
  const needed = NEEDED[action];
  if (includes(principal.access, needed)) return true;
  return (principal.grants ?? []).some(
    ({ kind, id, access }) => kind === resource.kind && id === resource.id && includes(access, needed),
  );
}

/**
 * Throws FORBIDDEN; or, for whoever may not even know of the thing, NOT_FOUND in the words of a thing that is not there.
 * Ask this first and look afterwards, and throw `missing` where there is none: then the two cannot be told apart.
 */
export function requirePermission(principal: Principal, action: Action, resource: Resource): void {
  if (may(principal, action, resource)) return;
  const { kind, id } = resource;
  if (id !== null && !may(principal, 'see', resource)) throw missing(resource);
  const what = id === null ? `${kind}s` : `${kind} ${id}`;
  throw new StrataError(
    'FORBIDDEN',
    `${what}: ${principal.name} may not do this; the library's owner can grant it`,
  );
}

/**
 * To make something, or to change what is there under that name. Making needs a role in the library, and who may not see
 * what is there is refused as if it were not: the refusal does not say which.
 */
export function requireToPut(
  principal: Principal,
  { kind, id }: { readonly kind: ResourceKind; readonly id: string },
  isThere: boolean,
): void {
  const isSeen = isThere && may(principal, 'see', { kind, id });
  requirePermission(principal, 'change', { kind, id: isSeen ? id : null });
}

/** The same words whether it is not there or not to be seen. */
export const missing = ({ kind, id }: Resource): StrataError =>
  new StrataError('NOT_FOUND', `${kind} ${id}: there is none; \`strata ${kind} list\` shows what there is`);

/** Refuses what the caller's role in the library as a whole does not allow. */
export function requireLibraryAccess(principal: Principal, needed: AccessLevel, what: string): void {
  if (includes(principal.access, needed)) return;
  const has = principal.access === 'none' ? 'may use only what was granted' : `may ${principal.access} only`;
  throw new StrataError('FORBIDDEN', `${what}: ${principal.name} ${has}`);
}
