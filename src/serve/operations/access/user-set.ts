import { ROLES } from '../../../tools/access/principal.js';
import { renderUsers, userOutput } from '../../answers/access.js';
import { userName } from '../../fields/names.js';
import { text } from '../../fields.js';
import { operation } from '../../operation.js';

export const userSet = operation({
  name: 'user-set',
  summary: 'Give a user another role',
  description: 'Counts from the user’s next call on. Keys and grants stay.',
  access: 'owner',
  overHttp: true,
  library: 'existing',
  input: {
    name: userName,
    role: text('What the user may do in the whole library', { choices: ROLES, cli: { value: 'ROLE' } }),
  },
  output: userOutput,
  examples: [{ command: 'strata user set ann --role editor', explanation: 'ann may write now' }],
  subject: ({ name, role }) => `${name}: ${role}`,
  handler: async (library, { name, role }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return accessOf(library).setRole(name, role);
  },
  render: (user, view) => (view.quiet ? '' : renderUsers([user], view)),
});
