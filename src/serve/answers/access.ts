import type { GrantDetails } from '../../tools/access/grants.js';
import type { KeyDetails } from '../../tools/access/keys.js';
import { GRANT_ROLES, ROLES } from '../../tools/access/principal.js';
import type { UserDetails } from '../../tools/access/users.js';
import { colours, displayWidth, oneLine, padEnd, plural } from '../cli/terminal.js';
import { say } from '../language/language.js';
import type { View } from '../operation.js';
import type { Schemas } from '../schemas.js';

/** Users, keys and grants as answers hold them and people see them. */

export const userOutput = ({ z }: Schemas) =>
  z.object({
    name: z.string(),
    role: z.enum(ROLES),
    created_at: z.string(),
    keys: z.number().describe('Keys that were not revoked'),
    grants: z.number(),
  });

export const keyOutput = ({ z }: Schemas) =>
  z.object({
    prefix: z.string().describe('The public part, which names the key'),
    user: z.string(),
    label: z.string().nullable(),
    state: z.enum(['active', 'expired', 'revoked']),
    created_at: z.string(),
    expires_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
  });

export const grantOutput = ({ z }: Schemas) =>
  z.object({
    user: z.string(),
    resource: z.string().describe('table:NAME, tool:NAME or endpoint:NAME'),
    role: z.enum(GRANT_ROLES),
    created_at: z.string(),
  });

const day = (moment: string): string => moment.slice(0, 10);

export function renderUsers(users: readonly UserDetails[], view: View): string {
  const paint = colours(view);
  const width = Math.max(...users.map(({ name }) => displayWidth(name)));
  return users
    .map(({ name, role, keys, grants, created_at }) => {
      const has = `${plural(keys, 'key')}${say(', ')}${plural(grants, 'grant')}`;
      return `${padEnd(name, width)}  ${role.padEnd(6)}  ${paint.dim(`${has}${say('; ')}${day(created_at)}`)}`;
    })
    .join('\n');
}

export function renderKeys(keys: readonly KeyDetails[], view: View): string {
  const paint = colours(view);
  const width = Math.max(...keys.map(({ user }) => displayWidth(user)));
  return keys
    .map(({ prefix, user, label, state, expires_at, revoked_at }) => {
      const painted = state === 'active' ? paint.green(say(state)) : paint.red(say(state));
      const until = expires_at === null ? say('never expires') : say('until {1}', day(expires_at));
      const when = revoked_at === null ? until : say('revoked {1}', day(revoked_at));
      const called = label === null ? '' : `; ${oneLine(label)}`;
      return `${prefix}  ${padEnd(user, width)}  ${painted}  ${paint.dim(`${when}${called}`)}`;
    })
    .join('\n');
}

export function renderGrants(grants: readonly GrantDetails[], view: View): string {
  const paint = colours(view);
  const width = Math.max(...grants.map(({ user }) => displayWidth(user)));
  return grants
    .map(({ user, resource, role }) => `${padEnd(user, width)}  ${role}  ${paint.bold(oneLine(resource))}`)
    .join('\n');
}
