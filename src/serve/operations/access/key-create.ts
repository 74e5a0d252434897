import { keyOutput, renderKeys } from '../../answers/access.js';
import { argument, optionalText, textOr } from '../../fields.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const keyCreate = operation({
  name: 'key-create',
  summary: 'Make a key for a user, and show it once',
  description:
    'Callers send it as `Authorization: Bearer <key>` to `strata serve`. This answer is the only place that ever shows it: the library keeps a digest. Make one for each program or machine, so that each can be revoked alone.',
  access: 'owner',
  overHttp: true,
  library: 'existing',
  input: {
    user: argument('The user who calls with it', 'USER', 64),
    label: optionalText('What it is for: the machine or program that uses it', { longest: 200 }),
    expires: textOr('90d', 'When it ends: 12h, 30d, 8w, 1y, a date, or never', {
      longest: 40,
      cli: { value: 'WHEN' },
    }),
  },
  output: (schemas) =>
    keyOutput(schemas).extend({ key: schemas.z.string().describe('The key itself, shown this once') }),
  examples: [
    { command: 'strata key create ann', explanation: 'valid for 90 days' },
    { command: 'strata key create ann --label laptop --expires 1y', explanation: 'says what it is for' },
  ],
  subject: ({ user }) => user,
  handler: async (library, { user, label, expires }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return accessOf(library).createKey({ user, label, expires });
  },
  render: (made, view) =>
    view.quiet
      ? made.key
      : `${made.key}\n\n${renderKeys([made], view)}\n${say('Keep it now: it is not shown again.')}`,
});
