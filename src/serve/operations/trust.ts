import { textOr } from '../fields.js';
import { operation } from '../operation.js';

export const trust = operation({
  name: 'trust',
  summary: 'Agree to what a library that was found asks for, or take it back',
  description:
    'A library that came with a repository, an archive or from another user is data: a store outside its folder, a service or model that embeds, another owner count only after you have agreed. `add` agrees to what this library asks for now (when that changes, you are asked again), `list` shows everything you have agreed to, `remove` takes back what you agreed to for this library. It is kept in your configuration folder, never in the library. What you name yourself by a flag needs no agreement.',
  access: 'owner',
  library: 'own',
  input: {
    action: textOr('add', 'What to do', {
      choices: ['add', 'list', 'remove'] as const,
      cli: { positional: true, value: 'ACTION' },
    }),
  },
  output: 'trust',
  examples: [
    { command: 'strata trust', explanation: 'agree to what the library here asks for' },
    { command: 'strata trust list', explanation: 'all that you have agreed to' },
    { command: 'strata trust remove', explanation: 'take it back for the library here' },
  ],
  async handler(_, { action }, { library }) {
    const { manageTrust } = await import('../../engine/trust/manage.js');
    return manageTrust(action, library);
  },
  render: async () => (await import('../render/trust.js')).renderTrust,
});
