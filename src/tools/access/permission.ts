import { StrataError } from '../../model/errors.js';
import type { Backend } from '../../store/backend.js';

/** Who asks. The person who runs the program on a library of his own is its owner. */
export interface Principal {
  readonly name: string;
  readonly access: 'read' | 'write' | 'owner';
  /** Tells two keys apart that have the same name: a digest, never the key itself. */
  readonly key: string;
}

export const OWNER: Principal = { name: 'local', access: 'owner', key: 'local' };

/** `see`: know that it exists and what it is. `use`: call a tool, read a table. `change`: write, re-index, remove. */
export type Action = 'see' | 'use' | 'change';

/** `id` is null where none is named: may tables be made at all? */
export interface Resource {
  readonly kind: 'table' | 'tool' | 'endpoint';
  readonly id: string | null;
}

/** The one place that decides. Grants are records of the library, in the same store as what they protect. */
export async function may(
  _backend: Backend,
  principal: Principal,
  _action: Action,
  _resource: Resource,
): Promise<boolean> {
  return principal.access === 'owner';
}

/** Throws FORBIDDEN; or, for whoever may not even know of the thing, NOT_FOUND in the words of a thing that is not there. */
export async function requirePermission(
  backend: Backend,
  principal: Principal,
  action: Action,
  resource: Resource,
): Promise<void> {
  if (await may(backend, principal, action, resource)) return;
  const { kind, id } = resource;
  if (id === null || (action !== 'see' && (await may(backend, principal, 'see', resource)))) {
    throw new StrataError(
      'FORBIDDEN',
      `${id === null ? `${kind}s` : `${kind} ${id}`}: ${principal.name} may not do this; its owner can grant it`,
    );
  }
  throw missing(resource);
}

/** The same words whether it is not there or not to be seen. */
export const missing = ({ kind, id }: Resource): StrataError =>
  new StrataError('NOT_FOUND', `${kind} ${id}: there is none; \`strata ${kind} list\` shows what there is`);
