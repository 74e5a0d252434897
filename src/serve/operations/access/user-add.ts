import { ROLES } from '../../../tools/access/principal.js';
import { renderUsers, userOutput } from '../../answers/access.js';
import { userName } from '../../fields/names.js';
import { textOr } from '../../fields.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const userAdd = operation({
  name: 'user-add',
  summary: 'Let somebody use the library over HTTP',
  description:
    'From the first user on, `strata serve` asks every caller for a key (`strata key create`). A reader searches and reads everything in the library, an editor changes it, an owner manages users, too; with the role `none` a user may use only what is granted by name (`strata grant add`). Whoever can open the library’s files is its owner, with or without users.',
  access: 'owner',
  overHttp: true,
  library: 'existing',
  input: {
    name: userName,
    role: textOr('reader', 'What the user may do in the whole library', {
      choices: ROLES,
      cli: { value: 'ROLE' },
    }),
  },
  output: userOutput,
  examples: [
    { command: 'strata user add ann', explanation: 'a reader' },
    { command: 'strata user add bob --role editor', explanation: 'may add and remove documents' },
    { command: 'strata user add eve --role none', explanation: 'may use what is granted by name' },
  ],
  subject: ({ name }) => name,
  handler: async (library, { name, role }) => {
    const { accessOf } = await import('../../../tools/access/access.js');
    return accessOf(library).addUser(name, role);
  },
  render: (user, view) =>
    view.quiet ? '' : `${renderUsers([user], view)}\n${say('Next: strata key create {1}', user.name)}`,
});
