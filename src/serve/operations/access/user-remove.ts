import { userOutput } from '../../answers/access.js';
import { plural } from '../../cli/terminal.js';
import { userName } from '../../fields/names.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const userRemove = operation({
  name: 'user-remove',
  summary: 'Remove a user with all keys and grants',
  description: 'The user’s keys are refused from their next call on. What the user has written stays.',
  access: 'owner',
  overHttp: true,
  library: 'existing',
  input: { name: userName },
  output: (schemas) => schemas.z.object({ removed: userOutput(schemas) }),
  examples: [{ command: 'strata user remove ann', explanation: 'ann’s keys end, too' }],
  subject: ({ name }) => name,
  handler: async (library, { name }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return { removed: await accessOf(library).removeUser(name) };
  },
  render: ({ removed: { name, keys, grants } }, view) =>
    view.quiet
      ? ''
      : say('Removed {1}, with {2} and {3}.', name, plural(keys, 'key'), plural(grants, 'grant')),
});
