import { grantOutput, renderGrants } from '../../answers/access.js';
import { granted } from '../../fields/names.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const grantRemove = operation({
  name: 'grant-remove',
  summary: 'Take a grant back',
  description: 'Takes a grant back; that counts from the user’s next call on.',
  access: 'owner',
  overHttp: true,
  library: 'existing',
  input: {
    ...granted,
  },
  output: (schemas) => schemas.z.object({ removed: grantOutput(schemas) }),
  examples: [{ command: 'strata grant remove eve tool:find_law', explanation: 'eve may call it no more' }],
  subject: ({ user, resource }) => `${user} ${resource}`,
  handler: async (library, { user, resource }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return { removed: await accessOf(library).removeGrant({ user, resource }) };
  },
  render: ({ removed }, view) => (view.quiet ? '' : say('Taken back: {1}', renderGrants([removed], view))),
});
