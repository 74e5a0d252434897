import { grantOutput, renderGrants } from '../../answers/access.js';
import { optionalText } from '../../fields.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const grantList = operation({
  name: 'grant-list',
  summary: 'Show what was granted to whom',
  description:
    'Grants for single tables, tools and endpoints; roles in the whole library are in `strata user list`.',
  access: 'owner',
  overHttp: true,
  changes: false,
  library: 'existing',
  input: {
    user: optionalText('To this user only', { longest: 64, cli: { positional: true, value: 'USER' } }),
  },
  output: (schemas) => schemas.z.object({ grants: schemas.z.array(grantOutput(schemas)) }),
  examples: [{ command: 'strata grant list eve', explanation: 'what may eve use?' }],
  handler: async (library, { user }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return { grants: await accessOf(library).listGrants(user) };
  },
  render: ({ grants }, view) =>
    grants.length === 0
      ? say('No grants: `strata grant add USER table:NAME` adds one.')
      : renderGrants(grants, view),
});
