import { renderUsers, userOutput } from '../../answers/access.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const userList = operation({
  name: 'user-list',
  summary: 'Show who may use the library',
  description: 'Users with their roles, and how many keys and grants each has.',
  access: 'owner',
  overHttp: true,
  changes: false,
  library: 'existing',
  input: {},
  output: (schemas) => schemas.z.object({ users: schemas.z.array(userOutput(schemas)) }),
  examples: [{ command: 'strata user list', explanation: 'who may use the library here' }],
  handler: async (library) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return { users: await accessOf(library).listUsers() };
  },
  render: ({ users }, view) =>
    users.length === 0 ? say('No users: `strata user add NAME` adds one.') : renderUsers(users, view),
});
