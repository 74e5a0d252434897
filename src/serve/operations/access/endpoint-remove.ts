import { endpointOutput } from '../../answers/endpoints.js';
import { endpointName } from '../../fields/names.js';
import { say } from '../../language/language.js';
import { operation } from '../../operation.js';

export const endpointRemove = operation({
  name: 'endpoint-remove',
  summary: 'Remove an MCP endpoint; its tools stay',
  description: 'Clients that are connected to it are refused from then on. Grants for it end.',
  access: 'none',
  changes: true,
  library: 'existing',
  input: { name: endpointName },
  output: (schemas) => schemas.z.object({ removed: endpointOutput(schemas) }),
  examples: [{ command: 'strata endpoint remove team', explanation: '/mcp/team is gone' }],
  subject: ({ name }) => name,
  handler: async (library, { name }, { principal }) => {
    const { endpointsOf } = await import('../../../tools/endpoints/endpoints.js');
    return { removed: await endpointsOf(library).remove(name, principal) };
  },
  render: ({ removed }, view) => (view.quiet ? '' : say('Removed the endpoint {1}.', removed.name)),
});
