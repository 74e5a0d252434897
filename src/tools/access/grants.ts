import { StrataError } from '../../model/errors.js';
import type { Backend, RecordChange } from '../../store/backend.js';
import { type GrantRole, RESOURCE_KINDS, type ResourceKind } from './principal.js';
import { GRANTS, type Grant, grantId } from './stored-access.js';
import { userNamed } from './users.js';

/** A grant as lists show it. */
export interface GrantDetails {
  readonly user: string;
  /** `table:laws` */
  readonly resource: string;
  readonly role: GrantRole;
  readonly created_at: string;
}

/** `table:laws`, `tool:find_law` or `endpoint:team`. It need not exist yet: a grant may come first. */
export function readResource(text: string): { readonly kind: ResourceKind; readonly id: string } {
  const colon = text.indexOf(':');
  const kind = RESOURCE_KINDS.find((one) => one === text.slice(0, colon));
  const id = text.slice(colon + 1);
  if (kind === undefined || id === '' || id.length > 200) {
    throw new StrataError(
      'INVALID_ARGUMENT',
      `resource: "${text.slice(0, 200)}" names none; write table:NAME, tool:NAME or endpoint:NAME`,
    );
  }
  return { kind, id };
}

/** A second grant for the same resource takes the place of the first. */
export async function addGrant(
  backend: Backend,
  request: { readonly user: string; readonly resource: string; readonly role: GrantRole },
): Promise<GrantDetails> {
  const { kind, id } = readResource(request.resource);
  const { name, id: user_id } = await userNamed(backend, request.user);
  const grant: Grant = {
    user: name,
    user_id,
    kind,
    id,
    role: request.role,
    created_at: new Date().toISOString(),
  };
  await backend.commit({ records: [GRANTS.put(grant)] });
  return detailsOf(grant);
}

export async function listGrants(backend: Backend, user?: string): Promise<readonly GrantDetails[]> {
  if (user !== undefined) await userNamed(backend, user);
  const grants = await GRANTS.readAll(backend);
  return grants.filter((grant) => user === undefined || grant.user === user).map(detailsOf);
}

export async function removeGrant(
  backend: Backend,
  request: { readonly user: string; readonly resource: string },
): Promise<GrantDetails> {
  const { kind, id } = readResource(request.resource);
  const wanted = grantId({ user: request.user, kind, id });
  const grant = await GRANTS.read(backend, wanted);
  if (grant === null) {
    throw new StrataError(
      'NOT_FOUND',
      `${request.user} has no grant for ${request.resource}; \`strata grant list\` shows which there are`,
    );
  }
  await backend.commit({ records: [GRANTS.remove(wanted)] });
  return detailsOf(grant);
}

/**
 * What must go in the same commit as a table, tool or endpoint: another one that is made later under the same name must
 * not be open to whoever could use the first.
 */
export async function grantsGoneWith(
  backend: Backend,
  resource: { readonly kind: ResourceKind; readonly id: string },
): Promise<RecordChange[]> {
  const grants = await GRANTS.readAll(backend);
  return grants
    .filter(({ kind, id }) => kind === resource.kind && id === resource.id)
    .map((grant) => GRANTS.remove(grantId(grant)));
}

const detailsOf = ({ user, kind, id, role, created_at }: Grant): GrantDetails => ({
  user,
  resource: `${kind}:${id}`,
  role,
  created_at,
});
