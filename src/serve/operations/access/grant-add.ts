import { GRANT_ROLES } from '../../../tools/access/principal.js';
import { grantOutput, renderGrants } from '../../answers/access.js';
import { granted } from '../../fields/names.js';
import { textOr } from '../../fields.js';
import { operation } from '../../operation.js';

export const grantAdd = operation({
  name: 'grant-add',
  summary: 'Let a user use one table, tool or endpoint',
  description:
    'Adds to the user’s role, never takes away: for users with the role `none` it is all they may use. A grant for a tool needs none for its table; a grant for an endpoint covers the tools bound to it. It ends with the thing it is for.',
  access: 'owner',
  overHttp: true,
  library: 'existing',
  input: {
    ...granted,
    role: textOr('reader', 'What the user may do with it', { choices: GRANT_ROLES, cli: { value: 'ROLE' } }),
  },
  output: grantOutput,
  examples: [
    { command: 'strata grant add eve tool:find_law', explanation: 'eve may call the tool' },
    { command: 'strata grant add eve table:laws --role editor', explanation: 'eve may change the table' },
  ],
  subject: ({ user, resource, role }) => `${user} ${role} ${resource}`,
  handler: async (library, { user, resource, role }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return accessOf(library).addGrant({ user, resource, role });
  },
  render: (grant, view) => (view.quiet ? '' : renderGrants([grant], view)),
});
