import { keyOutput, renderKeys } from '../../answers/access.js';
import { optionalText } from '../../fields.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const keyList = operation({
  name: 'key-list',
  summary: 'Show keys by their prefix, with user, state and expiry',
  description:
    'Expired and revoked keys are listed, too. The keys themselves are not kept, and so not shown.',
  access: 'owner',
  overHttp: true,
  changes: false,
  library: 'existing',
  input: {
    user: optionalText('Of this user only', { longest: 64, cli: { positional: true, value: 'USER' } }),
  },
  output: (schemas) => schemas.z.object({ keys: schemas.z.array(keyOutput(schemas)) }),
  examples: [{ command: 'strata key list ann', explanation: 'which keys has ann?' }],
  handler: async (library, { user }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return { keys: await accessOf(library).listKeys(user) };
  },
  render: ({ keys }, view) =>
    keys.length === 0 ? say('No keys: `strata key create USER` makes one.') : renderKeys(keys, view),
});
