import { endpointOutput, renderEndpoints } from '../../answers/endpoints.js';
import { argument, optionalText } from '../../fields.js';
import { operation } from '../../operation.js';

export const endpointCreate = operation({
  name: 'endpoint-create',
  summary: 'Give some search tools an MCP address of their own',
  description:
    'Agents that connect to /mcp/NAME of `strata serve` see the search tools that are bound there (`strata endpoint bind`), and nothing else of the library. Who may use it: readers of the library, and users with a grant for it (`strata grant add USER endpoint:NAME`).',
  access: 'none',
  changes: true,
  library: 'existing',
  input: {
    name: argument('The endpoint’s name, as it stands in the address', 'NAME', 64),
    description: optionalText('What agents are told that it is for', {
      longest: 2000,
      cli: { value: 'TEXT' },
    }),
  },
  output: endpointOutput,
  examples: [{ command: 'strata endpoint create team', explanation: 'at /mcp/team' }],
  subject: ({ name }) => name,
  handler: async (library, { name, description }, { principal }) => {
    const { endpointsOf } = await import('../../../tools/endpoints/endpoints.js');
    return endpointsOf(library).create({ name, description }, principal);
  },
  render: (endpoint, view) => (view.quiet ? '' : renderEndpoints([endpoint], view)),
});
