import type { TrustReport } from '../../engine/trust/manage.js';
import { colours, padEnd } from '../cli/terminal.js';
import { textOr } from '../fields.js';
import { say } from '../language/language.js';
import { operation, type View } from '../operation.js';

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
  output: ({ z }) =>
    z.object({
      action: z.string(),
      library: z.string().nullable(),
      agreements: z.array(
        z.object({
          library: z.string(),
          about: z.string().describe('owner, store, embedder or sources'),
          value: z.string().describe('What the library names'),
          by: z.string().describe('named: by the user, with a flag; agreed: by the library'),
          at: z.string(),
        }),
      ),
    }),
  examples: [
    { command: 'strata trust', explanation: 'agree to what the library here asks for' },
    { command: 'strata trust list', explanation: 'all that you have agreed to' },
    { command: 'strata trust remove', explanation: 'take it back for the library here' },
  ],
  async handler(_, { action }, { library }) {
    const { manageTrust } = await import('../../engine/trust/manage.js');
    return manageTrust(action, library);
  },
  render: renderTrust,
});

function renderTrust({ action, library, agreements }: TrustReport, view: View): string {
  const paint = colours(view);
  if (agreements.length === 0) return view.quiet ? '' : nothing(action, library);
  const taken = action === 'remove' ? say(' (taken back)') : '';
  return agreements
    .map((one) => `${padEnd(say(one.about), 8)}  ${one.value}  ${paint.dim(`${one.library}${taken}`)}`)
    .join('\n');
}

function nothing(action: TrustReport['action'], library: string | null): string {
  if (action === 'list') return say('You have agreed to nothing: every library is used as data only.');
  if (action === 'remove') return say('{1}: there was nothing that you had agreed to.', `${library}`);
  return say('{1}: asks for nothing that needs your agreement.', `${library}`);
}
